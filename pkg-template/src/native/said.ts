// What a message says, in every form in which gateways send it.
//
//     reasoning_content: 'Hm.' | { text: 'Hm.' }    reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }]
//     content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }, { text: { value: 'Hi' } }]
//
// Source: spec/policy.md, 34; what gateways send, in tests/policy/rules/34-forms.mjs.

import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'

/** Kinds of text. */
export type Kind = 'reasoning' | 'content' | 'refusal'

/** Fields of a message with its thinking: what is in several counts once. */
const THOUGHTS = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
  'reasoning_details',
  'thinking_blocks',
  'reasoning_summary',
]

/** Fields with the text of a part, or of a thought. */
const TEXTS = [
  'text',
  'thinking',
  'reasoning',
  'reasoning_text',
  'reasoning_content',
  'reasoningText',
  'content',
  'parts',
  'value',
  'refusal',
]

/** Parts by their types. */
const KINDS = new Map<unknown, Kind>([
  ...(
    ['reasoning', 'thinking', 'redacted_thinking', 'reasoning_text', 'summary_text', 'reasoning_content'] as const
  ).map((type) => [type, 'reasoning'] as const),
  ...([undefined, 'text', 'output_text', 'input_text'] as const).map((type) => [type, 'content'] as const),
  ['refusal', 'refusal'],
])

/** Parts without text, and those that are read as calls. */
const SILENT = /image|audio|video|file|document|media|citation|reference|search|^tool_use$/

/** No form has more levels. */
const DEEPEST = 6

/** The whole text of a value: a string, a list, or an object that has one. */
function fullText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (depth > DEEPEST) return ''
  if (Array.isArray(value)) return value.map((item) => fullText(item, depth + 1)).join('')
  const fields = fieldsOf(value)
  if (fields === undefined) return ''
  for (const name of TEXTS) {
    const text = fullText(fields[name], depth + 1)
    if (text !== '') return text
  }
  return ''
}

/** The text of a value; its summary only if there is nothing else. */
export function textIn(value: unknown): { readonly text: string; readonly isSummary: boolean } {
  const full = fullText(value)
  if (full !== '') return { text: full, isSummary: false }
  const text = (Array.isArray(value) ? value : [value]).map((item) => fullText(fieldsOf(item)?.['summary'])).join('')
  return { text, isSummary: text !== '' }
}

/** The thinking that a message has beside its content: each form of it, those in full first. */
export function thoughtsIn(message: Fields): Array<{ form: string; text: string; isSummary: boolean }> {
  const found = THOUGHTS.filter((form) => form in message).map((form) => {
    const { text, isSummary } = textIn(message[form])
    return { form, text, isSummary: isSummary || form === 'reasoning_summary' }
  })
  return [...found.filter(({ isSummary }) => !isSummary), ...found.filter(({ isSummary }) => isSummary)]
}

/** The parts of content, which may be a string, a list or one part; those of an unknown kind go to `onUnknown`. */
export function partsIn(
  content: unknown,
  onUnknown: () => void,
): Array<{ kind: Kind; text: string; isSummary: boolean }> {
  return (Array.isArray(content) ? listOf(content) : [content]).flatMap((item) => {
    if (item === undefined || item === null) return []
    const part = fieldsOf(item)
    const type = part?.['type'] ?? undefined
    const kind = type === undefined && part !== undefined && 'thinking' in part ? 'reasoning' : KINDS.get(type)
    const said = textIn(item)
    if (kind !== undefined && (type !== undefined || said.text !== '' || item === '')) return [{ kind, ...said }]
    const isEmpty = part !== undefined && Object.keys(part).length === 0
    if (!isEmpty && !SILENT.test(stringOf(type))) onUnknown()
    return []
  })
}

/** The fields by their names on the wire: SDKs for JavaScript write `toolCalls` for `tool_calls`. */
export function asOnWire(fields: Fields): Fields {
  const written = Object.keys(fields).filter((name) => /[a-z][A-Z]/.test(name))
  if (written.length === 0) return fields
  const renamed = written.map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), fields[name]])
  return { ...Object.fromEntries(renamed), ...fields }
}
