// The data stream of AI SDK 4: a letter or digit, a colon, JSON.
//
//     0:"Hello"    g:"Hm."    9:{"toolCallId":"c1","toolName":"add","args":{"a":1}}    d:{"finishReason":"stop"}
//
// Source: ai-sdk.dev, version 4, "Data Stream Protocol". What it tells is said
// again as parts of version 5, which `NativeBlocks` reads. There text has ends,
// here it ends where something else begins.

import { type Fields, fieldsOf } from '../../native/fields.js'

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
  e: () => [{ type: 'finish-step' }],
  d: () => [{ type: 'finish' }],
}

const LINE = /^([0-9a-k]):(.+)$/

/** Whether a line is one of such a stream. */
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

/** Reads such a stream line by line. */
export class DataStream {
  /** Which running text is open. */
  #open: 'text' | 'reasoning' | undefined

  /** The parts of a line; undefined if it is none. @throws SyntaxError if its JSON can't be read. */
  read(line: string): Fields[] | undefined {
    const [, code = '', json = ''] = LINE.exec(line) ?? []
    if (code === '') return undefined
    const value: unknown = JSON.parse(json)
    const partsOf = PARTS[code]
    // Data, annotations, sources, files and signatures: nothing in them is the model's text.
    if (partsOf === undefined) return []
    const kind = code === '0' ? 'text' : code === 'g' ? 'reasoning' : undefined
    const ended = this.#open !== undefined && this.#open !== kind ? [{ type: `${this.#open}-end`, id: '0' }] : []
    this.#open = kind
    return [...ended, ...partsOf(value)]
  }
}
