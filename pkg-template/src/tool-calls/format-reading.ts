// How text is read by wire formats.

import { FormatStart } from '../generated/ops.js'
import { encodeFormat } from '../formats/encode.js'
import { THINKING_ROW } from '../formats/readable.js'
import type { Format } from '../formats/types.js'
import { StreamReader } from '../stream-reader.js'
import { checksum } from '../hash.js'
import { formatSession } from '../wasm/formats.js'
import { CallDecoder } from './decoder.js'
import { CallEmitter } from './emitter.js'
import type { TextReading } from './part-stream.js'

/** Reads formats; `prefill` is how the prompt ended. */
export function formatReading(formats: readonly Format[], prefill: string | undefined): TextReading {
  return {
    get formats() {
      return (
        `${formats.flatMap(({ id }) => (id === THINKING_ROW ? [] : [id])).join(' ')} ` +
        `${checksum(JSON.stringify([formats.map(digestOf), prefill]))}`
      )
    },
    hasTags: formats.some(({ call, repairs }) => hasToolTags(call) || repairs?.includes('bare-name') === true),
    open(catalogue, options, writer, isFirst) {
      const rows = formats.map(encodeFormat)
      const calls = new CallEmitter(formats, catalogue, options, writer)
      const skipsCode = options.fences === 'text'
      const start = isFirst
        ? options.startWithThinking
          ? FormatStart.Reasoning
          : startOf(formats, prefill)
        : FormatStart.Text
      const seeks = options.reasoning !== 'search'
      const session = formatSession({ rows, names: catalogue.tagNames, start, seeks, skipsCode })
      const reader = new StreamReader(session, new CallDecoder(calls, rows, seeks, skipsCode), options.maxPending)
      const header = isFirst ? openMessage(formats, prefill) : ''
      if (header !== '') {
        // What the prompt began is read first, and nothing of it comes out.
        calls.isMuted = true
        reader.read(header)
        calls.isMuted = false
      }
      return { calls, reader, passed: header.length }
    },
  }
}

/** Whether the tags of calls are the names of tools. */
function hasToolTags(call: Format['call']): boolean {
  return (call?.body === 'elements' || call?.body === 'yaml') && (call.open ?? []).length === 0
}

/** Where a stream starts after a prompt, and in which row's reasoning. */
function startOf(formats: readonly Format[], prefill: string | undefined): number {
  const last = (markers: readonly string[] | undefined) =>
    Math.max(-1, ...(markers ?? []).map((marker) => lastPlace(prefill ?? '', marker)))
  const row = formats.findIndex(({ reasoning }) =>
    prefill === undefined ? reasoning?.prefilled === 'always' : last(reasoning?.open) > last(reasoning?.close),
  )
  return row === -1 ? FormatStart.Turn : FormatStart.Reasoning + ((row + 1) << 8)
}

/** The message that a prompt ended in, from its header on; empty if it ended in none. */
function openMessage(formats: readonly Format[], prefill = ''): string {
  const from = Math.max(
    -1,
    ...formats.flatMap(({ messages }) => (messages?.open ?? []).map((marker) => prefill.lastIndexOf(marker))),
  )
  return from < 0 ? '' : prefill.slice(from)
}

/** Where a marker begins for the last time, or -1. */
function lastPlace(text: string, marker: string): number {
  const [before, after] = marker.split('{suffix}')
  if (after === undefined) return text.lastIndexOf(marker)
  let last = -1
  const escape = (part: string) => part.replace(/[^\w]/g, '\\$&')
  for (const { index } of text.matchAll(
    new RegExp(`${escape(before as string)}(?::[A-Za-z0-9]+)?${escape(after)}`, 'g'),
  ))
    last = index
  return last
}

const digests = new WeakMap<Format, string>()

/** A checksum of a row, which is made once. */
function digestOf(format: Format): string {
  let digest = digests.get(format)
  if (digest === undefined) digests.set(format, (digest = checksum(encodeFormat(format).join())))
  return digest
}
