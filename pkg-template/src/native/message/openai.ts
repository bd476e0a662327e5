// The message of OpenAI's chat completions and compatible servers: content, reasoning under the name that came, calls
// with all of their fields.

import { own } from '../../own.js'
import { argumentsOf, fieldsIn, fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

/** Reasoning as text. Where a server has it in a list as well, that goes back. */
export const REASONING = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const
const TEXTS = [...REASONING, 'refusal', 'tool_plan'] as const
/** Lists of parts, which come in pieces. */
const LISTS = ['reasoning_details', 'thinking_blocks'] as const
/** What of a part grows. */
const GROWS: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking'])

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

/** The message of Ollama's chunks: arguments are an object, and a call has no type. */
export class OllamaMessage implements MessageDraft {
  readonly #fields: Draft = { content: '' }
  readonly #calls: Fields[] = []

  read(event: Fields): void {
    const message = fieldsOf(event['message'])
    if (message === undefined) return
    append(this.#fields, 'content', message['content'])
    if (message['thinking'] !== '') append(this.#fields, 'thinking', message['thinking'])
    for (const call of listOf(message['tool_calls'])) this.#calls.push(fieldsOf(call) ?? {})
  }

  finish(keep: Keep): object | undefined {
    const calls = this.#calls.filter((call) => {
      const body = fieldsOf(call['function']) ?? {}
      return keep({ id: stringOf(call['id']), name: stringOf(body['name']), input: body['arguments'] }) !== undefined
    })
    const message = { role: 'assistant', ...this.#fields, ...(calls.length > 0 && { tool_calls: calls }) }
    return this.#fields['content'] !== '' || Object.keys(message).length > 2 ? message : undefined
  }
}

/** The message of Cohere's events: a plan, content parts, calls. */
export class CohereMessage implements MessageDraft {
  readonly #message = new OpenAIMessage()
  /** Parts of the content by index, while they come. */
  readonly #parts = new Map<unknown, Draft>()

  read(event: Fields): void {
    const message = fieldsOf(fieldsOf(event['delta'])?.['message'])
    if (message === undefined) {
      if (fieldsOf(event['message']) !== undefined) this.#message.read(event)
      return
    }
    const call = fieldsOf(message['tool_calls'] ?? message['toolCalls'])
    if (call !== undefined) this.#message.read({ tool_calls: [{ ...call, index: event['index'] }] })
    const plan = message['tool_plan'] ?? message['toolPlan']
    if (typeof plan === 'string') this.#message.read({ tool_plan: plan })
    const content = fieldsOf(message['content'])
    if (content === undefined) return
    const part = this.#parts.get(event['index']) ?? {}
    this.#parts.set(event['index'], part)
    for (const [name, value] of Object.entries(content)) {
      if (GROWS.has(name)) append(part, name, value)
      else part[name] = value
    }
  }

  finish(keep: Keep): object | undefined {
    const { content, ...message } = (this.#message.finish(keep) ?? {}) as Draft
    const parts = [...this.#parts.values()].filter((part) => [...GROWS].some((name) => stringOf(part[name]) !== ''))
    const said = parts.length > 0 ? parts : content
    const isEmpty = said === undefined || said === ''
    if (isEmpty && Object.keys(message).length < 2) return undefined
    return { role: 'assistant', ...message, ...(!isEmpty && { content: said }) }
  }
}
