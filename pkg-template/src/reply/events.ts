// The events in the text of a reply or a recording, each as soon as it is complete.

import { type EventSourceMessage, createParser } from 'eventsource-parser'
import { ParseError } from '../errors.js'
import { errorIn } from '../native/provider-error.js'
import { type Fields, fieldsOf, jsonIn, jsonOrText } from '../untrusted.js'
import { JsonValues } from './json-values.js'
import { type Line, Lines } from './lines.js'
import { type Transport, isEvent, isKeepAlive, isOwnName } from './transport.js'

export interface SentEvent {
  /** Its object; or text, in server-sent events without JSON. */
  readonly event: Fields | string
  /** The line where it starts, from 1. */
  readonly line: number
  /** The id that the server gave it, where it has one. */
  readonly id?: string | undefined
  /** It is the whole text, and no error: a reply that was not streamed. */
  readonly isWhole?: true
  /** `[DONE]`: the stream says that the reply is over. */
  readonly isEnd?: true
  /** It isn't JSON, and says nothing: a keep-alive, for one. */
  readonly isIgnored?: true
  /** The reply ends with what isn't JSON: an error, unless the reply is over. */
  readonly fault?: ParseError
}

/** Reads the text of a reply, chunk by chunk. */
export interface EventDecoder {
  /** The events that are complete. @throws ParseError `malformed-reply`. */
  read(chunk: string): Iterable<SentEvent>
  /** The events that the end of the reply completes. @throws ParseError `malformed-reply`. */
  finish(): Iterable<SentEvent>
}

/** The decoder of a format. `what` is read, in the words of errors: reply, or recording. */
export function eventDecoder(format: Exclude<Transport, 'text'>, what: string): EventDecoder {
  const reader = new JsonReader(what)
  if (format === 'sse') return new ServerSentEvents(reader)
  if (format === 'json') return new JsonText(reader)
  return new JsonLines(reader)
}

const NONE: readonly SentEvent[] = []

/** Whether data can be nothing but JSON. */
const isJson = (data: string) => /^\s*[{[]/.test(data) && !isKeepAlive(data)

/** Reads JSON objects, and says where one is malformed. */
class JsonReader {
  /** What is wrong with the last data that is not JSON, if nothing has followed it. */
  #stray: ParseError | undefined

  constructor(readonly what: string) {}

  line({ text, number }: Line): readonly SentEvent[] {
    if (text.trim() === '') return NONE
    return [isJson(text) ? { event: this.object(text, number), line: number } : this.ignored(text, number)]
  }

  object(text: string, line: number): Fields {
    const event = fieldsOf(this.parsed(text, line))
    if (event === undefined) throw this.fault(line, `must be a JSON object, but is ${quote(text)}`)
    this.#stray = undefined
    return event
  }

  /** The event of data that is not JSON. Only a keep-alive may be the last one. */
  ignored(data: string, line: number, name?: string): SentEvent {
    const event = { ...(name !== undefined && { event: name }), data }
    if (!isOwnName(name) && !isKeepAlive(data)) this.#stray = this.fault(line, `is not valid JSON: ${quote(data)}`)
    return { event, line, isIgnored: true }
  }

  /** The reply is over, and whatever comes is ignored; or it ends, and the last data was not JSON. */
  finish(isOver: boolean): readonly SentEvent[] {
    return this.#stray === undefined || isOver ? NONE : [{ event: '', line: 0, fault: this.#stray }]
  }

  parsed(text: string, line: number): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw this.fault(line, `is not valid JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`)
    }
  }

  fault(line: number, fault: string): ParseError {
    return new ParseError('malformed-reply', `line ${line} of the ${this.what} ${fault}`)
  }
}

class JsonLines implements EventDecoder {
  readonly #lines = new Lines()

  constructor(private readonly reader: JsonReader) {}

  *read(chunk: string): Generator<SentEvent> {
    for (const line of this.#lines.read(chunk)) yield* this.reader.line(line)
  }

  *finish(): Generator<SentEvent> {
    for (const line of this.#lines.finish()) yield* this.reader.line(line)
    yield* this.reader.finish(false)
  }
}

class JsonText implements EventDecoder {
  readonly #values = new JsonValues()
  /** The first object outside of an array, until it is known whether it is all. */
  #first: { readonly event: Fields; readonly line: number } | undefined
  #isFirst = true

  constructor(private readonly reader: JsonReader) {}

  *read(chunk: string): Generator<SentEvent> {
    for (const { text, number } of this.#values.read(chunk)) {
      const event = { event: this.reader.object(text, number), line: number }
      const first = this.#first
      this.#first = this.#isFirst && !this.#values.isArray ? event : undefined
      this.#isFirst = false
      if (first !== undefined) yield first
      if (this.#first === undefined) yield event
    }
  }

  *finish(): Generator<SentEvent> {
    for (const { text, number } of this.#values.finish())
      yield { event: this.reader.object(text, number), line: number }
    const first = this.#first
    if (first !== undefined) yield errorIn(first.event) === undefined ? { ...first, isWhole: true } : first
  }
}

/** What a line of server-sent events begins with; a comment with nothing. Other fields are ignored, as WHATWG says. */
const FIELDS: readonly string[] = ['', 'data', 'event', 'id', 'retry']

/** So many events of text are held, until it is known that no JSON follows them. */
const MOST_HELD = 4

/** An event that ends with one of these, without an end of the line, was cut off. */
const CUT = /^(d(a(t(a:? ?)?)?)?|e(v(e(n(t(:.*)?)?)?)?)?)$/

class ServerSentEvents implements EventDecoder {
  readonly #lines = new Lines()
  #messages: EventSourceMessage[] = []
  readonly #parser = createParser({ onEvent: (message) => this.#messages.push(message) })
  /** The line where the open event's data begins; 0 outside. */
  #begin = 0
  /** Whether the open event has a name. */
  #isNamed = false
  #last = 0
  /** Whether there was a line that belongs to the format, and the first one that doesn't. */
  #isKnown = false
  #other: Line | undefined
  /** Whether the data is text, not JSON: the first JSON decides, or the last text that is held. */
  #isText: boolean | undefined
  #held: SentEvent[] = []
  #isOver = false
  #ignored = 0

  constructor(private readonly reader: JsonReader) {}

  *read(chunk: string): Generator<SentEvent> {
    for (const line of this.#lines.read(chunk)) for (const event of this.#eventsIn(line)) yield event
  }

  *finish(): Generator<SentEvent> {
    const [line] = this.#lines.finish()
    if (line !== undefined) yield* this.#eventsIn(line)
    const isCut = (this.#isNamed && this.#begin === 0) || CUT.test(line?.text ?? '')
    // A text that has nothing of the format is an answer of something else, such as a page with an error.
    if (!this.#isKnown && this.#other !== undefined)
      throw this.reader.fault(this.#other.number, `is not a server-sent event: ${quote(this.#other.text)}`)
    if (isCut) throw this.reader.fault(this.#last, `is cut off: ${quote(line?.text ?? 'the event has no data')}`)
    // The last event need not be followed by an empty line.
    yield* this.#eventsIn({ text: '', number: this.#last })
    yield* this.#release()
    yield* this.reader.finish(this.#isOver)
    if (this.#isText === undefined && this.#ignored > 0)
      throw this.reader.fault(this.#last, 'is the last one, and none has JSON or text')
  }

  /** The event that a line ends, if it ends one. */
  #eventsIn({ text, number }: Line): readonly SentEvent[] {
    this.#last = number
    const field = text.split(':', 1)[0] as string
    if (field === 'data') this.#begin ||= number
    else if (field === 'event') this.#isNamed = true
    if (text !== '') {
      if (FIELDS.includes(field)) this.#isKnown = true
      else if (text.startsWith('{')) return this.#bareError(text, number)
      // A page with an error, in the middle of a reply too.
      else if (text.startsWith('<')) throw this.reader.fault(number, `is not a server-sent event: ${quote(text)}`)
      else this.#other ??= { text, number }
    }
    this.#parser.feed(`${text}\n`)
    if (text === '') this.#isNamed = false
    const messages = this.#messages
    if (messages.length === 0) return NONE
    this.#messages = []
    const line = this.#begin
    this.#begin = 0
    return messages.flatMap(({ data, event, id }) => {
      const events = this.#read(data, event, line)
      return id === undefined ? events : events.map((sent) => ({ ...sent, id }))
    })
  }

  #read(data: string, name: string | undefined, line: number): readonly SentEvent[] {
    if (data.trim() === '[DONE]') {
      this.#isOver = true
      return [...this.#release(), { event: '', line, isEnd: true }]
    }
    if (name === 'error') return [...this.#release(), { event: errorOf(data), line }]
    if (this.#isJson(data)) {
      const held = this.#held.map(({ event: text, line }) => this.#ignore(text as string, line))
      const event = this.reader.object(data, line)
      this.#held = []
      this.#isText = false
      return [...held, { event, line }]
    }
    const text = /^\s*"/.test(data) ? textOf(data) : data
    const isStart = this.#isText === undefined && this.#held.length === 0
    if (this.#isText === false || isOwnName(name) || this.#isOver || (isStart && isKeepAlive(text)))
      return [this.#ignore(text, line, name)]
    this.#held.push({ event: text, line })
    return this.#isText === true || this.#held.length > MOST_HELD ? this.#release() : NONE
  }

  /** Whether data is the JSON of an event: after text, only if a provider has such an event. */
  #isJson(data: string): boolean {
    const isSure = this.#isText === false || (this.#isText === undefined && this.#held.length === 0)
    return isJson(data) && (isSure || isEvent(data))
  }

  #ignore(text: string, line: number, name?: string): SentEvent {
    this.#ignored++
    return this.reader.ignored(text, line, name)
  }

  /** What is held is text. */
  #release(): readonly SentEvent[] {
    const held = this.#held
    this.#held = []
    if (held.length > 0) this.#isText = true
    return held
  }

  /** Some servers send an error as it would be without a stream: an object on a line of its own. */
  #bareError(text: string, line: number): readonly SentEvent[] {
    const event = objectIn(text)
    if (event !== undefined && errorIn(event) !== undefined) return [{ event, line }]
    this.#other ??= { text, number: line }
    return NONE
  }
}

/** The event of data whose name says that it is an error, whatever it is. */
function errorOf(data: string): Fields {
  const event = objectIn(data)
  if (event === undefined) return { type: 'error', error: textOf(data) }
  if (errorIn(event) !== undefined) return event
  return event['type'] === undefined ? { ...event, type: 'error' } : { type: 'error', error: event }
}

/** The object that a text is as JSON, if it is one. */
function objectIn(text: string): Fields | undefined {
  return fieldsOf(jsonIn(text))
}

/** The text of a JSON string; anything else as it is. */
function textOf(data: string): string {
  const text = jsonOrText(data)
  return typeof text === 'string' ? text : data
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
