// The reasoning that an answer begins with, for a search that must skip it.
//
//     <think>Or {"name": …}?</think>{"name": "add", …}
//     Or {"name": …}?</think>{"name": "add", …}          the chat template has opened it
//
// Source: spec/world.md, W4. Protocols read reasoning that the model opens, but one of a
// user's own may not, and none can know of reasoning that the template has opened: a
// marker that ends it must be outside all calls.

import { own } from '../own.js'
import type { Tool, ToolCallOptions, ToolCallProtocol } from '../tool-calls/types.js'
import { THINKING_TAGS } from '../generated/ops.js'
import { type CallSearch, findJsonCalls, type Place } from './json-calls.js'

/** The reasoning that a text begins with, and the rest of it. */
export interface ReasoningFront {
  /** The text of each reasoning, and what it was with its markers. */
  readonly spans: readonly { readonly text: string; readonly raw: string }[]
  readonly rest: string
}

type Segments = Pick<ToolCallProtocol, 'extractToolCallSegments'>

/** Whether an answer's first text starts inside reasoning. */
export function startsInReasoning(options: ToolCallOptions): boolean {
  return own(options, 'startWithThinking') === true
}

/** The options for what follows that. */
export function afterStart<Options extends ToolCallOptions>(options: Options): Options {
  return startsInReasoning(options) ? { ...options, startWithThinking: false } : options
}

/**
 * Splits the reasoning off the front of a text. `startsInside`: its first end marker ends reasoning, wherever it is.
 */
export function takeReasoning(
  text: string,
  search: CallSearch,
  protocol: Segments | undefined,
  startsInside: boolean,
): ReasoningFront {
  const spans: { readonly text: string; readonly raw: string }[] = []
  let rest = text
  for (let opened = openedFront(rest); opened !== undefined; opened = openedFront(rest)) {
    spans.push({ text: rest.slice(opened.start, opened.end), raw: rest.slice(0, opened.next) })
    rest = rest.slice(opened.next)
  }
  const closing = startsInside && spans.length === 0 ? firstClosing(rest) : unopenedIn(rest, search, protocol)
  if (closing === undefined) return { spans, rest }
  const span = { text: rest.slice(0, closing.start), raw: rest.slice(0, closing.end) }
  return { spans: [...spans, span], rest: rest.slice(closing.end) }
}

/** Reasoning that is opened in the text itself. Without an end marker it goes on to the end. */
function openedFront(text: string): (Place & { readonly next: number }) | undefined {
  const at = text.length - text.trimStart().length
  const name = THINKING_TAGS.find((one) => text.startsWith(`<${one}>`, at))
  if (name === undefined) return undefined
  const start = at + name.length + 2
  const end = text.indexOf(`</${name}>`, start)
  return end === -1 ? { start, end: text.length, next: text.length } : { start, end, next: end + name.length + 3 }
}

/** The first marker that ends reasoning; the end of the text, if there is none. */
function firstClosing(text: string): Place {
  const places = THINKING_TAGS.map((name) => ({ start: text.indexOf(`</${name}>`), length: name.length + 3 })).filter(
    ({ start }) => start !== -1,
  )
  const [first] = places.sort((a, b) => a.start - b.start)
  return first === undefined
    ? { start: text.length, end: text.length }
    : { start: first.start, end: first.start + first.length }
}

function unopenedIn(text: string, search: CallSearch, protocol: Segments | undefined): Place | undefined {
  if (!THINKING_TAGS.some((name) => text.includes(`</${name}>`))) return undefined
  return findJsonCalls(text, search, [], segmentsIn(text, search.tools, protocol)).unopened
}

/** Where the protocol's own calls are. */
function segmentsIn(text: string, tools: readonly Tool[], protocol: Segments | undefined): Place[] {
  const places: Place[] = []
  let from = 0
  for (const segment of protocol?.extractToolCallSegments?.({ text, tools }) ?? []) {
    const start = text.indexOf(segment, from)
    if (start === -1) continue
    from = start + segment.length
    places.push({ start, end: from })
  }
  return places
}
