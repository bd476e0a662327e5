// A reply that was cut, and goes on in another one: what it leaves, and what the other one takes of it.
//
// Source: spec/message.md, 19 to 25.

import { describe } from '../errors.js'
import type { Written } from '../native/written-reply.js'
import type { ReplyUsage } from '../native/ending.js'
import { REASONING } from '../native/openai.js'
import { SentAgain } from '../sent-again.js'
import { type Fields, fieldsOf, listOf, stringOf } from '../untrusted.js'
import type { ReplyJournal } from './continued-reply.js'
import type { ReplyReadingOptions } from './options.js'

/** What changes how a text is read. */
const KEPT = [
  ...(['format', 'model', 'tags', 'fences', 'prefill', 'startWithThinking', 'unopenedThinking'] as const),
  ...(['callsInText', 'callsInThinking', 'trimParameters', 'trimMarkup', 'stopSequences', 'stopIn'] as const),
] as const

/** The options that a journal keeps: of formats the ids. */
export function keptOptions(options: ReplyReadingOptions): Fields {
  const kept: Record<string, unknown> = {}
  for (const name of KEPT)
    if (options[name] !== undefined) kept[name] = JSON.parse(JSON.stringify(idsIn(options[name])))
  return kept
}

function idsIn(value: unknown): unknown {
  const fields = fieldsOf(value)
  if (Array.isArray(fields?.['anyOf'])) return fields['anyOf'].map(idsIn)
  return typeof fields?.['id'] === 'string' ? fields['id'] : value
}

/** The journal of what is continued. @throws TypeError that says what is wrong with it */
export function journalOf(place: string, options: ReplyReadingOptions): ReplyJournal | undefined {
  const { continues, sent } = options
  if (continues === undefined) {
    if (sent !== undefined) throw new TypeError(`${place}: sent is the text of the reply that continues names`)
    return undefined
  }
  const journal = fieldsOf(fieldsOf(continues)?.['journal'])
  const { written, goesOn } = journal ?? {}
  if (journal === undefined || !(Array.isArray(written) || typeof written === 'string'))
    throw new TypeError(
      `${place}: continues takes the result of a reply that was cut, JSON of it, or the partial of an error, but got ` +
        `${describe(continues)}${fieldsOf(continues) === undefined ? '' : ' without a journal: it ended on its own'}`,
    )
  const before = fieldsOf(journal['options']) ?? {}
  const now = keptOptions(options)
  const other = KEPT.find((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
  if (other !== undefined) {
    const [was, is] = [before[other], now[other]].map((value) => (value === undefined ? 'none' : JSON.stringify(value)))
    throw new TypeError(`${place}: the reply that is continued was read with ${other} ${was}, and this one with ${is}`)
  }
  const events = Array.isArray(journal['events']) ? { events: journal['events'] as object[] } : {}
  const message = journal['message']
  return {
    ...{ written, goesOn: goesOn === true, options: before, ...events },
    ...(typeof message === 'object' && message !== null && { message }),
  }
}

/** What was written, as blocks: text alone is a block of text. */
export function asWritten(written: ReplyJournal['written']): readonly Written[] {
  if (typeof written !== 'string') return written as readonly Written[]
  return written === ''
    ? []
    : [
        ['start', 'text', null, null],
        ['chunk', written],
        ['complete', { type: 'text' }],
      ]
}

/** The tokens of both. */
export function sumOf(one: ReplyUsage | undefined, other: ReplyUsage | undefined): ReplyUsage | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const sum: ReplyUsage = { raw: { ...one.raw, ...other.raw } }
  for (const name of ['inputTokens', 'outputTokens', 'totalTokens'] as const) {
    const count = [one[name], other[name]].filter((count) => count !== undefined)
    if (count.length > 0) sum[name] = count.reduce((all, count) => all + count, 0)
  }
  return sum
}

/** The lists of messages, and the field of their texts. */
const LISTS = ['content', 'parts'] as const

/** How a message goes on. */
interface Joining {
  /** Whether its last text does. */
  readonly goesOn: boolean
  /** Whether white space at the end of it was not sent. */
  readonly trims: boolean
  /** Whether the server is known to send the text again. */
  readonly repeats: boolean
}

/** A message that goes on. */
export function joinedMessages(one: object, other: object, how: Joining): object {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  const [before, after] = [one as Fields, other as Fields]
  const message: Record<string, unknown> = { ...before, ...after }
  for (const [name, text] of Object.entries(before))
    if (typeof text === 'string' && name !== 'role') message[name] = joinedTexts(text, stringOf(after[name]), how)
  for (const name of LISTS) if (Array.isArray(before[name])) message[name] = joinedParts(before[name], after[name], how)
  if (Array.isArray(before['reasoning_details']) && Array.isArray(after['reasoning_details']))
    message['reasoning_details'] = [...before['reasoning_details'], ...after['reasoning_details']]
  return message
}

/** A message whose thought is its text. */
export function withThoughtAsText(message: object): object {
  const fields = { ...message } as Record<string, unknown>
  const thought = REASONING.map((name) => stringOf(fields[name])).find((text) => text !== '') ?? ''
  for (const name of REASONING) delete fields[name]
  return { ...fields, content: thought + stringOf(fields['content']) }
}

/** Some servers send again what they go on from. */
function joinedTexts(before: string, after: string, { trims, repeats }: Joining): string {
  const sent = trims ? before.trimEnd() : before
  const again = new SentAgain(sent, repeats)
  return sent + again.read(after) + again.finish()
}

function joinedParts(before: readonly unknown[], after: unknown, how: Joining): unknown[] {
  const next = typeof after === 'string' ? [{ type: 'text', text: after }] : listOf(after)
  const [last, first] = [fieldsOf(before.at(-1)), fieldsOf(next[0])]
  const names = Object.keys(last ?? {})
  const isAlike =
    how.goesOn &&
    typeof last?.['text'] === 'string' &&
    typeof first?.['text'] === 'string' &&
    names.every((name) => name === 'text' || first[name] === last[name])
  if (!isAlike) return [...before, ...next]
  const text = joinedTexts(last['text'] as string, first['text'] as string, how)
  return [...before.slice(0, -1), { ...first, text }, ...next.slice(1)]
}

/** The message of a reply that was cut, as it can be sent to be continued: Anthropic refuses white space at its end. */
export function withoutSpace(message: object): object {
  const { content } = message as Fields
  const parts = listOf(content)
  const last = fieldsOf(parts.at(-1))
  if (last?.['type'] !== 'text') return message
  return { ...message, content: [...parts.slice(0, -1), { ...last, text: stringOf(last['text']).trimEnd() }] }
}
