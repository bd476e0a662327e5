// The format of a reply or a recording: by its content type, and by its first lines.
//
//     sse     event: …, id: …, : …, and data: {an object}
//     ndjson  {a known event}
//     json    [{a known event}; or a whole reply
//     text    anything else: the text of a model
//
// Raw text is recognized at the first character that nothing else could have there,
// so it doesn't wait for the end of its line. A JSON document that starts like an
// event does.

import { errorIn } from '../native/provider-error.js'
import { EVENT_FRONTS, isStreamEvent } from '../native/providers.js'
import { fieldsOf, jsonIn } from '../untrusted.js'
import { JsonValues } from './json-values.js'

/**
 * How a reply is written: `text`: the model's text; `sse`: server-sent events; `ndjson`: a JSON object on each line;
 * `json`: one JSON object, or an array of events.
 *
 * @example
 * ```ts
 * import { readReply, type Transport } from 'tokenweir'
 *
 * const transport: Transport = 'text'
 * console.log((await readReply('data: {}', { transport }).result()).text) // data: {}
 * ```
 */
export type Transport = 'text' | 'sse' | 'ndjson' | 'json'

/**
 * By what content types begin with. A server that answers in JSON does so with its errors, and with replies that it
 * doesn't stream.
 */
const CONTENT_TYPES: ReadonlyArray<readonly [type: RegExp, format: Transport]> = [
  [/^text\/event-stream/, 'sse'],
  [/^application\/(x-ndjson|ndjson|x-jsonlines|jsonlines|jsonl|stream\+json)/, 'ndjson'],
  [/^application\/(json|[\w.-]+\+json)/, 'json'],
]

/** The format is recognized within this many UTF-16 units. */
const LONGEST_HEAD = 1_048_576

/** Beyond this many units, only the end of a line can decide the format. */
const FRONT = 1_024

/** Collects the beginning of a text until its format is known. */
export class TransportFront {
  /** The text so far. */
  text = ''
  /** Whether it is that of a response that has sent nothing yet. */
  isEmpty = false

  constructor(private readonly contentType = '') {}

  /** Adds a chunk. Gives the format; undefined if more is needed. */
  read(chunk: string): Transport | undefined {
    this.text += chunk
    return this.text.length <= FRONT + chunk.length || /[\r\n]/.test(chunk) ? this.decide(false) : undefined
  }

  /** Decides by what there is, as nothing more comes. */
  finish(): Transport {
    return this.decide(true) ?? 'text'
  }

  private decide(isEnd: boolean): Transport | undefined {
    const [, said] = CONTENT_TYPES.find(([type]) => type.test(this.contentType)) ?? []
    const text = this.text.startsWith('\uFEFF') ? this.text.slice(1) : this.text
    if (said === undefined) return recognise(text, isEnd)
    const first = text.trimStart().charAt(0)
    if (first === '') return isEnd ? said : undefined
    if (first === '[') return 'json'
    if (first === '{') return said === 'ndjson' ? 'ndjson' : 'json'
    if (said === 'sse') return said
    const end = endOfLine(text, 0)
    const line = end === -1 ? text : text.slice(0, end)
    const mayBe = said === 'ndjson' && mayBeKeepAlive(line, isEnd || end !== -1)
    return !mayBe ? recognise(text, isEnd) : isEnd || end !== -1 ? said : undefined
  }
}

/** The format of an input that starts with `head`; undefined if more of it is needed. */
function recognise(head: string, isEnd: boolean): Transport | undefined {
  if (head.length > LONGEST_HEAD) return 'text'
  const text = head.trimStart()
  if (text.startsWith('[')) return ofArray(text, isEnd)
  for (let from = 0; ; ) {
    const to = endOfLine(head, from)
    if (to === -1 && !isEnd) return mayBegin(head.slice(from)) ? undefined : 'text'
    const format = formatOf(head.slice(from, to === -1 ? head.length : to).trimEnd())
    if (format !== undefined) return format
    if (to === -1) return 'text'
    from = to + 1
  }
}

/** The format of a text that begins with a bracket: its first object decides. */
function ofArray(text: string, isEnd: boolean): Transport | undefined {
  const [first] = new JsonValues().read(text)
  if (first !== undefined) return isEvent(first.text) ? 'json' : 'text'
  return isEnd || !mayBeginEvent(text.slice(1).trimStart()) ? 'text' : undefined
}

function endOfLine(text: string, from: number): number {
  const at = text.slice(from).search(/[\r\n]/)
  return at === -1 ? -1 : from + at
}

/** The format of a complete line; undefined if it could be any. */
function formatOf(line: string): Transport | undefined {
  if (line === '' || /^(event|id|retry)?:/.test(line)) return undefined
  if (line.startsWith('data:')) {
    const data = line.slice(5).trimStart()
    if (mayBeKeepAlive(data, true)) return undefined
    return data === '[DONE]' || parsed(data) !== undefined ? 'sse' : 'text'
  }
  return isEvent(line) ? 'ndjson' : 'text'
}

/** Whether a text is a provider's event, or its error. */
export function isEvent(text: string): boolean {
  const event = parsed(text)
  if (event === undefined) return false
  // A model's own answer may have a type and an error.
  return (
    isStreamEvent(event) || (errorIn(event) !== undefined && ['undefined', 'error'].includes(String(event['type'])))
  )
}

function parsed(text: string) {
  return fieldsOf(jsonIn(text))
}

const FIELDS = ['data:', 'event:', 'id:', 'retry:']

/** Whether a line that starts like this may belong to a reply of another transport than text. */
function mayBegin(line: string): boolean {
  const text = line.trimStart()
  if (text === '' || FIELDS.some((field) => field.startsWith(line))) return true
  if (line.startsWith('data:')) {
    const data = line.slice(5).trimStart()
    return /^(\{[^]*|\[?D?O?N?E?\]?)$/.test(data) || mayBeKeepAlive(data)
  }
  return /^(event|id|retry)?:/.test(line) || mayBeginEvent(text)
}

/** The keys that an event may have first, with the starts of their values: those of many, and of each provider. */
const FIRST_KEYS: Readonly<Record<string, RegExp>> = Object.assign(
  { type: /"/, id: /"/, index: /\d/, delta: /\{/, error: /[{"]/ },
  ...EVENT_FRONTS,
)

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
  return type === undefined || type === 'error' || isStreamEvent({ type })
}

/** A comment, a time, or a word that says nothing but that somebody is there, as it is or in brackets. */
const WORD = /^(:.*|\W*(ping|pong|keep[-_ ]?alive|heart[-_ ]?beat|connected)\W*)$/i
const NUMBER = /^\d{10,19}(\.\d+)?$/
const TIME = /^(\d{4}-\d\d-\d\d)?([T ]?\d{1,2}:\d\d(:\d\d)?[\d.,]*( ?[ap]m| ?[+-]\d\d:?\d\d|Z| UTC)?)?$/i
const DATE = /^\w{3},? [\w ,]*\d\d:\d\d:\d\d.*$/i
const KEEP_ALIVE = [WORD, NUMBER, TIME, DATE]

const MAY_BEGIN = /^(:.*|\W*([pkhc\d].*)?)$/i

/** A longer text is not one. */
const LONGEST = 64

/** Whether data, or a line where JSON is expected, only keeps the connection open. */
export function isKeepAlive(data: string): boolean {
  const text = data.trim()
  return text.length <= LONGEST && KEEP_ALIVE.some((form) => form.test(text))
}

/** Whether a reply may begin with such a text; before it is `whole`, whether it may become one. */
function mayBeKeepAlive(text: string, isWhole = false): boolean {
  return text.length <= LONGEST && MAY_BEGIN.test(text) && (!isWhole || isKeepAlive(text))
}

/** Names of events whose data is the model's text, if it isn't JSON. */
const OF_TEXT = /^(message|text|token|delta|chunk|content|data|completion|response|answer|)$/i

/** Whether an event's name says that it is no part of the model's text. */
export function isOwnName(name = ''): boolean {
  return !OF_TEXT.test(name)
}
