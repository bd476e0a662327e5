// The messages of an AG-UI run, as the next one takes them: what was thought, said and called, with the results of
// calls that the agent has run.

import { randomId } from '../../random-id.js'
import { argumentsOf, fieldsIn, fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type AgUiPiece, AgUiPlaces, agUiPiece, beginsCall, repliesIn, waitingIn } from '../ag-ui-places.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

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
