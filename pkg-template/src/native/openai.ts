// Blocks from OpenAI's chat completions: chunks of a stream, and complete completions.
//
//     { choices: [{ index: 0, delta: { content, reasoning_content, refusal, tool_calls: [{ index, id, function }] },
// finish_reason }] }
//
// Source: platform.openai.com, "Chat Completions"; docs.mistral.ai, "Chat Completion"; what gateways send. Text and
// thinking in all their forms are read by said.ts. SDKs for JavaScript write `toolCalls` for `tool_calls`, and
// Mistral's wraps an event in `data`.
//
// The protocol never marks the end of a block. Text ends when something else
// starts. Calls may be interleaved (unmarked-blocks.ts), so a call ends when its
// arguments are a closed JSON value and something else follows, and at
// `finish_reason`; until then the chunks of the next call wait. Only the first
// choice is read: one reply is one sequence of blocks.

import { own } from '../own.js'
import { argumentsOf, fieldsOf, listOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'
import { asOnWire, partsIn, thoughtsIn } from './said.js'
import { UnmarkedBlocks } from './unmarked-blocks.js'

/** Finish reasons that cut off open blocks. */
const CUTS: ReadonlySet<unknown> = new Set(['length', 'content_filter'])

const THOUGHT = ['<thought>', '</thought>'] as const

class OpenAIReader extends UnmarkedBlocks implements ProviderReader {
  /** Whether the content is a thought of Google's: flagged, or inside its tags. */
  private isFlagged = false
  private isTagged = false
  /** The id of the reply that the chunks belong to; whether it is only that of a chunk. */
  private id = ''
  private hasManyIds = false

  /** Reads one chunk. A complete completion is a chunk whose `message` is the `delta`. */
  feed(event: Fields): boolean {
    const chunk = unwrapped(event)
    for (const item of listOf(chunk['choices'])) {
      const choice = fieldsOf(item) && asOnWire(item as Fields)
      if (choice === undefined || (choice['index'] ?? 0) !== 0) continue
      const delta = fieldsOf(choice['delta']) ?? fieldsOf(choice['message'])
      this.startReply(stringOf(chunk['id']), delta?.['role'] !== undefined)
      if (delta !== undefined) this.readMessage(asOnWire(delta))
      // The legacy completions API has the text here; some servers repeat it here.
      if (delta === undefined || contentOf(delta) === '') this.say('content', stringOf(choice['text']))
      if (stringOf(choice['finish_reason']) !== '') this.finish(CUTS.has(choice['finish_reason']))
    }
    if (isChunk(chunk)) return true
    // A message alone; and the events of llama.cpp's `/completion`, which have their text in the same place.
    if (!isMessage(chunk)) return false
    this.readMessage(asOnWire(chunk))
    if (chunk['stop'] === true) this.finish(chunk['stop_type'] === 'limit')
    return true
  }

  whole(reply: Fields): void {
    if (isChunk(reply)) this.feed(reply)
    else this.readMessage(asOnWire(reply))
    this.finish(false)
    this.endReply()
  }

  /** Reads a message, or a chunk's addition to it. */
  private readMessage(delta: Fields): void {
    for (const { form, text, isSummary } of thoughtsIn(delta)) this.think(form, text, isSummary)
    const { thought } = this
    for (const part of listOf(delta['reasoning_details'])) {
      const { signature, data } = fieldsOf(part) ?? {}
      if (typeof signature === 'string') thought?.note({ signature })
      if (typeof data === 'string') thought?.note({ data })
    }
    // Snowflake repeats in a list what it has beside it.
    const isCall = delta['type'] === 'tool_use'
    const parts = listOf(delta['content_list'])
    const google = fieldsOf(fieldsOf(delta['extra_content'])?.['google'])
    this.readContent(contentOf(delta) === '' && !isCall && parts.length > 0 ? parts : delta['content'], google)
    this.say('content', stringOf(fieldsOf(delta['audio'])?.['transcript']))
    this.say('refusal', stringOf(delta['refusal']))
    const calls = listOf(delta['tool_calls'])
    for (const [position, call] of calls.entries())
      this.readListed(filled(call), calls.length > 1 ? position : undefined)
    if (calls.length === 0) this.readLegacy(filled(delta['function_call']))
    for (const part of isCall ? [delta] : [...listOf(delta['content']), ...parts]) this.readUse(fieldsOf(part) ?? {})
  }

  /** The next reply may begin after one that has finished; but some servers send calls after the reason to finish. */
  private startReply(id: string, hasRole: boolean): void {
    const hasIds = id !== '' && this.id !== ''
    const isOther = hasIds ? id !== this.id : hasRole
    // Some servers give each chunk an id of its own, and no role.
    this.hasManyIds ||= hasIds && isOther && !hasRole
    if (id !== '') this.id = id
    // A reply that broke off, and is asked again.
    const isAgain = hasIds && isOther && hasRole && !this.hasManyIds
    if (!isOther || !(this.hasFinished || isAgain)) return
    this.endReply()
    this.id = id
    this.order.startReply()
  }

  declareEnd(): void {
    if (!this.hasFinished) this.finish(false)
  }

  override forget(): void {
    this.id = ''
    this.isFlagged = this.isTagged = false
    super.forget()
  }

  /** Text as a string, as parts, or as one part. `google`: what Google's servers say of it. */
  private readContent(content: unknown, google: Fields | undefined): void {
    for (const { kind, text, isSummary } of partsIn(content, () => this.order.notUnderstood()))
      if (kind === 'reasoning') this.think('content', text, isSummary)
      else if (kind === 'content') this.sayContent(text, google)
      else this.say(kind, text)
  }

  /** Content; Google's servers write thoughts in it, which they flag, or leave in the tags of their model. */
  private sayContent(written: string, google: Fields | undefined): void {
    const isFlagged = google?.['thought'] === true
    const [opener, closer] = THOUGHT
    const isOpened = google !== undefined && written.startsWith(opener)
    const text = isOpened ? written.slice(opener.length) : written
    if (this.isFlagged && !isFlagged && !text.startsWith(closer)) this.isTagged = false
    this.isFlagged = isFlagged
    this.isTagged ||= isOpened
    const end = this.isTagged ? text.indexOf(closer) : -1
    if (end !== -1) this.isTagged = false
    else if (isFlagged || this.isTagged) return this.think('thought', text, false)
    this.think('thought', text.slice(0, Math.max(0, end)), false)
    this.say('content', end === -1 ? text : text.slice(end + closer.length))
  }

  /** `place` is that in a list of several, which counts where there is no index. */
  private readListed(call: Fields | undefined, place: number | undefined): void {
    if (call === undefined) return
    const custom = filled(call['custom'])
    const body = custom ?? fieldsOf(call['function']) ?? {}
    const id = stringOf(call['id'])
    this.readCall({
      // Mistral's word for none.
      id: id === 'null' ? '' : id,
      position: typeof call['index'] === 'number' ? call['index'] : place,
      name: stringOf(body['name']),
      text: argumentsOf(custom === undefined ? body['arguments'] : body['input']),
      isFreeform: custom !== undefined,
    })
    const signature = fieldsOf(fieldsOf(call['extra_content'])?.['google'])?.['thought_signature']
    if (typeof signature === 'string') this.order.note({ signature })
  }

  /** A call in the words of Anthropic: Snowflake's delta is one, or has parts that are. */
  private readUse(part: Fields): void {
    if (part['type'] !== 'tool_use') return
    const call = fieldsOf(part['tool_use']) ?? part
    const id = stringOf(call['tool_use_id'] ?? call['id'])
    this.readCall({ id, position: undefined, name: stringOf(call['name']), text: argumentsOf(call['input']) })
  }

  /** The legacy form before `tool_calls`. It has no ids to wait for. */
  private readLegacy(call: Fields | undefined): void {
    if (call !== undefined)
      this.readCall({
        id: '',
        position: 'legacy',
        name: stringOf(call['name']),
        text: argumentsOf(call['arguments']),
        hasNoId: true,
      })
  }
}

/** The event inside Mistral's `data`: its own member, as in other SDKs it is a getter, which may warn. */
function unwrapped(event: Fields): Fields {
  const data = fieldsOf(own(event, 'data'))
  return data !== undefined && Array.isArray(data['choices']) ? data : event
}

/** The text of a message. */
function contentOf(message: Fields): unknown {
  return message['content'] ?? ''
}

/** An object in which something is said. */
function filled(value: unknown): Fields | undefined {
  const fields = fieldsOf(value)
  return fields !== undefined && Object.values(fields).some((field) => (field ?? '') !== '') ? fields : undefined
}

/** Whether an object is a message, without the `choices` around it. */
function isMessage(object: Fields): boolean {
  const { type, content } = object
  return (
    (type === undefined || type === 'message') &&
    ('tool_calls' in object ||
      'toolCalls' in object ||
      typeof content === 'string' ||
      content === null ||
      Array.isArray(content))
  )
}

function isChunk(object: Fields): boolean {
  const chunk = unwrapped(object)
  return Array.isArray(chunk['choices']) || chunk['object'] === 'chat.completion.chunk'
}

/** Whether an object is a completion: the message as a whole, not a delta. */
function isCompletion(object: Fields): boolean {
  const chunk = unwrapped(object)
  const choice = fieldsOf(listOf(chunk['choices'])[0])
  if (choice === undefined || fieldsOf(choice['delta']) !== undefined || fieldsOf(choice['message']) === undefined)
    return false
  return chunk['object'] === 'chat.completion' || stringOf(choice['finish_reason'] ?? choice['finishReason']) !== ''
}

/** Reasoning as text. Where a server has it in a list as well, that goes back. */
export const REASONING = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const
const TEXTS = [...REASONING, 'refusal', 'tool_plan'] as const
/** Lists of parts, which come in pieces. */
const LISTS = ['reasoning_details', 'thinking_blocks'] as const
/** What of a part grows. */
export const GROWS: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking'])

/** The message of chunks, or of a whole completion. */
export class OpenAIMessage implements MessageDraft {
  /** Its fields but for content and calls. */
  #fields: Draft = {}
  #content = ''
  /** The content, where it has parts. */
  #parts: Draft[] = []
  #calls: Draft[] = []

  read(event: Fields): void {
    const data = fieldsOf(own(event, 'data')) ?? event
    for (const item of listOf(data['choices'])) {
      const choice = fieldsOf(item)
      if (choice === undefined || (choice['index'] ?? 0) !== 0) continue
      const delta = fieldsOf(choice['delta'])
      const whole = delta === undefined ? fieldsOf(choice['message']) : undefined
      // Some servers send all of it again at the end.
      if (whole !== undefined) this.#forget()
      this.#readMessage(delta ?? whole ?? {})
    }
    // A message alone, such as Ollama's and Cohere's.
    if (!Array.isArray(data['choices'])) this.#readMessage(fieldsOf(data['message']) ?? data)
  }

  finish(keep: Keep): object | undefined {
    const calls = this.#calls.flatMap((call) => sent(call, keep))
    const parts = this.#content === '' ? this.#parts : [...this.#parts, { type: 'text', text: this.#content }]
    const content = this.#parts.length === 0 ? this.#content : parts
    const message: Draft = { role: 'assistant', content, ...this.#fields }
    if (LISTS.some((name) => name in message)) for (const name of REASONING) delete message[name]
    if (calls.length > 0) message['tool_calls'] = calls
    // What was left out of a reply may have been all of it.
    return content.length > 0 || Object.keys(message).length > 2 ? message : undefined
  }

  #readMessage(delta: Fields): void {
    if (typeof delta['content'] === 'string') this.#say(delta['content'])
    for (const part of listOf(delta['content'])) this.#addPart(fieldsOf(part) ?? {})
    for (const name of TEXTS) if (delta[name] !== '') append(this.#fields, name, delta[name])
    for (const name of LISTS)
      for (const part of listOf(delta[name])) join((this.#fields[name] ??= []) as Draft[], fieldsOf(part) ?? {})
    if (listOf(delta['images']).length > 0)
      this.#fields['images'] = [...listOf(this.#fields['images']), ...listOf(delta['images'])]
    const audio = stringOf(fieldsOf(delta['audio'])?.['id'])
    if (audio !== '') this.#fields['audio'] = { id: audio }
    for (const [at, call] of listOf(delta['tool_calls'] ?? delta['toolCalls']).entries())
      this.#addCall(fieldsOf(call) ?? {}, at)
  }

  #forget(): void {
    this.#fields = {}
    this.#content = ''
    this.#parts = []
    this.#calls = []
  }

  #say(text: string): void {
    this.#content += text
  }

  /** A part of the content: what was said before it is a part of its own. */
  #addPart(part: Fields): void {
    if (this.#content !== '') this.#parts.push({ type: 'text', text: this.#content })
    this.#content = ''
    const last = this.#parts.at(-1)
    if (part['type'] === 'text' && last?.['type'] === 'text') return append(last, 'text', part['text'])
    if (part['type'] !== 'thinking' || last?.['type'] !== 'thinking' || last['closed'] === true)
      return void this.#parts.push({ ...part })
    const { thinking, ...rest } = part
    Object.assign(last, rest)
    if (typeof thinking === 'string') return append(last, 'thinking', thinking)
    const pieces = (last['thinking'] = listOf(last['thinking']).map((piece) => ({ ...fieldsOf(piece) }))) as Draft[]
    for (const piece of listOf(thinking)) {
      const open = pieces.at(-1)
      const next = fieldsOf(piece) ?? {}
      if (open !== undefined && open['type'] === next['type']) append(open, 'text', next['text'])
      else pieces.push({ ...next })
    }
  }

  #addCall(delta: Fields, at: number): void {
    const id = stringOf(delta['id'])
    const index = typeof delta['index'] === 'number' ? delta['index'] : undefined
    const isSame = (call: Draft) =>
      index === undefined
        ? id !== '' && call['id'] === id
        : call['index'] === index && ['', id].includes(id && stringOf(call['id']))
    let call = this.#calls.find(isSame)
    if (call === undefined && id === '' && index === undefined && fieldsOf(delta['function'])?.['name'] === undefined)
      call = this.#calls[at]
    if (call === undefined) this.#calls.push((call = { ...(index !== undefined && { index }) }))
    for (const [name, value] of Object.entries(delta)) {
      if (value === null || value === '' || name === 'index') continue
      const body = name === 'function' || name === 'custom' ? fieldsOf(value) : undefined
      if (body === undefined) call[name] = value
      else grow((call[name] ??= {}) as Draft, body)
    }
  }
}

/** Adds a piece to a call's function: its name, and its arguments, which some servers send as an object. */
function grow(body: Draft, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    if (value === null) continue
    const isText = typeof value === 'string' && name !== 'name'
    if (isText) append(body, name, value)
    else if (value !== '') body[name] = value
  }
}

/** Adds a piece to the part of a list that it belongs to; the last signature counts. */
function join(list: Draft[], piece: Fields): void {
  const { index, type, id } = piece
  const last = list.at(-1)
  const isIndexed = typeof index === 'number'
  const part = isIndexed
    ? list.find((part) => part['index'] === index && part['type'] === type && (id == null || (part['id'] ?? id) === id))
    : last?.['type'] === type && last?.['signature'] === undefined && type !== 'redacted_thinking'
      ? last
      : undefined
  if (part === undefined) return void list.push({ ...piece })
  for (const [name, value] of Object.entries(piece)) {
    if (typeof value === 'string' && GROWS.has(name)) append(part, name, value)
    else if (value !== null && value !== '') part[name] = value
  }
}

/** A call as it goes back; none, if it isn't one that is run. */
function sent({ index: _, ...call }: Draft, keep: Keep): object[] {
  const [field, name] = call['custom'] === undefined ? ['function', 'arguments'] : ['custom', 'input']
  const body = fieldsOf(call[field]) ?? {}
  const written = argumentsOf(body[name])
  const input = field === 'custom' ? written : (fieldsIn(written) ?? written)
  const kept = keep({ id: stringOf(call['id']), name: stringOf(body['name']), input })
  if (kept === undefined) return []
  // A name that came in pieces, and arguments that came twice, are as the parser has read them.
  const said = field === 'custom' || fieldsIn(written) !== undefined ? written : JSON.stringify(kept.input)
  const named = { ...body, name: kept.name, [name]: said === '' && field === 'function' ? '{}' : said }
  return [{ id: kept.id, type: field, ...call, [field]: named }]
}

/** llama.cpp's /completion has its counts among the other fields, as Ollama has. */
export const openai: Provider = {
  shapeOf(object) {
    if (isChunk(object)) return isCompletion(object) ? 'last' : 'event'
    return isMessage(object) ? 'reply' : undefined
  },
  front: { data: /\{/, object: /"/, model: /"/, provider: /"/, created: /\d/, choices: /\[/, usage: /\{/ },
  reason: ['choices.0.finish_reason', 'choices.0.finishReason', 'data.choices.0.finishReason', 'stop_type'],
  usage: ['usage', 'x_groq.usage', 'data.usage', '.'],
  Reader: OpenAIReader,
}
