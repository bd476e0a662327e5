// Detects the format of an input from its first lines.
//
//     sse          event: …, id: …, : …, and data: {a known event}
//     jsonl        {a known event}
//     data-stream  0:"text"        (AI SDK 4)
//     raw          anything else
//
// Raw text is recognized at the first character that no recording could have
// there, so it doesn't wait for the end of its line. A JSON document that starts
// like an event does.

import { fieldsOf } from '../../untrusted.js'
import { isDataLine } from './data-stream.js'
import { errorOf, isEventType, providerOf } from './provider.js'

/** The input formats. */
export const FORMATS = ['raw', 'sse', 'jsonl', 'data-stream'] as const

/** An input format. */
export type Format = (typeof FORMATS)[number]

/** A recording is recognized within this many UTF-16 units. */
const LONGEST_HEAD = 1_048_576

/** The format of an input that starts with `head`; undefined if more of it is needed. */
export function recognise(head: string, isEnd: boolean): Format | undefined {
  if (head.length > LONGEST_HEAD) return 'raw'
  for (let from = 0; ; ) {
    const to = head.indexOf('\n', from)
    if (to === -1 && !isEnd) return mayBegin(head.slice(from)) ? undefined : 'raw'
    const format = formatOf(head.slice(from, to === -1 ? head.length : to).trimEnd())
    if (format !== undefined) return format
    if (to === -1) return 'raw'
    from = to + 1
  }
}

/** The format of a complete line; undefined if it could be any. */
function formatOf(line: string): Format | undefined {
  if (line === '' || /^(event|id|retry)?:/.test(line)) return undefined
  if (line.startsWith('data:')) return line.slice(5).trim() === '[DONE]' || isEvent(line.slice(5)) ? 'sse' : 'raw'
  if (isDataLine(line)) return 'data-stream'
  return isEvent(line) ? 'jsonl' : 'raw'
}

function isEvent(text: string): boolean {
  try {
    const event = fieldsOf(JSON.parse(text))
    return event !== undefined && (providerOf(event) !== undefined || errorOf(event) !== undefined)
  } catch {
    return false
  }
}

const FIELDS = ['data:', 'event:', 'id:', 'retry:']

/** Whether a line that starts like this may belong to a recording. */
function mayBegin(line: string): boolean {
  const text = line.trimStart()
  if (text === '' || FIELDS.some((field) => field.startsWith(line))) return true
  if (line.startsWith('data:')) return mayBeginEvent(line.slice(5).trimStart())
  return /^(event|id|retry)?:/.test(line) || /^[0-9a-k](:(["{[].*)?)?$/.test(line) || mayBeginEvent(text)
}

/** The keys that an event may have first, with the starts of their values. */
const FIRST_KEYS: Readonly<Record<string, RegExp>> = {
  type: /"/,
  id: /"/,
  object: /"/,
  model: /"/,
  provider: /"/,
  choices: /\[/,
  error: /[{"]/,
  response: /\{/,
  message: /\{/,
  delta: /\{/,
  content_block: /\{/,
  usage: /\{/,
  created: /\d/,
  index: /\d/,
  sequence_number: /\d/,
}

function mayBeginEvent(text: string): boolean {
  if (text === '' || '[DONE]'.startsWith(text)) return true
  const front = /^\{\s*(?:"(\w*)(?:(")\s*(?::\s*(\S[^]*)?)?)?)?$/.exec(text)
  if (front === null) return false
  const [, key, isWhole, value] = front
  if (key === undefined) return true
  if (isWhole === undefined) return Object.keys(FIRST_KEYS).some((known) => known.startsWith(key))
  const first = FIRST_KEYS[key]
  if (first === undefined || !Object.hasOwn(FIRST_KEYS, key)) return false
  if (value === undefined) return true
  if (!first.test(value.charAt(0))) return false
  const type = key === 'type' ? /^"([^"\\]*)"/.exec(value)?.[1] : undefined
  return type === undefined || isEventType(type)
}
