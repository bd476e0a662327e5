// Blocks from AG-UI: the events of an agent's run.
//
//     RUN_STARTED TEXT_MESSAGE_START …_CONTENT* …_END TOOL_CALL_START …_ARGS* …_END TOOL_CALL_RESULT? RUN_FINISHED
//
// Source: @ag-ui/core 1.0.0 and 0.0.59, the schemas of events; docs.ag-ui.com, "Events".
// Differences: what lacks its end, its start or its id is read all the same, and text may come within a call. Text and
// thinking end where something else begins; what a `…_CHUNK` began ends where the next one of its kind does. A call
// that has a result was run by the agent; one that an interrupt names waits for it. A snapshot of messages counts only
// if the run has said nothing else.

import { argumentsOf, fieldsOf, listOf, resultOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import type { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'
import { randomId } from '../random-id.js'
import { isNoArguments } from '../json/call-arguments.js'

/** Events that are no piece of a message or a call: state, activities, steps and the program's own say nothing. */
const OTHERS = [
  /^(TOOL_CALL_RESULT|(REASONING|THINKING)_(START|END)|REASONING_ENCRYPTED_VALUE|STEP_(STARTED|FINISHED))$/,
  /^((RUN|SUBAGENT)_(STARTED|FINISHED|ERROR)|(STATE|ACTIVITY)_(SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|RAW|CUSTOM)$/,
]

/** A message or a call. */
interface Item {
  /** Its last block: undefined before its first text. */
  block: NativeBlock | undefined
  /** It has no place in the reply. */
  readonly isForeign: boolean
  /** Nothing says where it ends. */
  readonly isChunk: boolean
}

/** Reads AG-UI's events. */
class AgUiReader implements ProviderReader {
  private readonly places = new AgUiPlaces<Item>()
  private readonly texts = new Set<NativeBlock>()
  private readonly calls = new Set<NativeBlock>()
  /** What was begun last. */
  private latest: { readonly type: string; readonly block?: NativeBlock } = { type: '' }
  private snapshot: Fields | undefined

  constructor(private readonly order: BlockOrder) {}

  feed(event: Fields): boolean {
    const piece = agUiPiece(event)
    if (piece?.kind === 'tool_call') this.readCall(piece)
    else if (piece !== undefined) this.readText(piece)
    else if (!isEvent(event)) return false
    else this.readOther(event)
    return true
  }

  private readOther(event: Fields): void {
    switch (event['type']) {
      case 'TOOL_CALL_RESULT':
        return this.readResult(event)
      case 'REASONING_END':
      case 'THINKING_END':
        return this.latest.type === 'thinking' ? this.endTexts() : undefined
      case 'REASONING_ENCRYPTED_VALUE':
        return this.readSeal(event)
      case 'MESSAGES_SNAPSHOT':
        this.snapshot = event
        return
      case 'RUN_STARTED':
        this.snapshot = undefined
        this.endReply()
        return this.order.startReply()
      case 'RUN_FINISHED':
        this.finish()
        // What waits for an answer was written to its end.
        if (fieldsOf(event['outcome'])?.['type'] === 'interrupt') this.order.settle(false)
        for (const id of waitingIn(event)) this.order.wait(id)
    }
  }

  /** A list of messages, or one of them. */
  whole(reply: Fields): void {
    const messages = Array.isArray(reply['messages']) ? listOf(reply['messages']) : [reply]
    for (const message of repliesIn(messages)) {
      const { role, content, toolCallId, toolCalls, error } = message
      if (role === 'reasoning') this.order.whole('thinking', stringOf(content))
      else if (role === 'tool') this.order.result(resultOf(content), stringOf(toolCallId), stringOf(error) !== '', true)
      else if (role === 'assistant') {
        this.order.whole('text', stringOf(content))
        for (const call of listOf(toolCalls)) this.wholeCall(fieldsOf(call) ?? {})
      }
    }
  }

  endReply(): void {
    this.readSnapshot()
    for (const block of [...this.texts, ...this.calls]) this.order.cut(block)
    this.forget()
  }

  forget(): void {
    this.places.clear()
    this.texts.clear()
    this.calls.clear()
    this.latest = { type: '' }
    this.snapshot = undefined
  }

  /** The run has ended as it should: a call is one, unless its arguments are open. */
  private finish(): void {
    this.endTexts()
    for (const call of this.calls) if (!call.isOpen) this.endCall(call)
    this.endReply()
  }

  private readSnapshot(): void {
    if (this.snapshot !== undefined && !this.order.hasBegun) this.whole(this.snapshot)
  }

  private readText({ kind, step, id, isForeign, event }: AgUiPiece): void {
    let item = this.places.find(kind, id, event)
    if (step === 'END' || (step === 'START' && item !== undefined)) this.endText(item?.block)
    if (step === 'END') return
    if (step === 'START' || item === undefined)
      this.places.put(kind, id, event, (item = { block: undefined, isForeign, isChunk: step === 'CHUNK' }))
    const delta = stringOf(event['delta'])
    if (delta === '' || item.isForeign) return
    if (item.block?.state !== 'begun') item.block = this.beginText(kind as 'text' | 'thinking', item.isChunk)
    this.order.append(item.block, delta)
  }

  private readCall({ kind, step, id, event }: AgUiPiece): void {
    const name = stringOf(event['toolCallName'])
    const delta = step === 'END' ? '' : argumentsOf(event['delta'])
    let call = this.places.find(kind, id, event)?.block
    if (step === 'END') return call === undefined ? undefined : this.endCall(call)
    if (call === undefined && step !== 'START' && name === '' && delta === '') return
    if (call === undefined || beginsCall(event, call.name, () => call?.isWhole === true)) {
      this.leave('tool_call')
      if (call !== undefined) this.cutCall(call)
      call = this.order.begin(kind, name, id)
      this.calls.add(call)
      this.latest = { type: kind }
      this.places.put(kind, id, event, { block: call, isForeign: false, isChunk: step === 'CHUNK' })
    } else this.order.identify(call, name, '')
    this.order.append(call, delta)
  }

  private readResult(event: Fields): void {
    const id = stringOf(event['toolCallId'])
    const call = this.places.find('tool_call', id, event)?.block
    if (call !== undefined) this.endCall(call)
    this.leave('tool_result')
    this.order.result(resultOf(event['content']), id || (call?.id ?? ''), stringOf(event['error']) !== '', true)
  }

  /** What is encrypted of a thought, or signs a call, comes after it. */
  private readSeal(event: Fields): void {
    const isCall = event['subtype'] === 'tool-call'
    const id = stringOf(event['entityId'])
    const block = id === '' ? undefined : this.places.find(isCall ? 'tool_call' : 'thinking', id, event)?.block
    const value = stringOf(event['encryptedValue'])
    if (value !== '') block?.note(isCall ? { signature: value } : { data: value })
  }

  private wholeCall(call: Fields): void {
    const body = fieldsOf(call['function']) ?? {}
    const block = this.order.begin('tool_call', stringOf(body['name']), stringOf(call['id']))
    this.order.append(block, argumentsOf(body['arguments']))
    this.order.end(block)
  }

  private beginText(type: 'text' | 'thinking', isChunk: boolean): NativeBlock {
    this.leave(type)
    const block = this.order.begin(type)
    this.texts.add(block)
    this.latest = isChunk ? { type, block } : { type }
    return block
  }

  /** Something of this type begins: what ends with that has ended. */
  private leave(type: string): void {
    const { latest } = this
    if (latest.type !== type) this.endTexts()
    else this.endText(latest.block)
    for (const call of this.calls) {
      if (!call.isWhole) break
      this.endCall(call)
    }
    this.latest = { type }
  }

  private endTexts(): void {
    for (const block of this.texts) this.endText(block)
  }

  private endText(block: NativeBlock | undefined): void {
    if (block === undefined) return
    this.texts.delete(block)
    this.order.end(block)
  }

  /** A result may name a call only by its place, so it has an id then. */
  private endCall(call: NativeBlock): void {
    this.calls.delete(call)
    if (call.id === '') this.order.identify(call, '', this.order.newId())
    this.order.end(call)
  }

  private cutCall(call: NativeBlock): void {
    this.calls.delete(call)
    this.order.cut(call)
  }
}

function isEvent(object: Fields): boolean {
  return agUiPiece(object) !== undefined || OTHERS.some((known) => known.test(stringOf(object['type'])))
}

/** How AG-UI's run ended, and what all of its models took: unless it says otherwise, it ended as it should. */
function ofRun({ type, outcome, result, usage }: Fields): Fields {
  if (type !== 'RUN_FINISHED' && type !== 'RUN_ERROR') return {}
  const counts = (Array.isArray(usage) ? listOf(usage) : [usage]).map((each) => fieldsOf(each) ?? {})
  const sums = usage === undefined ? {} : { usage: summed(counts) }
  if (type === 'RUN_ERROR') return sums
  const how = stringOf(fieldsOf(outcome)?.['type'])
  const reason = how === '' || how === 'success' ? stringOf(fieldsOf(result)?.['finishReason']) || 'stop' : how
  return { reason, ...sums }
}

/** Counts of several models, each name summed; of names that are no counts the last. */
function summed(counts: readonly Fields[]): Fields {
  const sum = new Map<string, unknown>()
  for (const [name, value] of counts.flatMap((each) => Object.entries(each))) {
    const before = sum.get(name)
    sum.set(name, typeof before === 'number' && typeof value === 'number' ? before + value : value)
  }
  // The total of some of them says nothing of all.
  if (counts.some((each) => typeof each['totalTokens'] !== 'number')) sum.delete('totalTokens')
  return Object.fromEntries(sum)
}

/** The messages of a run's events, or of its snapshot. */
export class AgUiMessage implements MessageDraft {
  readonly #messages: Draft[] = []
  /** Messages, and calls. */
  readonly #places = new AgUiPlaces<Draft>()
  readonly #waiting: string[] = []
  #snapshot: readonly unknown[] = []

  read(event: Fields): void {
    const piece = agUiPiece(event)
    if (piece?.kind === 'tool_call') return this.#call(piece)
    if (piece !== undefined) return this.#text(piece)
    const { type, messages, messageId, toolCallId, content, entityId, encryptedValue } = event
    if (type === undefined || type === 'MESSAGES_SNAPSHOT') this.#snapshot = listOf(messages)
    else if (type === 'RUN_FINISHED') this.#waiting.push(...waitingIn(event))
    else if (type === 'TOOL_CALL_RESULT') {
      const id = stringOf(toolCallId) || this.#places.find('tool_call', '', event)?.['id']
      this.#messages.push({ id: stringOf(messageId) || randomId(), role: 'tool', toolCallId: id, content })
    } else if (type === 'REASONING_ENCRYPTED_VALUE') {
      const id = stringOf(entityId)
      const isOf = (each: Draft) => each['id'] === id
      const calls = this.#messages.flatMap(({ toolCalls }) => listOf(toolCalls) as Draft[])
      const sealed = (event['subtype'] === 'tool-call' ? calls : this.#messages).find(isOf)
      // A thought may have nothing that can be read.
      const entity = sealed ?? (event['subtype'] === 'message' ? this.#add('thinking', id, event) : {})
      entity['encryptedValue'] = encryptedValue
    }
  }

  finish(keep: Keep): object | undefined {
    const hasSaid = this.#messages.some(
      ({ role, content, toolCalls, encryptedValue }) =>
        role === 'tool' || content !== '' || toolCalls !== undefined || encryptedValue !== undefined,
    )
    const all = hasSaid ? this.#messages : repliesIn(this.#snapshot)
    const results = all.flatMap(({ role, toolCallId }) => (role === 'tool' ? [toolCallId] : []))
    const answered = new Set([...results, ...this.#waiting])
    const left = new Set<unknown>()
    const messages = all.flatMap((message) => {
      const { role, content, toolCalls, encryptedValue, ...rest } = message
      if (role === 'tool') return left.has(message['toolCallId']) ? [message] : []
      if (role !== 'assistant' && role !== 'reasoning') return []
      const calls = listOf(toolCalls).flatMap((call) => sent(fieldsOf(call) ?? {}, answered, keep))
      for (const { id } of calls) left.add(id)
      if (calls.length === 0 && stringOf(content) === '' && stringOf(encryptedValue) === '') return []
      const said = {
        ...rest,
        role,
        content: stringOf(content),
        ...(encryptedValue !== undefined && { encryptedValue }),
      }
      return [calls.length > 0 ? { ...said, toolCalls: calls } : said]
    })
    return messages.length === 0 ? undefined : messages
  }

  #text({ kind, step, id, isForeign, event }: AgUiPiece): void {
    if (step === 'END') return
    let message = this.#places.find(kind, id, event)
    // A message that is begun again goes on.
    const isNew = message === undefined || (step === 'START' && id === '')
    if (isForeign && isNew) return this.#places.put(kind, id, event, {})
    if (message === undefined || isNew) message = this.#add(kind as 'text' | 'thinking', id, event)
    append(message, 'content', event['delta'])
  }

  #add(kind: 'text' | 'thinking', id: string, event: Fields): Draft {
    const { name } = event
    const message: Draft = { id: id || randomId(), role: kind === 'text' ? 'assistant' : 'reasoning', content: '' }
    if (kind === 'text' && typeof name === 'string') message['name'] = name
    this.#messages.push(message)
    this.#places.put(kind, id, event, message)
    return message
  }

  #call({ kind, step, id, event }: AgUiPiece): void {
    if (step === 'END') return
    let call = this.#places.find(kind, id, event)
    if (call === undefined || beginsCall(event, nameIn(call), () => isWhole(call as Draft))) {
      call = { id, type: 'function', function: { name: stringOf(event['toolCallName']), arguments: '' } }
      const message = this.#parent(stringOf(event['parentMessageId']), id, event)
      const calls = (message['toolCalls'] ??= []) as Draft[]
      calls.push(call)
      this.#places.put(kind, id, event, call)
    }
    append(call['function'] as Draft, 'arguments', argumentsOf(event['delta']))
  }

  /** The message that a call is of: without an id the last one, so that no other stands between calls and results. */
  #parent(id: string, callId: string, event: Fields): Draft {
    const last = this.#messages.at(-1)
    const named = id === '' ? last : this.#places.find('text', id, event)
    return named?.['role'] === 'assistant' ? named : this.#add('text', id || callId, event)
  }
}

function nameIn(call: Fields): string {
  return stringOf(fieldsOf(call['function'])?.['name'])
}

function argumentsIn(call: Fields): string {
  return stringOf(fieldsOf(call['function'])?.['arguments'])
}

function isWhole(call: Fields): boolean {
  return argumentsIn(call).trimEnd().endsWith('}') && fieldsIn(argumentsIn(call)) !== undefined
}

/** A call as it goes back: one that was run, that waits, or that is to be run. */
function sent(call: Fields, answered: ReadonlySet<unknown>, keep: Keep): Fields[] {
  const name = nameIn(call)
  const written = argumentsIn(call)
  const input = fieldsIn(written)
  const id = stringOf(call['id'])
  const isRun = id !== '' && answered.has(id)
  if (isRun && input === undefined) return []
  const kept = isRun ? { id, name, input } : keep({ id, name, input: input ?? written })
  if (kept === undefined) return []
  const said = input === undefined ? JSON.stringify(kept.input) : written
  return [{ ...call, id: kept.id, function: { name: kept.name, arguments: said.trim() === '' ? '{}' : said } }]
}

/** What an event may be a piece of. */
type AgUiKind = 'text' | 'thinking' | 'tool_call'

/** Roles of messages that are not the reply's. */
const OTHER_ROLES: ReadonlySet<unknown> = new Set(['user', 'system', 'developer', 'tool'])

/** What an event says of the message or the call that it is a piece of. */
interface AgUiPiece {
  readonly kind: AgUiKind
  /** What it does: `START`, `CONTENT` or `ARGS`, `END`, `CHUNK`. */
  readonly step: string
  /** Empty if it has none. */
  readonly id: string
  /** Whether somebody else than the model has written the message. */
  readonly isForeign: boolean
  readonly event: Fields
}

const PIECE = /^(TEXT_MESSAGE|(?:REASONING|THINKING_TEXT)_MESSAGE|TOOL_CALL)_(START|CONTENT|ARGS|END|CHUNK)$/

/** What of a message or a call an event is; undefined if it says nothing of them. */
function agUiPiece(event: Fields): AgUiPiece | undefined {
  const [, what, step] = PIECE.exec(stringOf(event['type'])) ?? []
  if (what === undefined || step === undefined) return undefined
  const kind = what === 'TOOL_CALL' ? 'tool_call' : what === 'TEXT_MESSAGE' ? 'text' : 'thinking'
  const id = stringOf(event[kind === 'tool_call' ? 'toolCallId' : 'messageId'])
  return { kind, step, id, isForeign: kind === 'text' && OTHER_ROLES.has(event['role']), event }
}

/** Whether an event begins another call than the one before it; a chunk that names a tool, after whole arguments. */
function beginsCall(event: Fields, before: string, isWhole: () => boolean): boolean {
  const name = stringOf(event['toolCallName'])
  if (event['type'] !== 'TOOL_CALL_CHUNK') return event['type'] === 'TOOL_CALL_START'
  return name !== '' && isWhole() && (name !== before || !isNoArguments(argumentsOf(event['delta'])))
}

/**
 * Messages and calls: that of an event is that of its id, without one the last of its kind. Agents that work side by
 * side have a last one each.
 */
class AgUiPlaces<Item> {
  private readonly ids = new Map<string, Item>()
  private readonly last = new Map<string, Item>()

  find(kind: AgUiKind, id: string, event: Fields): Item | undefined {
    const item = id === '' ? this.last.get(lane(kind, event)) : this.ids.get(`${kind} ${id}`)
    if (item !== undefined) this.last.set(lane(kind, event), item)
    return item
  }

  put(kind: AgUiKind, id: string, event: Fields, item: Item): void {
    if (id !== '') this.ids.set(`${kind} ${id}`, item)
    this.last.set(lane(kind, event), item)
  }

  clear(): void {
    this.ids.clear()
    this.last.clear()
  }
}

/** A kind's last one, of the agent that an event is of. */
const lane = (kind: AgUiKind, event: Fields) => `${kind} ${stringOf(event['subagentRunId'])}`

/** The messages after the last one of the user: those of the reply. */
function repliesIn(messages: readonly unknown[]): readonly Fields[] {
  const all = messages.map((message) => fieldsOf(message) ?? {})
  return all.slice(all.map(({ role }) => role).lastIndexOf('user') + 1)
}

/** The calls that wait for a person's answer, by the end of a run. The agent runs them, once it has that. */
function waitingIn({ outcome }: Fields): string[] {
  const { type, interrupts } = fieldsOf(outcome) ?? {}
  return type === 'interrupt' ? listOf(interrupts).map((each) => stringOf(fieldsOf(each)?.['toolCallId'])) : []
}

export const agUi: Provider = {
  shapeOf: (object) => (isEvent(object) ? 'event' : undefined),
  isTyped: true,
  reason: ['reason'],
  usage: ['usage'],
  from: ofRun,
  // It was stopped, and did not fail.
  words: { cancelled: 'interrupted' },
  Reader: AgUiReader,
}
