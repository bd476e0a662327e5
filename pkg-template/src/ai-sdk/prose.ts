// What is read in an answer's text besides the protocol's calls: calls that are JSON in prose or in a fence, the
// arguments of one tool alone, and reasoning. Each is a row.
//
//     I add:                        text
//     ```json
//     {"name": "add", …}            call
//     ```
//     <think>Or not.</think>        text, which is not searched
//
// Source: spec/world.md, 3, points 1 and 4; W4.

import type { Format } from '../formats/types.js'
import { THINKING, THINKING_ROW } from '../formats/readable.js'
import { formatReading } from '../tool-calls/format-reading.js'
import { type OpenStream, contentOf, streamOf } from '../tool-calls/protocols.js'
import type { ToolCallProtocol } from '../tool-calls/types.js'
import type { ReadContent } from './text-fields.js'

export type WholeText = Parameters<ToolCallProtocol['parseGeneratedText']>[0]

const { open, close } = THINKING
/** In no text: nothing closes what this is to close. */
const NEVER = ['\0</think>', '\0</thinking>']

const opened = (format: Format): OpenStream => streamOf(formatReading([format], undefined), {})
const prose = (body: 'json' | 'args', reasoning: NonNullable<Format['reasoning']>): OpenStream =>
  opened({
    id: 'JSON',
    call: { body, bare: 'anywhere', tolerant: true, known: false },
    keys: { name: ['name'], args: ['arguments'] },
    reasoning,
  })

/** By where reasoning may begin: at the start of a line; and, where any is closed in the text, anywhere. */
const CALLS = [prose('json', THINKING), prose('json', { ...THINKING, where: 'anywhere' })] as const
const ARGUMENTS = [prose('args', THINKING), prose('args', { ...THINKING, where: 'anywhere' })] as const
/** A closing marker that nothing opened begins what goes on to the end. */
const AFTER = prose('json', { open: [...open, ...close], close: [...close, ...NEVER], where: 'anywhere' })
const REASONING = opened({ id: THINKING_ROW, reasoning: THINKING })

/** Whether a text has a marker that ends reasoning. */
const closes = (text: string): boolean => close.some((marker) => text.includes(marker))

/** The text with the calls that are JSON in it, or the arguments alone of the only tool; white space next to them goes. */
export function readProse(
  { text, options, ...others }: WholeText,
  body: 'calls' | 'arguments',
): readonly ReadContent[] {
  const readings = body === 'calls' ? CALLS : ARGUMENTS
  const found = contentOf(readings[Number(closes(text))] as OpenStream, {
    ...others,
    text,
    options: { ...options, reasoning: 'text', fences: 'parse', onError: undefined },
  })
  return found.some(({ type }) => type === 'tool-call')
    ? found.filter((part) => part.type !== 'text' || part.text.trim() !== '')
    : [{ type: 'text', text }]
}

/** The reasoning and the rest of a text, which has no calls. */
export function readReasoning(given: WholeText): readonly ReadContent[] {
  return contentOf(REASONING, { ...given, tools: [], options: { ...given.options, reasoning: 'parts' } })
}

/**
 * The length of the reasoning that a text begins with and that nothing opened, with its closing marker, or 0. That
 * stands outside of all calls: also those of a protocol, which has said where `segments` are.
 */
export function unopenedIn({ text, ...others }: WholeText, segments: () => readonly string[]): number {
  if (!closes(text)) return 0
  let [rest, without] = [text, '']
  for (const segment of segments()) {
    const at = rest.indexOf(segment)
    if (at === -1) continue
    without += rest.slice(0, at) + ' '.repeat(segment.length)
    rest = rest.slice(at + segment.length)
  }
  const last = contentOf(AFTER, { ...others, text: `${without}${rest} `, options: { reasoning: 'parts' } }).at(-1)
  const from = last?.type === 'reasoning' ? text.length + 1 - last.text.length : 0
  return close.some((marker) => text.slice(0, from).endsWith(marker)) ? from : 0
}
