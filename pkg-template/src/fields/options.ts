// Options and schema, checked.

import { type OptionTable, checkOptions, flag, must, resolveOptions, word } from '../options.js'
import { FieldBit, FieldFlag, FieldShape } from '../generated/ops.js'
import { ELEMENT, type Outline } from '../schema/outline.js'
import type { FieldStart } from '../wasm/fields.js'
import type { BigNumbers } from '../json/digits.js'
import type { PathStyle } from '../json/path.js'
import { type RootShape, compileSchema, keyOrder, rootShape } from './schema.js'
import type { FieldOptions, PartialOptions } from './types.js'

/** What a parser is given, checked. */
export interface Settings {
  /** How the machine begins. */
  readonly machine: FieldStart
  readonly pathStyle: PathStyle
  /** A document has one of these keys; undefined where any key fits. Each with the answer to the machine's question. */
  readonly keys: ReadonlyMap<string, number> | undefined
  /** What the schema says of the document, if it may forbid keys. */
  readonly forbids: Outline | undefined
  readonly multiple: boolean
  /** What a whole number becomes that a number can't hold. */
  readonly bigNumbers: BigNumbers
  readonly snapshot: boolean
  readonly spans: boolean
  /** Whether the text is one value and nothing else. */
  readonly isBare: boolean
  /** With `completion: 'order'`: the schema's paths in their order. */
  readonly order: readonly string[] | undefined
}

/** Shapes of a root array, by what its elements are. */
const ARRAYS = {
  object: FieldShape.ArrayOfObjects,
  string: FieldShape.ArrayOfStrings,
  number: FieldShape.ArrayOfNumbers,
  any: FieldShape.Array,
} as const

const DEEPEST = 4_096

/** The class that replaces Agently's, whose schemas may name types that nobody knows. */
export const AGENTLY = 'StreamingJSONParser'

/** The options of a whole text that is read to a value. */
export const PARTIAL_OPTIONS = {
  strict: [flag, false],
  maxDepth: [
    must(
      `a whole number from 1 to ${DEEPEST}`,
      (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= DEEPEST,
    ),
    512,
  ],
  startWithThinking: [flag, false],
  bigNumbers: [word('number', 'string', 'bigint'), 'number'],
  fences: [word('parse', 'text'), 'parse'],
} satisfies OptionTable<Omit<PartialOptions, 'schema'>>

const OPTIONS = {
  completion: [word('boundary', 'order'), 'boundary'],
  pathStyle: [word('dot', 'slash'), 'dot'],
  multiple: [flag, false],
  snapshot: [flag, false],
  spans: [flag, false],
  ...PARTIAL_OPTIONS,
} satisfies OptionTable<FieldOptions>

/** Checks options and schema; `place` names who was given them. */
export function settingsOf(
  place: string,
  schema: unknown,
  options: FieldOptions | undefined,
  known: OptionTable = OPTIONS,
): Settings {
  checkOptions(place, options, known, '.')
  const given = resolveOptions<FieldOptions, typeof OPTIONS>(OPTIONS, options)
  const { completion, strict, multiple, spans, startWithThinking, bigNumbers, fences, maxDepth } = given
  let isOrder = completion === 'order'
  if (isOrder && spans)
    throw new TypeError(`${place}.spans needs completion: 'boundary'; with 'order' events come later than their text`)
  if (isOrder && bigNumbers !== 'number')
    throw new TypeError(
      `${place}.bigNumbers needs completion: 'boundary'; with 'order' values are compared as Agently compares them`,
    )

  const node = compileSchema(schema, place === AGENTLY)
  const root: RootShape = node === undefined ? { kind: 'any' } : rootShape(node)
  // A single value has no order.
  isOrder &&= root.kind !== 'scalar'
  const isNullable = root.kind === 'array' && root.isNullable
  const flags =
    (strict ? FieldFlag.Strict : 0) |
    (multiple ? FieldFlag.Multiple : 0) |
    (isOrder ? FieldFlag.EmitsNumbers : 0) |
    (isNullable ? FieldFlag.Nullable : 0) |
    (startWithThinking ? FieldFlag.Thinking : 0) |
    (fences === 'text' ? FieldFlag.SkipsCode : 0)
  const settings: Settings = {
    machine: { flags, shape: shapeOf(root), maxDepth },
    pathStyle: given.pathStyle,
    keys: root.kind === 'any' || root.kind === 'scalar' || node === undefined ? undefined : answersOf(root, node),
    forbids: node?.mayForbid === true && !isOrder ? node : undefined,
    multiple,
    bigNumbers,
    snapshot: given.snapshot,
    spans,
    isBare: false,
    order: isOrder ? (node === undefined ? [''] : keyOrder(node)) : undefined,
  }
  if (root.kind !== 'scalar') return settings
  const { isBare, machine } = bare(settings)
  return { ...settings, isBare, machine: { ...machine, flags: machine.flags | FieldFlag.Fenced } }
}

/** Changes settings for a text that is one value and nothing else. */
export function bare(settings: Settings): Settings {
  return { ...settings, isBare: true, machine: { ...settings.machine, flags: settings.machine.flags | FieldFlag.Bare } }
}

/** The answer to the machine's question for each key: it is the schema's, and what its value can't be. */
function answersOf(
  { kind, keys }: Extract<RootShape, { keys: unknown }>,
  node: Outline,
): ReadonlyMap<string, number> | undefined {
  const objects = kind === 'object' ? node : node.at(ELEMENT)
  const answer = (key: string) => {
    const kinds = objects?.at(key)?.kinds
    const can = (kind: 'object' | 'array') => kinds === undefined || kinds.has(kind)
    return FieldBit.KeyAgrees | (can('object') ? 0 : FieldBit.NoObject) | (can('array') ? 0 : FieldBit.NoArray)
  }
  return keys && new Map([...keys].map((key) => [key, answer(key)]))
}

function shapeOf(root: RootShape): number {
  if (root.kind === 'any' || root.kind === 'scalar') return FieldShape.Any
  return root.kind === 'object' ? FieldShape.Object : ARRAYS[root.item]
}
