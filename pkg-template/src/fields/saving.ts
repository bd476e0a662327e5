// What is saved of fields, besides what differs from a new parser (snapshot/state.ts).

import { ENGINE } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { type Saving, type Snapshot, makeSnapshot, openSnapshot } from '../snapshot/registry.js'
import { flag } from '../snapshot/checks.js'
import { OpenContainer } from './forbidden.js'
import { OrderNode, Progress } from './order-node.js'
import { PresentPaths } from './present.js'
import { DonePaths } from './reconcile.js'
import { Replacements } from './replacements.js'
import { Node } from './tree.js'
import type { FieldOptions, FieldSchema } from './types.js'

const CLASSES = { Joined, Node, OrderNode, Progress, PresentPaths, Replacements, OpenContainer, DonePaths }

/** A parser and a stream. */
export const PARSER: Saving = { parser: 'fields', place: 'StreamingJSONParser', layout: ENGINE, classes: CLASSES }
export const STREAM: Saving = { parser: 'field-stream', place: 'FieldStream', layout: ENGINE, classes: CLASSES }

/**
 * What a parser of fields is restored with: what of its schema and its options is no data, such as a library's schema.
 *
 * @example
 * ```ts
 * import { type FieldRestoreOptions, StreamingJSONParser } from 'tokenweir/fields'
 * import 'tokenweir/snapshot'
 *
 * const again: FieldRestoreOptions = { schema: { title: 'str' } }
 * const snapshot = new StreamingJSONParser({ title: 'str' }).snapshot()
 * console.log(StreamingJSONParser.restore(snapshot, again).parseChunk('{"title": "Hi').length) // 1
 * ```
 */
export interface FieldRestoreOptions extends FieldOptions {
  /** The schema. It is in the snapshot if it is data. */
  schema?: FieldSchema | null | undefined
}

/** Saves a parser's state. */
export function saveFields(
  saving: Saving,
  live: object,
  fresh: object,
  schema: unknown,
  options: FieldOptions | undefined,
  isFinished: boolean,
  keepText: boolean,
  omitted?: readonly object[],
): Snapshot {
  return makeSnapshot(saving, { live, fresh, options: { schema, ...options }, shape: isFinished, keepText, omitted })
}

/** Opens a snapshot, makes a parser by its options, and sets its state. */
export function restoreFields<Made>(
  saving: Saving,
  snapshot: unknown,
  given: FieldRestoreOptions | undefined,
  make: (schema: FieldSchema | null | undefined, options: FieldOptions) => Made,
  stateOf: (made: Made, isFinished: boolean) => object,
): Made {
  const opened = openSnapshot<FieldRestoreOptions>(saving, snapshot, given)
  const isFinished = opened.shape(flag) as boolean
  const { schema, ...options } = opened.options
  const made = make(schema, options)
  opened.into(stateOf(made, isFinished))
  return made
}
