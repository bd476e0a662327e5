// Blocks from OpenAI's Responses API: stream events, and complete output items.
//
//     output_item.added (content_part.added output_text.delta* output_text.done)* output_item.done
//
// Source: platform.openai.com, "Responses", streaming events.
//
// Each content part is a block: a part of a message is text, a part of
// reasoning or of its summary is thinking. A server that sends only the `done`
// event of a part, an item or a response makes the same blocks, one chunk each.
// An item that the program must act on is a call; a tool that OpenAI runs itself is
// a call and, if there is one, its result, both `hosted`.

import { anything, flag, instance, map, maybe, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import { type BlockOrder, NativeBlock } from './order.js'
import type { Provider } from './provider.js'

interface PartKind {
  type: 'text' | 'thinking'
  /** The index field of this kind of part. */
  index: string
  /** The field with the whole text of a done part. */
  text: string
}

const PARTS = new Map<string, PartKind>([
  ['response.output_text', { type: 'text', index: 'content_index', text: 'text' }],
  ['response.refusal', { type: 'text', index: 'content_index', text: 'refusal' }],
  ['response.reasoning_summary_text', { type: 'thinking', index: 'summary_index', text: 'text' }],
  ['response.reasoning_text', { type: 'thinking', index: 'content_index', text: 'text' }],
])

/** Events of a call's input, and the field with the whole input at the end. */
const INPUTS = new Map<string, string>([
  ['response.function_call_arguments', 'arguments'],
  ['response.mcp_call_arguments', 'arguments'],
  ['response.custom_tool_call_input', 'input'],
])

/** Items that are calls, and the field with their input. */
const CALLS = new Map<unknown, string>([
  ['function_call', 'arguments'],
  ['mcp_call', 'arguments'],
  ['custom_tool_call', 'input'],
])

/** Items of other shapes that the application must act on; anything else that ends in `_call` is hosted. */
const ACTIONS: ReadonlySet<string> = new Set(['local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call', 'mcp_approval_request'])

/** Where hosted items have their result. */
const OUTPUTS = ['output', 'outputs', 'results', 'result'] as const

const KNOWN_EVENTS = /^response\.((created|queued|in_progress|completed|incomplete|failed)|(output_item|content_part|reasoning_summary_part)\.(added|done)|output_text\.annotation\.added|audio\.(transcript\.)?(delta|done)|(mcp_list_tools|image_generation_call|[a-z_]+_call)\.[a-z_]+|[a-z_]+\.(delta|done))$/

/** Items without text or calls. */
const SILENT: ReadonlySet<string> = new Set(['mcp_list_tools', 'mcp_approval_response', 'compaction', 'item_reference'])

/** The state of one output item. */
interface OutputItem {
  /** Blocks by the kind and index of their part. */
  parts: Map<string, NativeBlock>
  call: NativeBlock | undefined
  done: boolean
}

/** Reads events and items of the Responses API. */
export class ResponsesReader implements Provider {
  static get saved(): SavedClass {
    return { fields: { items: map(anything, shape<OutputItem>({ parts: map(text, instance(NativeBlock)), call: maybe(instance(NativeBlock)), done: flag })) } }
  }
  private readonly items = new Map<unknown, OutputItem>()

  constructor(private readonly order: BlockOrder) {}

  /** Whether an object has the shape of a stream event. */
  static isEvent(object: Fields): boolean {
    return stringOf(object['type']).startsWith('response.')
  }

  /** An AI SDK result has `content` too, and its `output` may throw. */
  matches(object: Fields): boolean {
    return ResponsesReader.isEvent(object) || (!('content' in object) && Array.isArray(object['output']))
  }

  feed(event: Fields): boolean {
    this.read(event)
    if (!KNOWN_EVENTS.test(stringOf(event['type']))) return false
    return event['type'] !== 'response.output_item.done' || isKnownItem(stringOf(fieldsOf(event['item'])?.['type']))
  }

  whole(reply: Fields): void {
    this.readWhole(listOf(reply['output']))
  }

  private read(event: Fields): void {
    const type = stringOf(event['type'])
    switch (type) {
      case 'response.created':
        return this.endReply()
      case 'response.output_item.added': {
        const item = fieldsOf(event['item'])
        if (item !== undefined && CALLS.has(item['type'])) this.callOf(event['output_index'], item)
        return
      }
      case 'response.output_item.done':
        if (this.items.get(event['output_index'])?.done !== true) this.readItem(event['output_index'], fieldsOf(event['item']), true)
        return
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.readWhole(listOf(fieldsOf(event['response'])?.['output']))
    }
    const dot = type.lastIndexOf('.')
    const part = PARTS.get(type.slice(0, dot))
    const input = INPUTS.get(type.slice(0, dot))
    const isDelta = type.endsWith('.delta')
    if (!isDelta && !type.endsWith('.done')) return
    if (part !== undefined) {
      const item = this.item(event['output_index'])
      const key = `${type.slice(0, dot)} ${String(event[part.index])}`
      if (isDelta) this.addToPart(item, part.type, key, stringOf(event['delta']))
      else this.endPart(item, part.type, key, stringOf(event[part.text]))
    }
    if (input !== undefined) {
      const call = this.callOf(event['output_index'], { type: type.startsWith('response.mcp_call') ? 'mcp_call' : undefined })
      if (input === 'input') call.freeform = true
      if (isDelta) this.order.append(call, argumentsOf(event['delta']))
      else this.order.append(call, call.restOf(argumentsOf(event[input])))
    }
  }

  /** Reads the output of a complete response, or the rest of a streamed one. */
  private readWhole(output: readonly unknown[]): void {
    for (const [index, item] of output.entries()) {
      if (this.items.get(index)?.done !== true) this.readItem(index, fieldsOf(item), false)
    }
    this.endReply()
  }

  /** The reply has ended: open blocks were cut off. */
  endReply(): void {
    for (const { parts, call } of this.items.values()) {
      for (const block of parts.values()) this.order.cut(block)
      if (call !== undefined) this.order.cut(call)
    }
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.items.clear()
  }

  private item(index: unknown): OutputItem {
    let item = this.items.get(index)
    if (item === undefined || item.done) this.items.set(index, (item = { parts: new Map(), call: undefined, done: false }))
    return item
  }

  /** A part's block starts with its first text. */
  private addToPart(item: OutputItem, type: 'text' | 'thinking', key: string, text: string): void {
    if (text === '') return
    let block = item.parts.get(key)
    if (block === undefined) item.parts.set(key, (block = this.order.begin(type)))
    this.order.append(block, text)
  }

  /** Ends a part. What its text has beyond the deltas is emitted. */
  private endPart(item: OutputItem, type: 'text' | 'thinking', key: string, text: string): void {
    this.addToPart(item, type, key, item.parts.get(key)?.restOf(text) ?? text)
    const block = item.parts.get(key)
    if (block !== undefined) this.order.end(block)
  }

  private callOf(index: unknown, fields: Fields): NativeBlock {
    const item = this.item(index)
    const name = stringOf(fields['name'])
    // An MCP call has only the item's id.
    const id = stringOf(fields['call_id']) || (fields['type'] === 'mcp_call' ? stringOf(fields['id']) : '')
    item.call ??= this.order.begin('tool_call', name, id, fields['type'] === 'mcp_call')
    if (fields['type'] === 'custom_tool_call') item.call.freeform = true
    this.order.identify(item.call, name, id)
    return item.call
  }

  /** Reads an item. One that is done is complete, whatever its status; in a response that ended early it may not be. */
  private readItem(index: unknown, fields: Fields | undefined, isDone: boolean): void {
    if (fields === undefined) return
    const item = this.item(index)
    const type = stringOf(fields['type'])
    if (type === 'message') this.readParts(item, listOf(fields['content']))
    if (type === 'reasoning') {
      this.readParts(item, listOf(fields['summary']))
      this.readParts(item, listOf(fields['content']))
    }
    const input = CALLS.get(type)
    if (input !== undefined) {
      const call = this.callOf(index, fields)
      this.order.append(call, call.restOf(argumentsOf(fields[input])))
      this.endCall(call, fields, isDone)
      const failed = fields['error'] !== undefined && fields['error'] !== null
      const output = failed ? fields['error'] : fields['output']
      if (type === 'mcp_call' && output !== undefined && output !== null) this.order.result(resultOf(output), call.id, failed, true)
    } else if (ACTIONS.has(type) || type.endsWith('_call')) this.readTool(type, fields, isDone)
    if (type.endsWith('_call_output')) this.order.result(resultOf(fields['output']), stringOf(fields['call_id']), false)
    for (const block of item.parts.values()) this.order.end(block)
    item.done = true
  }

  /** An item whose call is the item itself. */
  private readTool(type: string, fields: Fields, isDone: boolean): void {
    const isHosted = !ACTIONS.has(type) && fields['execution'] !== 'client'
    const id = stringOf(fields['call_id']) || stringOf(fields['id'])
    const output = isHosted ? OUTPUTS.find((name) => fields[name] !== undefined && fields[name] !== null) : undefined
    const call = this.order.begin('tool_call', type.replace(/_(call|request)$/, ''), id, isHosted)
    const rest = Object.entries(fields).filter(([name]) => !['type', 'id', 'call_id', 'status'].includes(name) && (!isHosted || !(OUTPUTS as readonly string[]).includes(name)))
    this.order.append(call, jsonOf(Object.fromEntries(rest)))
    this.endCall(call, fields, isDone)
    if (output !== undefined) this.order.result(resultOf(fields[output]), id, fields['status'] === 'failed', true)
  }

  private endCall(call: NativeBlock, { status }: Fields, isDone: boolean): void {
    if (!isDone && (status === 'incomplete' || status === 'in_progress')) this.order.cut(call)
    else this.order.end(call)
  }

  private readParts(item: OutputItem, parts: readonly unknown[]): void {
    for (const [index, value] of parts.entries()) {
      const part = fieldsOf(value)
      if (part === undefined) continue
      const name = part['type'] === 'summary_text' ? 'response.reasoning_summary_text' : `response.${stringOf(part['type'])}`
      const kind = PARTS.get(name)
      if (kind !== undefined) this.endPart(item, kind.type, `${name} ${index}`, stringOf(part[kind.text]))
    }
  }
}

function isKnownItem(type: string): boolean {
  return type === 'message' || type === 'reasoning' || SILENT.has(type) || ACTIONS.has(type) || /_call(_output)?$/.test(type)
}
