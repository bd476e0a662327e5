// Where in a document a path leads.

import type { JsonValue } from '../json/value.js'
import type { Pattern, Step } from '../json/path.js'
import type { Document, Frame } from './document.js'

/** What is at a path: nothing yet, nothing that can still come, what is open, or a value that is done. */
export type Found =
  | { readonly state: 'absent' | 'impossible' }
  | { readonly state: 'open'; readonly kind: 'string' | 'object' | 'array' | 'scalar' }
  | { readonly state: 'done'; readonly value: JsonValue }

const ABSENT: Found = { state: 'absent' }
const IMPOSSIBLE: Found = { state: 'impossible' }

/** What is at a path. */
export function find(document: Document, isScalar: boolean, path: readonly Step[]): Found {
  if (document.isDone) return inside(document.value as JsonValue, path)
  const open = document.openPath(isScalar)
  if (open === undefined) return ABSENT
  let at = 0
  while (at < path.length && at < open.length && path[at] === open[at]) at++
  const frame = document.frames[at]
  if (at === path.length) return { state: 'open', kind: kindOf(document, frame) }
  if (frame === undefined) return IMPOSSIBLE
  const step = path[at] as Step
  const isList = Array.isArray(frame.value)
  if (isList !== (typeof step === 'number')) return IMPOSSIBLE
  // The open member of a container may be in it as far as it has come, but was found above.
  if (Object.hasOwn(frame.value, step))
    return inside((frame.value as Record<Step, JsonValue>)[step] as JsonValue, path.slice(at + 1))
  return ABSENT
}

function kindOf({ text }: Document, frame: Frame | undefined): 'string' | 'object' | 'array' | 'scalar' {
  if (frame === undefined) return text === undefined ? 'scalar' : 'string'
  return Array.isArray(frame.value) ? 'array' : 'object'
}

/** What is in a value that is done. */
function inside(value: JsonValue, path: readonly Step[]): Found {
  let inner = value
  for (const step of path) {
    if (
      typeof inner !== 'object' ||
      inner === null ||
      Array.isArray(inner) !== (typeof step === 'number') ||
      !Object.hasOwn(inner, step)
    )
      return IMPOSSIBLE
    inner = (inner as Record<Step, JsonValue>)[step] as JsonValue
  }
  return { state: 'done', value: inner }
}

/** The paths that a pattern matches, of what has come. */
export function* pathsOf(document: Document, isScalar: boolean, { steps }: Pattern): Generator<Step[]> {
  const open = document.openPath(isScalar)
  const walk = function* (path: Step[]): Generator<Step[]> {
    const wanted = steps[path.length]
    if (wanted === undefined) return yield path
    for (const step of stepsIn(document, isScalar, path, open)) {
      const fits = typeof step === 'number' ? wanted.index : wanted.key
      if (fits === true || fits === step) yield* walk([...path, step])
    }
  }
  yield* walk([])
}

/** The members or the elements of the container at a path, in their order. */
function stepsIn(
  document: Document,
  isScalar: boolean,
  path: readonly Step[],
  open: readonly Step[] | undefined,
): Step[] {
  const found = find(document, isScalar, path)
  const container =
    found.state === 'done' ? found.value : found.state === 'open' ? document.frames[path.length]?.value : undefined
  if (typeof container !== 'object' || container === null) return []
  const steps: Step[] = Array.isArray(container) ? [...container.keys()] : Object.keys(container)
  const last = found.state === 'open' ? open?.[path.length] : undefined
  if (last !== undefined && !Object.hasOwn(container, last)) steps.push(last)
  return steps
}
