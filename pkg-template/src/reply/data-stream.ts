// The data stream of AI SDK 4: a letter or digit, a colon, JSON.
//
//     0:"Hello"    g:"Hm."    9:{"toolCallId":"c1","toolName":"add","args":{"a":1}}    d:{"finishReason":"stop"}
//
// Source: ai-sdk.dev, version 4, "Data Stream Protocol". Its lines are
// converted to parts of version 5, which `NativeBlocks` reads. Those parts mark
// the ends of texts; in a data stream a text ends where another part starts.

import { type Fields, fieldsOf } from '../untrusted.js'

type PartsOf = (value: unknown) => Fields[]

const call = (value: unknown): Fields => fieldsOf(value) ?? {}

const PARTS: Readonly<Record<string, PartsOf>> = {
  '0': (delta) => [{ type: 'text-delta', id: '0', delta }],
  g: (delta) => [{ type: 'reasoning-delta', id: '0', delta }],
  b: (value) => [{ type: 'tool-input-start', id: call(value)['toolCallId'], toolName: call(value)['toolName'] }],
  c: (value) => [{ type: 'tool-input-delta', id: call(value)['toolCallId'], delta: call(value)['argsTextDelta'] }],
  '9': (value) => [{ type: 'tool-call', ...call(value), input: call(value)['args'] }],
  a: (value) => [{ type: 'tool-result', ...call(value), output: call(value)['result'] }],
  '3': (error) => [{ type: 'error', error }],
  e: (value) => [{ ...call(value), type: 'finish-step' }],
  d: (value) => [{ ...call(value), type: 'finish' }],
}

const LINE = /^([0-9a-k]):(.+)$/

/** Whether a line belongs to a data stream. */
export function isDataLine(line: string): boolean {
  const [, code = '', json = ''] = LINE.exec(line) ?? []
  if (code === '') return false
  try {
    const value: unknown = JSON.parse(json)
    return '03gj'.includes(code) ? typeof value === 'string' : typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Reads a data stream line by line. */
export class DataStream {
  /** The kind of text that is open. */
  #open: 'text' | 'reasoning' | undefined

  /** The parts of a line; undefined if the line is invalid. @throws SyntaxError if its JSON is malformed. */
  read(line: string): Fields[] | undefined {
    const [, code = '', json = ''] = LINE.exec(line) ?? []
    if (code === '') return undefined
    const value: unknown = JSON.parse(json)
    const partsOf = PARTS[code]
    // Data, annotations, sources, files and signatures contain no text of the model.
    if (partsOf === undefined) return []
    const kind = code === '0' ? 'text' : code === 'g' ? 'reasoning' : undefined
    const ended = this.#open !== undefined && this.#open !== kind ? [{ type: `${this.#open}-end`, id: '0' }] : []
    this.#open = kind
    return [...ended, ...partsOf(value)]
  }
}
