// Messages without the thinking that can be read, for models that refuse to get it back.
//
// What is signed or encrypted stays as it is: its provider asks for it.

import { type Fields, fieldsOf, listOf, stringOf } from '../untrusted.js'

/** Fields of a message that are thinking as text. */
const FIELDS: ReadonlySet<string> = new Set([
  'reasoning_content',
  'reasoning',
  'thinking',
  'reasoning_text',
  'tool_plan',
])

/** Fields of a message that may list thoughts. */
const LISTS = ['content', 'parts', 'reasoning_details', 'thinking_blocks'] as const

/** The types of thoughts, by provider: `reasoning.text` is OpenRouter's, `thought` that of Google's Interactions. */
const TYPES = /^(thinking|thought|reasoning(\.(text|summary))?)$/

/** Fields whose value only its provider can read, or check. */
const SEALS = [
  'signature',
  'thoughtSignature',
  'thought_signature',
  'encrypted_content',
  'encryptedValue',
  'data',
  'redactedContent',
  'providerOptions',
] as const

/** Whether an element of a message is thinking that can be read, and that nothing signs. */
export function isReadable(element: unknown): boolean {
  const part = fieldsOf(element) ?? {}
  const reasoning = fieldsOf(part['reasoningContent'])
  if (!isThought(part) || [part, reasoning, fieldsOf(reasoning?.['reasoningText'])].some(isSealed)) return false
  // OpenAI's call refers to the item before it by its id, even where that has only a summary.
  return typeof part['id'] !== 'string' || !Array.isArray(part['summary']) || listOf(part['content']).length > 0
}

function isThought({ type, role, thought, reasoningContent }: Fields): boolean {
  return reasoningContent !== undefined || thought === true || role === 'reasoning' || TYPES.test(stringOf(type))
}

function isSealed(fields: Fields | undefined): boolean {
  return fields !== undefined && SEALS.some((name) => (fields[name] ?? '') !== '')
}

/**
 * A message, or a list of items, without readable thinking; undefined if nothing is left of it. `text` is the reply's:
 * where its thinking stands in the content, in tags, the content becomes the text.
 */
export function withoutThinking(
  sent: object,
  { text, thinking }: { readonly text: string; readonly thinking: string },
): object | undefined {
  if (Array.isArray(sent)) return sent.filter((item) => !isReadable(item))
  const fields = Object.entries(sent)
  const message: Record<string, unknown> = Object.fromEntries(fields.filter(([name]) => !FIELDS.has(name)))
  let isInTags = thinking !== '' && !fields.some(([name]) => FIELDS.has(name))
  for (const name of LISTS) {
    const list = listOf(message[name])
    if (list.length === 0) continue
    isInTags &&= !list.some((part) => isThought(fieldsOf(part) ?? {}))
    const left = list.filter((part) => !isReadable(part))
    if (left.length > 0) message[name] = left
    else delete message[name]
  }
  if (isInTags && typeof message['content'] === 'string') message['content'] = text
  return Object.keys(message).length > 1 ? message : undefined
}
