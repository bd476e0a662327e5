// Blocks from OpenAI's Responses API: stream events, and complete output items.
//
//     output_item.added (content_part.added output_text.delta* output_text.done)* output_item.done
//
// Source: platform.openai.com, "Responses", streaming events.
//
// Each content part is a block: a part of a message is text, a part of
// reasoning or of its summary is thinking. A server that sends only the `done`
// event of a part, an item or a response makes the same blocks, one chunk each. What a
// finished item has again is compared with what its deltas said, wherever they stood in it.
// An item that the program must act on is a call; a tool that OpenAI runs itself is
// a call and, if there is one, its result, both `hosted`.

import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import { NativeBlock } from './block.js'
import { type BlockOrder, ReplyDraft } from './order.js'
import { Places } from './places.js'
import type { Provider, ProviderReader, Draft, Keep, MessageDraft } from './provider.js'
import { partsIn, textIn } from './said.js'
import { Thoughts } from './thoughts.js'

/** Events of texts. */
const PARTS = /^response\.(output_text|refusal|reasoning(?:_summary)?(?:_text)?)\.(?:delta|done)$/

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
const ACTIONS: ReadonlySet<string> = new Set([
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
  'mcp_approval_request',
])

/** Where a shell runs that is the provider's: another one is the program's. */
const CONTAINERS = /^container_/

/** Ids, and names where the model is xAI's, of custom tools that xAI runs itself. */
const XAI_ID = /^xs_call_/
const XAI_NAMES =
  /^(x_(keyword|semantic|user)_search|x_thread_fetch|view_image|view_x_video|web_search(_with_snippets)?|browse_page|code_execution)$/

/** Where hosted items have their result. */
const OUTPUTS = ['output', 'outputs', 'results', 'result'] as const

const KNOWN_EVENTS = [
  /^response\.(created|queued|in_progress|completed|incomplete|failed|output_text\.annotation\.added)$/,
  /^response\.((output_item|content_part|reasoning_summary_part)\.(added|done)|audio\.(transcript\.)?(delta|done))$/,
  /^response\.((mcp_list_tools|image_generation_call|[a-z_]+_call)\.[a-z_]+|[a-z_]+\.(added|delta|done))$/,
]

/**
 * Items that are calls, of OpenAI's own tools if they aren't actions; a program of the model's that calls tools is one.
 */
const HOSTED = /(_call|^program)$/

/** Items that are the output of a call. */
const OUTPUT = /_output$/

/** Items without text or calls. */
const SILENT: ReadonlySet<string> = new Set(['mcp_list_tools', 'mcp_approval_response', 'compaction', 'item_reference'])

/** The state of one output item. */
interface OutputItem {
  id: string
  /** Blocks by the kind and index of their part. */
  parts: Map<string, NativeBlock>
  /** What was said so far of text and of thinking, until it is done. */
  readonly said: Map<string, Thoughts>
  call: NativeBlock | undefined
  done: boolean
}

/** Reads events and items of the Responses API. */
class ResponsesReader implements ProviderReader {
  private readonly items = new Places<OutputItem>()
  /** Whether the model is one of xAI's. */
  private isXai = false

  constructor(private readonly order: BlockOrder) {}

  feed(event: Fields): boolean {
    this.read(event)
    const type = stringOf(event['type'])
    if (!KNOWN_EVENTS.some((known) => known.test(type))) return false
    return type !== 'response.output_item.done' || isKnownItem(stringOf(fieldsOf(event['item'])?.['type']))
  }

  whole(reply: Fields): void {
    this.readModel(reply)
    const output = listOf(reply['output'])
    const answered = new Set(
      output
        .map((item) => fieldsOf(item))
        .filter((item) => OUTPUT.test(stringOf(item?.['type'])))
        .map((item) => stringOf(item?.['call_id'])),
    )
    for (const [index, each] of output.entries()) {
      const fields = fieldsOf(each)
      const status = fields?.['status']
      const isDone = status !== 'incomplete' && (status !== 'in_progress' || reply['status'] === 'completed')
      this.readItem(this.open('', index), fields, isDone, answered)
    }
    this.endReply()
  }

  private read(event: Fields): void {
    const type = stringOf(event['type'])
    switch (type) {
      case 'response.created':
        this.endReply()
        this.order.startReply()
        return this.readModel(fieldsOf(event['response']))
      case 'response.output_item.added': {
        const fields = fieldsOf(event['item'])
        const id = stringOf(fields?.['id'])
        const item = this.items.known(id) ?? this.open(id, event['output_index'])
        if (fields !== undefined && CALLS.has(fields['type'])) this.callOf(item, fields)
        return
      }
      case 'response.output_item.done': {
        const fields = fieldsOf(event['item'])
        const id = stringOf(fields?.['id'])
        const before = this.items.find(id, event['output_index'])
        if (before?.done === true && (id === '' || id === before.id)) return
        return this.readItem(this.itemAt(id, event['output_index']), fields, true)
      }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.complete(fieldsOf(event['response']) ?? {})
    }
    const [, form] = PARTS.exec(type) ?? []
    const input = INPUTS.get(type.slice(0, type.lastIndexOf('.')))
    const isDelta = type.endsWith('.delta')
    if (!isDelta && !type.endsWith('.done')) return
    if (form === undefined && input === undefined) return
    const item = this.itemAt(stringOf(event['item_id']), event['output_index'])
    if (form !== undefined) {
      const key = `${form} ${String(event['summary_index'] ?? event['content_index'])}`
      const { text } = textIn(isDelta ? event['delta'] : (event['text'] ?? event['refusal']))
      if (isDelta) this.addToPart(item, form, key, text)
      else this.endPart(item, form, key, text)
    }
    if (input !== undefined) {
      const call = this.callOf(item, { type: type.startsWith('response.mcp_call') ? 'mcp_call' : undefined })
      if (input === 'input') call.freeform = true
      if (isDelta) this.order.append(call, argumentsOf(event['delta']))
      else this.order.append(call, call.pieces.restOf(argumentsOf(event[input])))
    }
  }

  /** The response at the end, which has all of it again. */
  private complete(response: Fields): void {
    const draft = new ReplyDraft()
    const reader = new ResponsesReader(draft)
    reader.isXai = this.isXai
    reader.whole(response)
    this.order.complete(draft.blocks)
    // Some servers leave out the ends of items, and what they were.
    if (response['status'] === 'completed')
      for (const { call } of this.items) if (call?.isWhole === true) this.order.end(call)
    this.endReply()
  }

  private readModel(response: Fields | undefined): void {
    if (response !== undefined && typeof response['model'] === 'string')
      this.isXai = response['model'].startsWith('grok')
  }

  /** The reply has ended: open blocks were cut off. */
  endReply(): void {
    for (const { parts, call } of this.items) {
      for (const block of parts.values()) this.order.cut(block)
      if (call !== undefined) this.order.cut(call)
    }
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.items.clear()
    this.isXai = false
  }

  /** The item of a delta. Only `added` begins one by its id, since some servers have another id in each event. */
  private itemAt(id: string, index: unknown): OutputItem {
    const item = this.items.find(id, index)
    return item === undefined || (item.done && item !== this.items.known(id)) ? this.open(id, index) : item
  }

  private open(id: string, index: unknown): OutputItem {
    const item: OutputItem = { id, parts: new Map(), said: new Map(), call: undefined, done: false }
    this.items.put(id, index, item)
    return item
  }

  /** A part's block starts with its first text. What another form of it has said is not said again. */
  private addToPart(item: OutputItem, form: string, key: string, text: string): void {
    const type = form.startsWith('reasoning') ? 'thinking' : 'text'
    const fresh = saidOf(item, type).take(form, text, form.includes('summary'))
    if (fresh === '') return
    let block = item.parts.get(key)
    if (block === undefined) item.parts.set(key, (block = this.order.begin(type)))
    this.order.append(block, fresh)
  }

  /** Ends a part. What its text has beyond the deltas is emitted; those of some servers have another index. */
  private endPart(item: OutputItem, form: string, key: string, text: string): void {
    const isThat = ([at, { state, pieces }]: [string, NativeBlock]) =>
      at.startsWith(`${form} `) && state === 'begun' && (pieces.is(text) || pieces.restOf(text) !== '')
    const block = item.parts.get(key) ?? [...item.parts].find(isThat)?.[1]
    if (block !== undefined) item.parts.set(key, block)
    if (block !== undefined && block.state !== 'begun') return
    this.addToPart(item, form, key, block?.pieces.restOf(text) ?? text)
    const ended = item.parts.get(key)
    if (ended !== undefined) this.order.end(ended)
  }

  private callOf(item: OutputItem, fields: Fields): NativeBlock {
    const name = stringOf(fields['name'])
    // An MCP call has only the item's id.
    const id = stringOf(fields['call_id']) || (fields['type'] === 'mcp_call' ? stringOf(fields['id']) : '')
    item.call ??= this.order.begin(
      'tool_call',
      name,
      id,
      fields['type'] === 'mcp_call' || (fields['type'] === 'custom_tool_call' && this.isOfXai(name, id)),
    )
    if (fields['type'] === 'custom_tool_call') item.call.freeform = true
    this.order.identify(item.call, name, id)
    return item.call
  }

  private isOfXai(name: string, id: string): boolean {
    return XAI_ID.test(id) || (this.isXai && XAI_NAMES.test(name))
  }

  /**
   * Reads an item. One that is done is complete, whatever its status: `isDone`, which one in progress in a response
   * that is completed is, too. `answered`: the ids of calls whose output is in the response: the provider has run them.
   */
  private readItem(
    item: OutputItem,
    fields: Fields | undefined,
    isDone: boolean,
    answered?: ReadonlySet<string>,
  ): void {
    if (fields === undefined) return
    const type = stringOf(fields['type'])
    const isAnswered = answered?.has(stringOf(fields['call_id'])) === true && !OUTPUT.test(type)
    if (type === 'message') this.readParts(item, fields['content'])
    if (type === 'reasoning') {
      const full = textIn(fields['content'] ?? fields['text'])
      this.readParts(
        item,
        full.text === '' ? fields['summary'] : (fields['content'] ?? fields['text']),
        full.text === '',
      )
      const data = stringOf(fields['encrypted_content'])
      const isSaid = full.text !== '' || textIn(fields['summary']).text !== ''
      if (data !== '' && isSaid) this.order.note({ data })
    }
    const input = CALLS.get(type)
    if (input !== undefined) {
      const call = this.callOf(item, fields)
      if (isAnswered) call.hosted = true
      this.order.append(call, call.pieces.restOf(argumentsOf(fields[input])))
      this.endCall(call, isDone)
      const failed = fields['error'] !== undefined && fields['error'] !== null
      const output = failed ? fields['error'] : fields['output']
      if (type === 'mcp_call' && output !== undefined && output !== null)
        this.order.result(resultOf(output), call.id, failed, true)
    } else if (ACTIONS.has(type) || HOSTED.test(type)) this.readTool(type, fields, isDone, isAnswered)
    if (OUTPUT.test(type))
      this.order.result(
        resultOf(fields['output'] ?? fields['result'] ?? fields['tools']),
        stringOf(fields['call_id']),
        false,
        true,
      )
    for (const block of item.parts.values()) this.order.end(block)
    item.said.clear()
    item.done = true
  }

  /** An item whose call is the item itself. */
  private readTool(type: string, fields: Fields, isDone: boolean, isAnswered: boolean): void {
    const isInContainer = CONTAINERS.test(stringOf(fieldsOf(fields['environment'])?.['type']))
    const isHosted = isAnswered || isInContainer || (!ACTIONS.has(type) && fields['execution'] !== 'client')
    const id = stringOf(fields['call_id']) || stringOf(fields['id'])
    const output = isHosted ? OUTPUTS.find((name) => fields[name] !== undefined && fields[name] !== null) : undefined
    const call = this.order.begin('tool_call', type.replace(/_(call|request)$/, ''), id, isHosted)
    const rest = Object.entries(fields).filter(
      ([name]) =>
        !['type', 'id', 'call_id', 'status'].includes(name) &&
        (!isHosted || !(OUTPUTS as readonly string[]).includes(name)),
    )
    this.order.append(call, jsonOf(Object.fromEntries(rest)))
    this.endCall(call, isDone)
    if (output !== undefined) this.order.result(resultOf(fields[output]), id, fields['status'] === 'failed', true)
  }

  private endCall(call: NativeBlock, isDone: boolean): void {
    if (isDone) this.order.end(call)
    else this.order.cut(call)
  }

  /** Reads all parts of an item: of those of a kind only what was not said yet. `isSummary`: they are of thinking. */
  private readParts(item: OutputItem, content: unknown, isSummary?: boolean): void {
    const parts = partsIn(content, () => this.order.notUnderstood()).map(({ kind, text }) => ({
      type: isSummary === undefined && kind !== 'reasoning' ? ('text' as const) : ('thinking' as const),
      text,
    }))
    const oldOf = (type: 'text' | 'thinking') => {
      const whole = parts.map((part) => (part.type === type ? part.text : '')).join('')
      return whole.length - saidOf(item, type).take('item', whole, isSummary === true, true).length
    }
    const old = { text: oldOf('text'), thinking: oldOf('thinking') }
    for (const { type, text } of parts) {
      const open = [...item.parts.values()].filter((block) => block.type === type && block.state === 'begun').pop()
      const block = old[type] < text.length ? (old[type] > 0 && open) || this.order.begin(type) : undefined
      if (block !== undefined) {
        this.order.append(block, text.slice(old[type]))
        this.order.end(block)
      }
      old[type] = Math.max(0, old[type] - text.length)
    }
  }
}

function saidOf({ said }: OutputItem, type: string): Thoughts {
  const found = said.get(type) ?? new Thoughts()
  said.set(type, found)
  return found
}

function isKnownItem(type: string): boolean {
  return (
    type === 'message' ||
    type === 'reasoning' ||
    SILENT.has(type) ||
    ACTIONS.has(type) ||
    HOSTED.test(type) ||
    OUTPUT.test(type)
  )
}

/** Items that the program acts on, and the field with their input. */
const SENT_CALLS: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['apply_patch_call', 'operation'],
  ['computer_call', 'action'],
])

/** The items of events, or of a whole response. */
export class ResponsesMessage implements MessageDraft {
  #items: Array<Fields | undefined> = []
  #from = 0

  read(event: Fields): void {
    const response = fieldsOf(event['response'])
    const output = listOf(response?.['output'] ?? event['output'])
    if (event['type'] === 'response.created') this.#from = this.#items.length
    if (event['type'] === 'response.output_item.done')
      this.#items[this.#from + Number(event['output_index'])] = fieldsOf(event['item'])
    // All of the items, where they did not come one by one.
    else if (output.length > 0 && this.#items.length === this.#from) this.#items.push(...output.map(fieldsOf))
  }

  finish(keep: Keep): object | undefined {
    const sent: Fields[] = []
    // Reasoning is refused without the item that it belongs to.
    let reasoning: Fields[] = []
    for (const item of this.#items) {
      if (item === undefined) continue
      if (item['type'] === 'reasoning') {
        reasoning.push(item)
        continue
      }
      const isKept = this.#isKept(item, keep)
      if (isKept) sent.push(...reasoning, item)
      reasoning = []
    }
    return sent.length === 0 ? undefined : sent
  }

  #isKept(item: Draft, keep: Keep): boolean {
    const field = SENT_CALLS.get(item['type'])
    if (field === undefined) return true
    const id = stringOf(item['call_id']) || stringOf(item['id'])
    const written = item[field]
    const input = item['type'] === 'function_call' ? fieldsIn(stringOf(written)) : written
    return keep({ id, name: stringOf(item['name']), input }) !== undefined
  }
}

export const openaiResponses: Provider = {
  shapeOf(object) {
    if (stringOf(object['type']).startsWith('response.')) return 'event'
    // An AI SDK result has `content` too, and its `output` may throw.
    return !('content' in object) && Array.isArray(object['output']) ? 'reply' : undefined
  },
  isTyped: true,
  front: { response: /[{"]/, sequence_number: /\d/ },
  reason: ['response.incomplete_details.reason', 'incomplete_details.reason', 'response.status', 'status'],
  usage: ['response.usage', 'usage'],
  Reader: ResponsesReader,
}
