// What is saved of tool calls, besides what differs from a new parser (snapshot/state.ts): what
// is reading the call that is open, which is made again before its state is set.

import { BODY_KINDS } from '../arguments/body.js'
import { Container, OpenElement } from '../arguments/container.js'
import { Frame } from '../arguments/json.js'
import { Level } from '../arguments/writer.js'
import { ENGINE } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { Digits } from '../json/digits.js'
import { JsonBuilder } from '../json/value.js'
import { XmlElement } from '../rxml/element.js'
import { count, list, one, shape, text } from '../snapshot/checks.js'
import { type Saving, type Snapshot, makeSnapshot, openSnapshot } from '../snapshot/registry.js'
import type { CallShape } from './call-reader.js'
import type { PartStream } from './part-stream.js'

const CLASSES = { Joined, JsonBuilder, Digits, XmlElement, Container, OpenElement, Frame, Level }

const SHAPES = list(shape<CallShape>({ row: count, name: text, body: one(...BODY_KINDS) }))

/** More texts are not open at the same time. */
const MOST_TEXTS = 1_024

/** A parser and a stream. */
export const PARSER: Saving = { parser: 'tool-calls', place: 'ToolCallParser', layout: ENGINE, classes: CLASSES }
export const STREAM: Saving = {
  parser: 'tool-call-stream',
  place: 'toolCallStream',
  restore: 'restoreToolCallStream',
  layout: ENGINE,
  classes: CLASSES,
}

/** Options by their names: those of a protocol's parser stand in `options`. */
function flat(source: object): Record<string, unknown> {
  const { options, ...rest } = source as { readonly options?: object }
  return { ...rest, ...options }
}

/** The reverse. */
function unflat(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!('protocol' in given)) return given
  const { protocol, tools, ...options } = given
  return { protocol, tools, ...(Object.keys(options).length === 0 ? {} : { options }) }
}

/** Saves a stream of parts; `open` makes another one like it. */
export function saveParts(saving: Saving, live: PartStream, open: () => PartStream, source: object): Snapshot {
  const fresh = open()
  const { shapes, formats } = live
  fresh.prepare(shapes)
  const options = flat(source)
  // A format is data, but one that was made by a program is known there.
  const given = typeof options['format'] === 'string' ? [] : ['format']
  return makeSnapshot(saving, {
    live,
    fresh,
    options,
    given,
    format: idsIn(formats),
    about: formats,
    shape: shapes,
    keepText: true,
  })
}

/** Opens a snapshot, makes a stream of parts by its options, and sets its state. */
export function restoreParts<Made>(
  saving: Saving,
  snapshot: unknown,
  given: object | undefined,
  make: (source: Record<string, unknown>) => Made,
  streamOf: (made: Made) => PartStream,
): Made {
  const opened = openSnapshot<Record<string, unknown>>(saving, snapshot, given === undefined ? undefined : flat(given))
  const shapes = opened.shape(
    (value) => SHAPES(value) && (value as readonly unknown[]).length <= MOST_TEXTS,
  ) as readonly CallShape[]
  const made = make(unflat(opened.options))
  const stream = streamOf(made)
  opened.requireFormat(idsIn(stream.formats))
  stream.prepare(shapes)
  opened.into(stream, stream.formats)
  return made
}

function idsIn(formats: string): string {
  return formats.slice(0, formats.lastIndexOf(' '))
}
