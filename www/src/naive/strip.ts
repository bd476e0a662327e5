// What an application shows when it has a regular expression instead of a parser.
//
// At each chunk it runs the expression on all text so far, and shows what is left.
// The expressions are written with care: a part that is not closed yet is removed
// up to the end of the text. What they can't know is that half a tag becomes a tag,
// or half an escape a character.

import type { FrontEnd } from '../readings/front-ends'

/** What the expression has to know. */
export interface NaiveChoice {
  readonly frontEnd: FrontEnd
  /** Names of tags whose text is thinking. */
  readonly thinking: readonly string[]
  readonly strategy: 'xml' | 'json' | 'sentinel'
  readonly protocol: 'hermes' | 'morph'
  /** Names of tools. */
  readonly tools: readonly string[]
  /** The start and end markers of a wire format. */
  readonly markers: ReadonlyArray<{ readonly open: readonly string[]; readonly close: readonly string[] }>
}

/** An expression, and whether its matches are hidden or are all that is shown. */
export interface Naive {
  readonly expression: RegExp
  readonly keeps: 'the rest' | 'strings'
}

/** The expression for a tab; undefined for a format without markers. */
export function naiveFor(choice: NaiveChoice): Naive | undefined {
  switch (choice.frontEnd) {
    case 'blocks':
      return hiding(element(['think', 'thinking', 'function_calls', 'function_results', ...choice.thinking]))
    case 'segments':
      return hiding(SEGMENTS[choice.strategy])
    case 'fields':
    case 'arguments':
      return { expression: /:\s*"((?:\\.|[^"\\])*)/g, keeps: 'strings' }
    case 'tool-calls':
      return hiding(element(choice.protocol === 'hermes' ? ['tool_call'] : choice.tools))
    case 'edits':
      return hiding(/^\*\*\* Begin Patch$[\s\S]*?(?:^\*\*\* End Patch$|$(?![\s\S]))|^<{7} SEARCH$[\s\S]*?(?:^>{7} REPLACE$|$(?![\s\S]))/gm)
    case 'formats': {
      const parts = choice.markers.filter(({ open, close }) => open.length > 0 && close.length > 0).map(({ open, close }) => `(?:${either(open)})[\\s\\S]*?(?:${either(close)}|$)`)
      return parts.length === 0 ? undefined : hiding(new RegExp(parts.join('|'), 'g'))
    }
  }
}

const SEGMENTS: Readonly<Record<NaiveChoice['strategy'], RegExp>> = {
  xml: /<(write_file|run_bash|edit_file|tool)\b[\s\S]*?(?:<\/\1>|$)/g,
  json: /^\{"(?:tool|function)"[\s\S]*?(?:\}$|$(?![\s\S]))/gm,
  sentinel: /\[\[SEG_START[\s\S]*?(?:\[\[SEG_END\]\]|$)/g,
}

/** What is shown of the text so far. */
export function stripped({ expression, keeps }: Naive, text: string): string {
  if (keeps === 'the rest') return text.replace(expression, '')
  return [...text.matchAll(expression)].map(([, string = '']) => unescaped(string)).join('\n')
}

/** The ranges of the text that are shown as they stand; none where strings are. */
export function shownRanges({ expression, keeps }: Naive, text: string): Array<{ from: number; to: number }> {
  if (keeps === 'strings') return []
  const ranges: Array<{ from: number; to: number }> = []
  let from = 0
  for (const { 0: match, index } of text.matchAll(expression)) {
    if (index > from) ranges.push({ from, to: index })
    from = index + match.length
  }
  return from < text.length ? [...ranges, { from, to: text.length }] : ranges
}

function hiding(expression: RegExp): Naive {
  return { expression, keeps: 'the rest' }
}

/** An element with one of the names, closed or not. */
function element(names: readonly string[]): RegExp {
  return new RegExp(`<(${either(names)})>[\\s\\S]*?(?:</\\1>|$)`, 'g')
}

function either(words: readonly string[]): string {
  const written = words.filter((word) => word !== '')
  return written.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
}

/** The string with its escapes read. */
function unescaped(string: string): string {
  const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
  return string.replace(/\\u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))).replace(/\\([^u])/g, (_, letter: string) => NAMED[letter] ?? letter)
}
