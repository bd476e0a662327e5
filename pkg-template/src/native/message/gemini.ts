// Gemini's message: its parts, in order. A signature belongs to its part, which is merged with no other.

import { fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

/** The names of a signature. */
const SIGNATURES = ['thoughtSignature', 'thought_signature'] as const

/** The message of a stream's chunks, or of a whole reply. */
export class GeminiMessage implements MessageDraft {
  readonly #parts: Draft[] = []

  read(event: Fields): void {
    for (const item of listOf(event['candidates'])) {
      const candidate = fieldsOf(item)
      if (candidate === undefined || (candidate['index'] ?? 0) !== 0) continue
      for (const part of listOf(fieldsOf(candidate['content'])?.['parts'])) this.#add(fieldsOf(part) ?? {})
    }
  }

  finish(keep: Keep): object | undefined {
    const parts = this.#parts.flatMap((part) => sent(part, keep))
    return parts.length === 0 ? undefined : { role: 'model', parts }
  }

  #add(part: Fields): void {
    const last = this.#parts.at(-1)
    const call = fieldsOf(part['functionCall'])
    const open = fieldsOf(last?.['functionCall'])
    // A call's arguments may come in pieces: those that the parser has read go back.
    if (call !== undefined && open?.['willContinue'] === true && stringOf(call['name']) === '') {
      ;(last as Draft)['functionCall'] = { ...open, willContinue: call['willContinue'] }
      for (const name of SIGNATURES) if (part[name] !== undefined) (last as Draft)[name] = part[name]
      return
    }
    if (typeof part['text'] !== 'string') return void this.#parts.push({ ...part })
    const isAlike = last !== undefined && isPlain(last) && isPlain(part) && last['thought'] === part['thought']
    if (isAlike) append(last, 'text', part['text'])
    else if (part['text'] !== '' || !isPlain(part)) this.#parts.push({ ...part })
  }
}

/** Whether a part is text, or a thought, and nothing else. */
function isPlain(part: Fields): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).every((name) => name === 'text' || name === 'thought')
}

/** A part as it goes back; none, if it can't. */
function sent(part: Draft, keep: Keep): object[] {
  const call = fieldsOf(part['functionCall'])
  if (call === undefined) return [part]
  const { partialArgs, willContinue, ...whole } = call
  const isInPieces = partialArgs !== undefined || willContinue !== undefined
  const input = isInPieces ? undefined : (call['args'] ?? {})
  const kept = keep({ id: stringOf(call['id']), name: stringOf(call['name']), input })
  if (kept === undefined) return []
  return [{ ...part, functionCall: isInPieces ? { ...whole, args: kept.input } : call }]
}
