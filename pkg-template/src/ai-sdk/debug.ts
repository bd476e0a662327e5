// Debugging: the provider's parts, the parts that are emitted, and at the end which text became which calls.
//
// Source: seeds/003_ba9e2c6418997257.txt, Debugging modes; spec/tool_call.md. Environments
// without variables set the option `debug` of `createToolMiddleware`. A difference to @ai-sdk-tool/parser 4 and 5:
// a stream is summed up too, as its versions 2 do it.

import { environmentVariable } from '../platform.js'
import { describe } from '../errors.js'
import { type OptionTable, callback, checkOptions, must } from '../options.js'
import { isRecord } from '../own.js'
import type { Tool, ToolCallProtocol } from '../tool-calls/types.js'
import { DEBUG_STYLES, Painter, type DebugStyle } from './debug-print.js'

export type { DebugStyle }

/**
 * Nothing, each part, or each part and a summary at the end.
 *
 * @example
 * ```ts
 * import { type DebugLevel, getDebugLevel } from 'tokenweir/ai-sdk'
 *
 * const level: DebugLevel = getDebugLevel({ level: 'stream' })
 * console.log(level) // stream
 * ```
 */
export type DebugLevel = 'off' | 'stream' | 'parse'

/**
 * How an answer is debugged. Each option wins over its environment variable.
 *
 * @example
 * ```ts
 * import { type DebugOptions, getDebugLevel } from 'tokenweir/ai-sdk'
 *
 * const debug: DebugOptions = { level: 'parse', style: 'underline', log: () => {} }
 * console.log(getDebugLevel(debug)) // parse
 * ```
 */
export interface DebugOptions {
  /** What is printed. @defaultValue the variable `DEBUG_PARSER_MW`, or `off` */
  readonly level?: DebugLevel | undefined
  /** How matched segments are marked. @defaultValue the variable `DEBUG_PARSER_MW_STYLE`, or `bg` */
  readonly style?: DebugStyle | undefined
  /** Takes what is printed, a text in each call. @defaultValue `console.log` */
  readonly log?: ((...data: unknown[]) => void) | undefined
}

/**
 * A summary of an answer; `providerOptions.toolCallMiddleware.debugSummary` is filled with it.
 *
 * @example
 * ```ts
 * import { type DebugSummary, hermesToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const debugSummary: DebugSummary = {}
 * const text = 'So: <tool_call>{"name": "stop", "arguments": {}}</tool_call>'
 * await hermesToolMiddleware.wrapGenerate({
 *   doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }),
 *   params: {
 *     prompt: [],
 *     tools: [{ type: 'function', name: 'stop' }],
 *     providerOptions: { toolCallMiddleware: { debugSummary } },
 *   },
 * })
 * console.log(debugSummary.toolCalls) // [{"toolName":"stop","input":"{}"}]
 * ```
 */
export interface DebugSummary {
  /** The text of the segments that are calls, an empty line between them; all text, if the protocol can't say. */
  originalText?: string
  /** The calls as JSON: `[{ "toolName": …, "input": … }]`. */
  toolCalls?: string
}

const LEVELS: readonly DebugLevel[] = ['off', 'stream', 'parse']
const LEVEL_VARIABLE = 'DEBUG_PARSER_MW'
const STYLE_VARIABLE = 'DEBUG_PARSER_MW_STYLE'
/** What @ai-sdk-tool/parser takes besides the levels, and the usual words for `off`. */
const LEVEL_WORDS: Readonly<Record<string, DebugLevel>> = {
  1: 'stream',
  true: 'stream',
  yes: 'stream',
  0: 'off',
  false: 'off',
  no: 'off',
}

/** The variables that were reported: a variable is read for each answer, but reported once. */
const complaints = new Set<string>()

/**
 * Returns what is debugged: by the options, else by the environment's `DEBUG_PARSER_MW`, else nothing.
 *
 * @throws TypeError for options that don't exist or have the wrong type
 * @example
 * ```ts
 * import { getDebugLevel } from 'tokenweir/ai-sdk'
 *
 * console.log(getDebugLevel({ level: 'parse' })) // parse
 * ```
 */
export function getDebugLevel(options?: DebugOptions): DebugLevel {
  return requireDebug('getDebugLevel', options)?.level ?? fromEnvironment(LEVEL_VARIABLE, LEVELS, 'off', LEVEL_WORDS)
}

/**
 * Prints a part of the provider, whatever the level.
 *
 * @throws TypeError for options that don't exist or have the wrong type
 * @example
 * ```ts
 * import { logRawChunk } from 'tokenweir/ai-sdk-tool-parser'
 *
 * logRawChunk(
 *   { type: 'text-delta', id: '1', delta: 'Hi' },
 *   { log: (text) => console.log(String(text).includes('"delta"')) },
 * )
 * // → true
 * ```
 */
export function logRawChunk(part: unknown, options?: DebugOptions): void {
  logOf('logRawChunk', options)(painter().rawPart(part))
}

/**
 * Prints a part that goes out, whatever the level.
 *
 * @throws TypeError for options that don't exist or have the wrong type
 * @example
 * ```ts
 * import { logParsedChunk } from 'tokenweir/ai-sdk-tool-parser'
 *
 * logParsedChunk(
 *   { type: 'tool-call', toolName: 'add' },
 *   { log: (text) => console.log(String(text).includes('"add"')) },
 * )
 * // → true
 * ```
 */
export function logParsedChunk(part: unknown, options?: DebugOptions): void {
  logOf('logParsedChunk', options)(painter().parsedPart(part))
}

/**
 * Prints an answer's text with the segments marked, each once, and its calls, whatever the level.
 *
 * Without `segments` all of the text is marked.
 *
 * @throws TypeError for options that don't exist or have the wrong type
 * @example
 * ```ts
 * import { logParsedSummary } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const texts: unknown[] = []
 * logParsedSummary(
 *   { toolCalls: [{ toolName: 'stop' }], originalText: 'So: <stop/>', segments: ['<stop/>'] },
 *   { log: (text) => texts.push(text) },
 * )
 * console.log(texts.length) // 2
 * ```
 */
export function logParsedSummary(
  {
    toolCalls,
    originalText,
    segments,
  }: {
    readonly toolCalls: readonly unknown[]
    readonly originalText: string
    readonly segments?: readonly string[] | undefined
  },
  options?: DebugOptions,
): void {
  const log = logOf('logParsedSummary', options)
  const style = options?.style ?? fromEnvironment(STYLE_VARIABLE, DEBUG_STYLES, 'bg')
  const print = painter()
  log(print.original(originalText, segments ?? [originalText], style))
  log(print.calls(toolCalls))
}

const oneOf = (words: readonly string[]) => must(either(words), (value) => words.includes(value as string))
const OPTIONS = {
  level: [oneOf(LEVELS)],
  style: [oneOf(DEBUG_STYLES)],
  log: [callback],
} satisfies OptionTable<DebugOptions>

/** Checks the option `debug`; `caller` names who was given it. */
export function requireDebug(caller: string, debug: unknown): DebugOptions | undefined {
  if (debug === undefined) return undefined
  checkOptions(`${caller}: debug`, debug, OPTIONS, '.')
  return debug as DebugOptions
}

/**
 * Listens to one answer: takes each part that arrives and each that is emitted, and sums them up.
 *
 * It never throws; errors that `log` and the protocol throw are printed once on the console.
 *
 * @example
 * ```ts
 * import { DebugTap, type DebugSummary, morphXmlProtocol } from 'tokenweir/ai-sdk'
 *
 * const summary: DebugSummary = {}
 * const tap = new DebugTap({ level: 'off' }, summary)
 * tap.raw({ type: 'text-delta', id: '1', delta: 'So: <stop></stop>' })
 * tap.end(morphXmlProtocol(), [{ name: 'stop' }])
 * console.log(summary.originalText) // <stop></stop>
 * ```
 */
export class DebugTap {
  /** Whether anything is recorded. If not, its methods need not be called. */
  readonly isOn: boolean
  readonly #options: DebugOptions | undefined
  readonly #level: DebugLevel
  readonly #summary: DebugSummary | undefined
  /** The text so far, if it is summed up. */
  readonly #texts: string[] | undefined
  readonly #calls: { toolName: unknown; input: unknown }[] = []
  #hasEnded = false
  #hasComplained = false

  /** `summary` is filled at the end. */
  constructor(options: DebugOptions | undefined, summary: DebugSummary | undefined) {
    this.#options = options
    this.#level = getDebugLevel(options)
    this.#summary = isRecord(summary) ? summary : undefined
    this.isOn = this.#level !== 'off' || this.#summary !== undefined
    this.#texts = this.#level === 'parse' || this.#summary !== undefined ? [] : undefined
  }

  /**
   * Takes a part of the provider: of a stream, or of a whole answer's content.
   *
   * @example
   * ```ts
   * import { DebugTap } from 'tokenweir/ai-sdk'
   *
   * const tap = new DebugTap(
   *   { level: 'stream', log: (text) => console.log(String(text).includes('"Hello"')) },
   *   undefined,
   * )
   * tap.raw({ type: 'text-delta', id: '1', delta: 'Hello' }) // true
   * ```
   */
  raw(part: unknown): void {
    if (this.#level !== 'off') this.#guard(() => logRawChunk(part, this.#options))
    if (this.#texts === undefined || !isRecord(part)) return
    const text = part['type'] === 'text-delta' ? part['delta'] : part['type'] === 'text' ? part['text'] : undefined
    if (typeof text === 'string') this.#texts.push(text)
  }

  /**
   * Takes a part that is emitted.
   *
   * @example
   * ```ts
   * import { DebugTap } from 'tokenweir/ai-sdk'
   *
   * const tap = new DebugTap(
   *   { level: 'stream', log: (text) => console.log(String(text).includes('"add"')) },
   *   undefined,
   * )
   * tap.parsed({ type: 'tool-call', toolName: 'add', input: '{}' }) // true
   * ```
   */
  parsed(part: unknown): void {
    if (this.#level !== 'off') this.#guard(() => logParsedChunk(part, this.#options))
    if (this.#texts === undefined || !isRecord(part) || part['type'] !== 'tool-call') return
    this.#calls.push({ toolName: part['toolName'], input: part['input'] })
  }

  /**
   * Sums up, once: prints the summary, and fills what was given for it.
   *
   * @example
   * ```ts
   * import { DebugTap, type DebugSummary, hermesProtocol } from 'tokenweir/ai-sdk'
   *
   * const summary: DebugSummary = {}
   * const tap = new DebugTap({ level: 'off' }, summary)
   * tap.parsed({ type: 'tool-call', toolName: 'add', input: '{}' })
   * tap.end(hermesProtocol(), [])
   * console.log(summary.toolCalls) // [{"toolName":"add","input":"{}"}]
   * ```
   */
  end(protocol: Pick<ToolCallProtocol, 'extractToolCallSegments'>, tools: readonly Tool[]): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (this.#texts === undefined) return
    const text = this.#texts.join('')
    let segments: readonly string[] | undefined
    this.#guard(() => {
      segments = protocol.extractToolCallSegments?.({ text, tools })
    })
    if (this.#level === 'parse')
      this.#guard(() => logParsedSummary({ toolCalls: this.#calls, originalText: text, segments }, this.#options))
    const summary = this.#summary
    if (summary === undefined) return
    this.#guard(() => {
      summary.originalText = segments === undefined ? text : segments.join('\n\n')
      summary.toolCalls = JSON.stringify(this.#calls)
    })
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (this.#hasComplained) return
      this.#hasComplained = true
      console.error('tokenweir: debugging a tool-call parser failed; the answer itself is not affected', error)
    }
  }
}

export function logOf(caller: string, options: DebugOptions | undefined): (...data: unknown[]) => void {
  return requireDebug(caller, options)?.log ?? ((...data) => console.log(...data))
}

/** https://no-color.org: any value but an empty one turns colours off. */
function painter(): Painter {
  return new Painter((environmentVariable('NO_COLOR') ?? '') === '')
}

/** A word of the environment, in any case, or its default. */
function fromEnvironment<Word extends string>(
  variable: string,
  words: readonly Word[],
  fallback: Word,
  more: Readonly<Record<string, Word>> = {},
): Word {
  const given = environmentVariable(variable)
  const word = given?.trim().toLowerCase() ?? ''
  if (word === '') return fallback
  const found = words.find((one) => one === word) ?? (Object.hasOwn(more, word) ? more[word] : undefined)
  if (found !== undefined) return found
  const complaint =
    `tokenweir: ${variable} must be ${either(words)}, but is ${describe(given)}; it is taken ` + `for ${fallback}`
  if (!complaints.has(complaint)) {
    complaints.add(complaint)
    console.warn(complaint)
  }
  return fallback
}

/** `a, b or c`. */
function either(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
