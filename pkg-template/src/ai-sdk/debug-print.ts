// How what is debugged looks: what is printed of a part, and of a whole answer with its calls marked.
//
// Source: spec/tool_call.md, Debugging. Labels and styles are those of @ai-sdk-tool/parser. A difference: what a
// model wrote can't steer a terminal, because control characters are printed as escapes.

import { isRecord } from '../own.js'

/**
 * How matched segments are marked.
 *
 * @example
 * ```ts
 * import { type DebugStyle, createToolMiddleware, hermesProtocol } from 'tokenweir/ai-sdk'
 *
 * const style: DebugStyle = 'underline'
 * createToolMiddleware({
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => tools,
 *   debug: { level: 'parse', style },
 * })
 * ```
 */
export type DebugStyle = 'bg' | 'inverse' | 'underline' | 'bold'

/** The terminal's codes for each style. */
const STYLES: Readonly<Record<DebugStyle, string>> = { bg: '42;30', inverse: '7', underline: '4', bold: '1' }
const LABEL = '90'
const RAW = '33'
const PARSED = '36'

/** The names of the styles. */
export const DEBUG_STYLES = Object.keys(STYLES) as readonly DebugStyle[]

/** Prints in colours, or without. */
export class Painter {
  readonly #isColoured: boolean

  constructor(isColoured: boolean) {
    this.#isColoured = isColoured
  }

  /** A part of the provider. */
  rawPart(part: unknown): string {
    return `${this.#paint(LABEL, '[debug:mw:raw]')}\n${this.#paint(RAW, shown(part))}`
  }

  /** A part that goes out. */
  parsedPart(part: unknown): string {
    return `${this.#paint(LABEL, '[debug:mw:out]')}\n${this.#paint(PARSED, shown(part))}`
  }

  /** An answer's text, its segments marked. */
  original(text: string, segments: readonly string[], style: DebugStyle): string {
    let marked = ''
    let end = 0
    for (const range of rangesOf(text, segments)) {
      marked +=
        visible(text.slice(end, range.start)) + this.#paint(STYLES[style], visible(text.slice(range.start, range.end)))
      end = range.end
    }
    return `${this.#paint(LABEL, '[debug:mw:origin]')}\n${marked}${visible(text.slice(end))}`
  }

  /** The calls of an answer. */
  calls(calls: readonly unknown[]): string {
    return `${this.#paint(LABEL, '[debug:mw:summary]')}\n${this.#paint(PARSED, shown(calls))}`
  }

  /** Each line alone: a terminal would fill the rest of the line with the background. */
  #paint(code: string, text: string): string {
    if (!this.#isColoured) return text
    return text
      .split('\n')
      .map((line) => (line === '' ? '' : `\u001b[${code}m${line}\u001b[0m`))
      .join('\n')
  }
}

interface Range {
  readonly start: number
  end: number
}

/**
 * Where the segments are, in the text's order; those that touch or overlap are one. A segment is looked for
 * after the one before it, so that equal ones are each found. One that isn't there comes before
 * another, or is inside it.
 */
function rangesOf(text: string, segments: readonly string[]): Range[] {
  const found: Range[] = []
  let lastEnd = 0
  for (const segment of segments) {
    const ahead = text.indexOf(segment, lastEnd)
    const start = ahead === -1 ? text.indexOf(segment) : ahead
    if (start === -1) continue
    found.push({ start, end: start + segment.length })
    lastEnd = Math.max(lastEnd, start + segment.length)
  }
  found.sort((a, b) => a.start - b.start)
  const ranges: Range[] = []
  for (const range of found) {
    const last = ranges.at(-1)
    if (last !== undefined && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else ranges.push(range)
  }
  return ranges
}

/** A value as text; never throws, whatever is in a provider's part. */
function shown(value: unknown): string {
  if (typeof value === 'string') return visible(value)
  try {
    return visible(JSON.stringify(value, readable, 2) ?? String(value))
  } catch {
    // One that contains itself, for example.
    return isRecord(value) && typeof value['type'] === 'string'
      ? visible(`[a part of type ${value['type']} that isn't JSON]`)
      : "[a value that isn't JSON]"
  }
}

/** In a form that shows more than JSON would. */
function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Error) return { name: value.name, message: value.message }
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  return value
}

/** Text in which only line ends and tabs control a terminal. */
function visible(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (control) =>
    control === '\r' ? '\\r' : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
