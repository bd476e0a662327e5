// Keywords that no tree holds, but the engines that compile a schema themselves: xgrammar 0.2.8 and llguidance 1.9.1.
//
// These are exact in both: bounds of integers, two formats, and patterns of a whole text that needs no escape in JSON.
// Others are not: bounds of numbers refuse `1e-7`, `date` accepts the 30th of February, `ipv4` accepts `01.2.3.4`.
//
// Source: the engines (tests/oracles/grammar.mjs).

import { type Keywords, typesOf } from '../schema/keywords.js'

const FORMATS: readonly unknown[] = ['duration', 'uuid']
const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']
const CHOICES = ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const']

const ESCAPED = String.raw`\\[dw^$.*+?()[\]{}|/]`
const IN_CLASS = String.raw`(?:\\[dw^$.*+?()[\]{}|/-]|[^\\[\]^&~"\x00-\x1f\x7f-\uffff-])`
const CLASS = String.raw`\[-?(?:${IN_CLASS}(?:-${IN_CLASS})?)+-?\]`
const PLAIN = String.raw`[^\\^$.*+?()[\]{}|"\x00-\x1f\x7f-\uffff]`
const PIECES = String.raw`(?:(?:${ESCAPED}|${CLASS}|${PLAIN})(?:[*+?]|\{\d+(?:,\d*)?\})?)*`
const GROUP = new RegExp(String.raw`\((?:\?:)?${PIECES}(?:\|${PIECES})*\)`, 'g')
const WHOLE = new RegExp(String.raw`^\^${PIECES}\$$`)

/** Which of a schema's keywords both engines hold, of those that no tree holds. */
export function engineKeywords(schema: Keywords): readonly string[] {
  if (CHOICES.some((keyword) => keyword in schema)) return []
  const type = typesOf(schema)
    .filter((one) => one !== 'null')
    .join()
  const given = (keywords: readonly string[]) => keywords.filter((keyword) => keyword in schema)
  if (type === 'integer') return areBounds(schema) ? given(BOUNDS) : []
  if (type !== 'string' || given(['pattern', 'format', 'minLength', 'maxLength']).length !== 1) return []
  return isSimple(schema['pattern']) || FORMATS.includes(schema['format']) ? given(['pattern', 'format']) : []
}

/** Whether the bounds are whole numbers with a number between them. */
function areBounds(schema: Keywords): boolean {
  if (BOUNDS.some((keyword) => keyword in schema && !Number.isSafeInteger(schema[keyword]))) return false
  const [min = -Infinity, over = -Infinity, max = Infinity, below = Infinity] = BOUNDS.map(
    (keyword) => schema[keyword] as number | undefined,
  )
  return Math.max(min, over + 1) <= Math.min(max, below - 1)
}

/** Whether a pattern is read as JavaScript reads it, and its texts are the same in JSON. */
function isSimple(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  // Repetitions in each other are written out.
  if ([...pattern.matchAll(/(\d+)\}/g)].reduce((product, [, times]) => product * Number(times), 1) > 1_000) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  // Groups from the inside: each is as a character then.
  let rest = pattern
  for (let before = ''; before !== rest; ) [before, rest] = [rest, rest.replaceAll(GROUP, 'x')]
  return WHOLE.test(rest)
}
