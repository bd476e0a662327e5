// Paths of values, in two styles, and patterns of paths.
//
//     dot      user.emails[0]      user["first.name"]      [0].x
//     slash    /user/emails/0      /user/first.name        /0/x
//
// A dot path is Agently's, except that a key is quoted where it would be read as
// something else. A slash path is a JSON Pointer.

import { requireString } from '../errors.js'

/**
 * One step down from a container: a key, or an index.
 *
 * @example
 * ```ts
 * import type { Step } from 'tokenweir/args'
 *
 * const path: Step[] = ['edits', 0, 'path']
 * console.log(path.length) // 3
 * ```
 */
export type Step = string | number

/** How a path is written. */
export type PathStyle = 'dot' | 'slash'

/** Whether a key can't be written plainly in a dot path. */
const NEEDS_QUOTES = /[.[\]]/
const NEEDS_ESCAPE = /[~/]/

/** A step in a dot path: `user`, `.name`, `["a.b"]`, `[0]`. */
export function dotSegment(step: Step, isFirst: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  if (step === '' || step === '*' || NEEDS_QUOTES.test(step) || (isFirst && step.startsWith('/')))
    return `[${JSON.stringify(step)}]`
  return isFirst ? step : `.${step}`
}

/** A step in a slash path: `/name`, `/0`. */
function slashSegment(step: Step): string {
  if (typeof step === 'number' || !NEEDS_ESCAPE.test(step)) return `/${step}`
  return `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function pathSegment(style: PathStyle, step: Step, isFirst: boolean): string {
  return style === 'dot' ? dotSegment(step, isFirst) : slashSegment(step)
}

/** A step of a wildcard path, where an index is `[*]` in both styles. */
export function wildcardSegment(style: PathStyle, step: Step, isFirst: boolean): string {
  if (typeof step === 'number') return style === 'dot' ? '[*]' : '/[*]'
  return pathSegment(style, step, isFirst)
}

/** What matches at one step: this key or index; `true` matches anything, `undefined` nothing. */
interface PatternStep {
  readonly key: string | true | undefined
  readonly index: number | true | undefined
}

/** A path, or many. */
export interface Pattern {
  /** As it was written. */
  readonly source: string
  readonly steps: readonly PatternStep[]
}

const ANY: PatternStep = { key: true, index: true }
const ANY_INDEX: PatternStep = { key: undefined, index: true }

/** Whether a value's steps match a pattern. */
export function matches(pattern: Pattern, steps: readonly Step[]): boolean {
  if (pattern.steps.length !== steps.length) return false
  return pattern.steps.every(({ key, index }, at) => {
    const step = steps[at]
    return typeof step === 'number' ? index === true || index === step : key === true || key === step
  })
}

/**
 * Reads a pattern.
 *
 * ```text
 * pattern ::= (name | bracket) ('.' name | bracket)*  |  ('/' slash-name)+
 * name    ::= '*' | [^.[\]]+
 * bracket ::= '[' ('*' | index | json-string)? ']'
 * ```
 *
 * `[*]` and `[]` match each index, `*` each index and each key. A wildcard path is a pattern, and so is a path; but a
 * dot path that begins with `/` is read in slash style, so the key `/x` of the root is written `["/x"]`.
 *
 * Throws `TypeError` for an invalid pattern, with the place of the fault in it, in UTF-16 code units.
 */
export function parsePattern(pattern: string, place = 'on'): Pattern {
  requireString(place, pattern)
  if (pattern === '')
    throw new TypeError(
      `${place} takes the path of a value inside the document, but got '': the root has no events of its own`,
    )
  const refuse: Refuse = (what, at) => {
    throw new TypeError(
      `${place} takes a path such as items[*].name or /items/[*]/name, but ${JSON.stringify(pattern)} has ` +
        `${what} at ${at}`,
    )
  }
  return { source: pattern, steps: pattern.startsWith('/') ? slashSteps(pattern, refuse) : dotSteps(pattern, refuse) }
}

type Refuse = (what: string, at: number) => never

function dotSteps(pattern: string, refuse: Refuse): PatternStep[] {
  const steps: PatternStep[] = []
  let at = 0
  while (at < pattern.length) {
    if (pattern[at] === '[') {
      const [step, end] = bracket(pattern, at, refuse)
      steps.push(step)
      at = end
      continue
    }
    if (at > 0 && pattern[at] !== '.') refuse('text where a "." or "[" must follow', at)
    const start = at > 0 ? at + 1 : 0
    at = endOfName(pattern, start)
    if (at === start) refuse('no key (an empty one is written [""])', start)
    if (pattern[at] === ']') refuse('a "]" that closes nothing (a key that holds one is written ["a]"])', at)
    const name = pattern.slice(start, at)
    steps.push(name === '*' ? ANY : { key: name, index: undefined })
  }
  return steps
}

function endOfName(pattern: string, start: number): number {
  let at = start
  while (at < pattern.length && !'.[]'.includes(pattern.charAt(at))) at++
  return at
}

const INDEX = /^(?:0|[1-9][0-9]*)$/
const QUOTED = /"(?:[^"\\]|\\.)*"/sy

/** The step in the brackets at `open`, and where it ends. */
function bracket(pattern: string, open: number, refuse: Refuse): [PatternStep, number] {
  if (pattern[open + 1] === '"') {
    QUOTED.lastIndex = open + 1
    const quoted = QUOTED.exec(pattern)?.[0] ?? refuse('a quoted key without its closing quote', open + 1)
    const end = open + 1 + quoted.length
    if (pattern[end] !== ']') refuse('a quoted key without a "]" after it', end)
    try {
      return [{ key: JSON.parse(quoted) as string, index: undefined }, end + 1]
    } catch {
      return refuse('a quoted key that is not a JSON string', open + 1)
    }
  }
  const close = pattern.indexOf(']', open)
  if (close === -1) refuse('a "[" without its "]"', open)
  const inside = pattern.slice(open + 1, close)
  if (inside === '*' || inside === '') return [ANY_INDEX, close + 1]
  if (!INDEX.test(inside))
    refuse(
      `${JSON.stringify(inside)} in brackets, where *, an index from 0 or a key in double quotes must be,`,
      open + 1,
    )
  return [{ key: undefined, index: Number(inside) }, close + 1]
}

function slashSteps(pattern: string, refuse: Refuse): PatternStep[] {
  let at = 0
  return pattern
    .slice(1)
    .split('/')
    .map((name) => {
      const start = at + 1
      at = start + name.length
      if (name === '*') return ANY
      const wrong = name.search(/~(?![01])/)
      if (wrong !== -1) refuse('a "~" that is not part of ~0 (a "~") or ~1 (a "/")', start + wrong)
      // A pointer does not say whether 0 is an index or a key, and a key may look like `[*]`: both match.
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
      if (name === '[*]' || name === '[]') return { key, index: true }
      const index = /^\[(.*)\]$/.exec(name)?.[1] ?? name
      return { key, index: INDEX.test(index) ? Number(index) : undefined }
    })
}

const STEP = /\.([\w$-]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/y

/** The names and indices in a path; undefined if it isn't one. */
export function stepsOfJsonPath(path: string): Step[] | undefined {
  const steps: Step[] = []
  STEP.lastIndex = 1
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path)
    if (match === null) return undefined
    const [, name, index, quoted, other] = match
    steps.push(index === undefined ? ((name ?? quoted ?? other) as string) : Number(index))
  }
  return path.startsWith('$') ? steps : undefined
}
