// Tool calls by a wire format: what is read, and the stream that reads it.

import type { FormatId } from '../generated/format-ids.js'
import {
  type ReasoningOption,
  readableFormats,
  requireReadable,
  withReasoning,
  withoutRepairs,
} from '../formats/readable.js'
import type { AnyFormat, Format } from '../formats/types.js'
import { formatBorder } from '../wasm/borders.js'
import { recorded } from '../journal.js'
import { formatReading } from './format-reading.js'
import { type OptionTable, elsewhere, must, text } from '../options.js'
import { PARSER_OPTIONS, checkCallOptions, resolveCallOptions } from './options.js'
import { PartStream } from './part-stream.js'
import { type AnyTools, type EmitPart, toolsOf } from './tool-set.js'
import type { Tool, ToolCallOptions } from './types.js'

/**
 * What calls and reasoning are read by, in the wire format of a model. It takes all options of tool calls besides.
 *
 * @example
 * ```ts
 * import { type FormatSource, ToolCallParser } from 'tokenweir/tool-calls'
 *
 * const source: FormatSource = { format: 'functionary-v31', tools: [{ name: 'now' }] }
 * console.log(
 *   new ToolCallParser(source)
 *     .text('<function=now>{}</function>')
 *     .map(({ type }) => type)
 *     .at(-1),
 * )
 * // → tool-call
 * ```
 */
export interface FormatSource<Tools extends AnyTools = readonly Tool[]>
  extends Omit<ToolCallOptions, 'reasoning' | 'startWithThinking'> {
  /** The id of a format (docs/formats.md), a format of `tokenweir/formats`, or several by `anyOf`; `none` has no calls. */
  readonly format: FormatId | 'none' | Format | AnyFormat
  /**
   * The tools that may be called: a list, or by name, whose calls have `args`. @defaultValue none: calls of any name
   * are calls, and nothing says the types of texts
   */
  readonly tools?: Tools | undefined
  /**
   * How the prompt ended: `<think>\n`, `>>>`, `</think>`, or the first half of a call. The reply is read as if it had
   * begun there, and nothing of `prefill` comes out.
   */
  readonly prefill?: string | undefined
  /**
   * What is made of the format's reasoning: parts (`'parts'`), text as it was written (`'text'`), text like any other
   * (`'search'`); or which reasoning is read instead: none (`false`), that of another format by its id, or what stands
   * between `{ open, close }`.
   * @defaultValue 'parts'
   */
  readonly reasoning?: ReasoningOption | undefined
  /**
   * `false`: without the repairs of the format, so that a call is one only as the format says. @defaultValue the
   * format's repairs
   */
  readonly repairs?: false | undefined
  /** Not with a format: its options stand beside it, as `onError` does. With a `protocol` they are in `options`. */
  readonly options?: undefined
}

const { startWithThinking: _, ...SHARED } = PARSER_OPTIONS
const OPTIONS = {
  ...SHARED,
  reasoning: [elsewhere],
  format: [elsewhere],
  tools: [elsewhere],
  prefill: [text],
  repairs: [must('false or absent', (value) => value === false)],
} satisfies Omit<OptionTable<FormatSource<AnyTools>>, 'options'>

/** Begins to read by a format. @throws TypeError for invalid options. */
export function openFormat(
  place: string,
  source: FormatSource<AnyTools>,
  emit: EmitPart,
  emitsInput?: false,
): PartStream {
  formatBorder.requireReady(place)
  const { format, tools = [], prefill, reasoning, repairs, ...options } = source
  checkCallOptions(place, source, OPTIONS)
  const { list, typed } = toolsOf(place, tools)
  const chosen = withReasoning(place, readableFormats(place, format), reasoning)
  requireReadable(place, chosen.formats)
  const given = resolveCallOptions({ ...(options as ToolCallOptions), reasoning: chosen.reasoning })
  const resolved = { ...given, generateId: recorded(source, given.generateId) }
  const formats = repairs === false ? chosen.formats.map(withoutRepairs) : chosen.formats
  return new PartStream(
    formatReading(formats, prefill),
    list,
    emitsInput === undefined ? resolved : { ...resolved, toolInputDeltas: emitsInput },
    typed(emit),
  )
}
