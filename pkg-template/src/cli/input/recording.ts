// The events of a recording, with their line numbers.

import { type EventSourceMessage, type ParseError, createParser } from 'eventsource-parser'
import { CliError, INPUT } from '../cli-error.js'
import { type Fields, fieldsOf } from '../../untrusted.js'
import { DataStream } from './data-stream.js'
import { oneLine } from './files.js'
import { type Line, linesOf } from './lines.js'
import type { Format } from './recognise.js'

/** An event as a provider sent it. */
export interface RecordedEvent {
  readonly event: Fields
  /** The line where it starts, from 1. */
  readonly line: number
}

/** The events of a recording, each as soon as it is complete. */
export function eventsOf(pieces: AsyncIterable<string>, format: Exclude<Format, 'raw'>): AsyncGenerator<RecordedEvent, void, undefined> {
  const lines = linesOf(pieces)
  if (format === 'sse') return serverSentEvents(lines)
  return format === 'jsonl' ? jsonLines(lines) : dataStream(lines)
}

async function* serverSentEvents(lines: AsyncIterable<Line>): AsyncGenerator<RecordedEvent, void, undefined> {
  let messages: EventSourceMessage[] = []
  let fault: ParseError | undefined
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onError: (error) => (fault ??= error),
  })
  let begin = 0
  let last = 0
  function* emitted(): Generator<RecordedEvent, void, undefined> {
    for (const { data } of messages) if (data.trim() !== '[DONE]') yield { event: eventOf(data, begin), line: begin }
    if (messages.length > 0) begin = 0
    messages = []
  }
  for await (const { text, number } of lines) {
    last = number
    if (begin === 0 && text.startsWith('data')) begin = number
    parser.feed(`${text}\n`)
    if (fault !== undefined) throw new CliError(INPUT, `line ${number} of the recording is not a server-sent event: ${quote(text)}`)
    yield* emitted()
  }
  // A recording need not end in an empty line.
  if (begin === 0) begin = last
  parser.feed('\n')
  yield* emitted()
}

async function* jsonLines(lines: AsyncIterable<Line>): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const { text, number } of lines) {
    if (text.trim() !== '') yield { event: eventOf(text, number), line: number }
  }
}

async function* dataStream(lines: AsyncIterable<Line>): AsyncGenerator<RecordedEvent, void, undefined> {
  const stream = new DataStream()
  for await (const { text, number } of lines) {
    if (text.trim() === '') continue
    const parts = parsed(number, () => stream.read(text))
    if (parts === undefined) throw new CliError(INPUT, `line ${number} of the recording is not a data-stream line: ${quote(text)}`)
    for (const event of parts) yield { event, line: number }
  }
}

function eventOf(text: string, line: number): Fields {
  const event = fieldsOf(parsed(line, () => JSON.parse(text)))
  if (event === undefined) throw new CliError(INPUT, `line ${line} of the recording must be a JSON object, but is ${quote(text)}`)
  return event
}

function parsed<Value>(line: number, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new CliError(INPUT, `line ${line} of the recording is not valid JSON: ${oneLine(error)}`)
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
