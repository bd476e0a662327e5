// The message of the AI SDK: the parts of a stream as content, what providers said of them as options.

import { asFullStreamPart } from '../../args/sdk-part.js'
import { fieldsIn, fieldsOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

/** The message of a stream's parts, or of a result's content. */
export class AiSdkMessage implements MessageDraft {
  readonly #parts: Draft[] = []
  /** Texts and reasoning that are open, by `text 0`. */
  readonly #open = new Map<string, Draft>()

  read(event: Fields): void {
    if (Array.isArray(event['content'])) return event['content'].forEach((part) => this.#add(fieldsOf(part) ?? {}))
    const part = asFullStreamPart(event)
    const [, kind = '', step] = /^(text|reasoning)-(start|delta|end)$/.exec(stringOf(part['type'])) ?? []
    if (step === undefined) return void this.#add(part)
    const key = `${kind} ${stringOf(part['id'])}`
    const isNew = step === 'start' || !this.#open.has(key)
    const open = isNew ? this.#add({ type: kind, text: '' }) : (this.#open.get(key) as Draft)
    append(open, 'text', part['text'] ?? part['delta'])
    about(open, part)
    if (step === 'end') this.#open.delete(key)
    else this.#open.set(key, open)
  }

  finish(keep: Keep): object | undefined {
    const content = this.#parts.flatMap((part) => sent(part, keep))
    return content.length === 0 ? undefined : { role: 'assistant', content }
  }

  #add(part: Fields): Draft {
    const { type, toolCallId, toolName, providerExecuted } = part
    const isResult = type === 'tool-result' && providerExecuted === true && part['preliminary'] !== true
    const draft: Draft = { type }
    if (type === 'text' || type === 'reasoning') draft['text'] = stringOf(part['text'])
    else if (type === 'tool-call')
      Object.assign(
        draft,
        { toolCallId, toolName, input: part['input'] },
        providerExecuted === true && { providerExecuted },
      )
    else if (isResult)
      Object.assign(draft, { toolCallId, toolName, output: outputOf(part['output'] ?? part['result']) })
    else if (type === 'file') {
      const file = fieldsOf(part['file']) ?? part
      Object.assign(draft, { data: file['base64'] ?? file['data'], mediaType: file['mediaType'] })
    } else return draft
    about(draft, part)
    this.#parts.push(draft)
    return draft
  }
}

/** What a part says of itself, for its provider; the last of each counts. */
function about(draft: Draft, part: Fields): void {
  const options = fieldsOf(part['providerMetadata'] ?? part['providerOptions'])
  if (options !== undefined) draft['providerOptions'] = { ...fieldsOf(draft['providerOptions']), ...options }
}

function outputOf(output: unknown): object {
  const fields = fieldsOf(output)
  if (fields !== undefined && 'type' in fields && 'value' in fields) return fields
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output ?? null }
}

/** A part as it goes back; none, if it can't. */
function sent(part: Draft, keep: Keep): object[] {
  const { type, text, toolCallId, toolName } = part
  if ((type === 'text' || type === 'reasoning') && text === '')
    return part['providerOptions'] === undefined ? [] : [part]
  if (type !== 'tool-call') return [part]
  const written = part['input']
  const input = typeof written === 'string' ? fieldsIn(written) : written
  if (input === undefined) return []
  if (part['providerExecuted'] === true) return [{ ...part, input }]
  return keep({ id: stringOf(toolCallId), name: stringOf(toolName), input }) === undefined ? [] : [{ ...part, input }]
}
