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
    open(catalogue, options, writer, isFirst) {
      const rows = formats.map(encodeFormat)
      const calls = new CallEmitter(formats, catalogue, options, writer)
      const skipsCode = options.fences === 'text'
      const { start, begun } = isFirst
        ? options.startWithThinking
          ? { start: FormatStart.Reasoning, begun: '' }
          : startOf(formats, prefill)
        : { start: FormatStart.Text, begun: '' }
      const seeks = options.reasoning !== 'search'
      const session = formatSession({ rows, names: catalogue.names, start, seeks, skipsCode })
      const reader = new StreamReader(session, new CallDecoder(calls, rows, seeks, skipsCode), options.maxPending)
      if (begun !== '') calls.silently(() => reader.read(begun), begun.length)
      return { calls, reader, passed: begun.length }
    },
  }
}

/** Where a stream starts after a prompt, perhaps in a row's reasoning, and what the prompt has of the reply from there on. */
function startOf(formats: readonly Format[], prefill: string | undefined): { start: number; begun: string } {
  const last = (markers: readonly string[] | undefined) =>
    (markers ?? []).map((marker) => lastPlace(prefill ?? '', marker)).reduce(later, NOWHERE)
  const opened = formats.map(({ reasoning }) => ({ open: last(reasoning?.open), close: last(reasoning?.close) }))
  const row = formats.findIndex(({ reasoning }, at) =>
    prefill === undefined
      ? reasoning?.prefilled === 'always'
      : (opened[at]?.open.from ?? -1) > (opened[at]?.close.from ?? -1),
  )
  const start = row === -1 ? FormatStart.Turn : FormatStart.Reasoning + ((row + 1) << 8)
  const message = openMessage(formats, prefill)
  if (prefill === undefined || message !== '') return { start, begun: message }
  const { open = NOWHERE } = opened[row] ?? {}
  // A reply may echo the marker.
  if (row !== -1 && prefill.slice(open.to).trim() === '') return { start, begun: '' }
  const reply = prefill.slice(
    [...prefill.matchAll(HEADER)].map(({ 0: { length }, index }) => index + length).at(-1) ?? 0,
  )
  const from = prefill.length - reply.trimStart().length
  // Whatever stands before a marker of thinking that is not the reply's first, is the prompt's.
  if (row !== -1 && open.from > from) return { start, begun: prefill.slice(open.to) }
  return { start: FormatStart.Turn, begun: reply }
}

/** What the templates of chat models write before a reply. */
const HEADER =
  /<[|｜]?\w+[|｜]?>\s*(?:assistant|model)\b(?:<[|｜]\w+[|｜]>)?\s*|\[\/INST\]\s*|<[|｜](?:assistant|bot|chatbot_token)[|｜]>\s*|(?:^|\n)assistant\s*:\s*/gi

/** The message that a prompt ended in, from its header on; empty if it ended in none. */
function openMessage(formats: readonly Format[], prefill = ''): string {
  const from = Math.max(
    -1,
    ...formats.flatMap(({ messages }) => (messages?.open ?? []).map((marker) => prefill.lastIndexOf(marker))),
  )
  return from < 0 ? '' : prefill.slice(from)
}

interface MarkerPlace {
  readonly from: number
  readonly to: number
}

const NOWHERE: MarkerPlace = { from: -1, to: 0 }

const later = (one: MarkerPlace, other: MarkerPlace) => (other.from > one.from ? other : one)

/** Where a marker stands for the last time. */
function lastPlace(text: string, marker: string): MarkerPlace {
  const [before = '', after] = marker.split('{suffix}')
  const escape = (part: string) => part.replace(/[^\w]/g, '\\$&')
  const pattern = after === undefined ? escape(before) : `${escape(before)}(?::[A-Za-z0-9]+)?${escape(after)}`
  const places = [...text.matchAll(new RegExp(pattern, 'g'))]
  return places.map(({ 0: { length }, index }) => ({ from: index, to: index + length })).reduce(later, NOWHERE)
}

const digests = new WeakMap<Format, string>()

/** A checksum of a row, which is made once. */
function digestOf(format: Format): string {
  let digest = digests.get(format)
  if (digest === undefined) digests.set(format, (digest = checksum(encodeFormat(format).join())))
  return digest
}
