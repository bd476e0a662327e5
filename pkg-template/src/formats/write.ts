// Writes calls, results and tools into a prompt, as a format has them.
//
// Source: spec/format.md, "Writing"; the rows' `write`.

import type { FormatId } from '../generated/format-ids.js'
import { describe } from '../errors.js'
import { type OptionTable, checkOptions, elsewhere, must, text } from '../options.js'
import { isRecord } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { type FunctionTool, type ToolSet, readTools } from '../schema/tool-list.js'
import { unwrapJsonSchema } from '../schema/keywords.js'
import { Arguments, TAG_NAME, Unwritable, attributeText, endsOf } from './arguments.js'
import { writableFormat } from './writable.js'
import { jsonText, readJsonText } from './json-text.js'
import { described, resultValue } from './results.js'
import { fillTemplate, placeholdersOf } from './template.js'
import type { Format, FormatWriting } from './types.js'

/**
 * A call for `writeCalls`.
 *
 * @example
 * ```ts
 * import { type WrittenCall, writeCalls } from 'tokenweir/formats'
 *
 * const call: WrittenCall = { toolName: 'get', input: '{"id": 12345678901234567890}' }
 * console.log(writeCalls([call], { format: 'functionary-v31' }))
 * // → <function=get>{"id": 12345678901234567890}</function>
 * ```
 */
export interface WrittenCall {
  /** The tool that was called. */
  readonly toolName: string
  /** The arguments: an object, or its JSON text, whose numbers keep their digits. `''` is `{}`. */
  readonly input: unknown
  /** Id of the call. Formats without ids leave it out, others make one where it is absent. */
  readonly toolCallId?: string
}

/**
 * A result for `writeResults`.
 *
 * @example
 * ```ts
 * import { type WrittenResult, writeResults } from 'tokenweir/formats'
 *
 * const result: WrittenResult = { toolName: 'now', result: { hour: 12 } }
 * console.log(writeResults([result], { format: 'hermes' }))
 * ```
 * ```text
 * <tool_response>
 * {"hour": 12}
 * </tool_response>
 * ```
 */
export interface WrittenResult {
  /** The tool that gave it. */
  readonly toolName: string
  /** Id of the call that it answers. */
  readonly toolCallId?: string
  /** The AI SDK's `{ type, value }`, or any value. */
  readonly output?: unknown
  /** The result, where there is no `output`. A string is written as it is, anything else as JSON. */
  readonly result?: unknown
}

/**
 * A tool for `describeTools`.
 *
 * @example
 * ```ts
 * import { type DescribedTool, describeTools } from 'tokenweir/formats'
 *
 * const now: DescribedTool = { name: 'now', description: 'The time.' }
 * console.log(describeTools([now], { format: 'hermes' }).includes('"The time."')) // true
 * ```
 */
export interface DescribedTool {
  /** The name by which it is called. */
  readonly name: string
  /** What it does. */
  readonly description?: string | undefined
  /** JSON schema of the arguments. */
  readonly inputSchema?: unknown
  /** Arguments as they may be: `[{ input: { city: 'Seoul' } }]`. */
  readonly inputExamples?:
    | ReadonlyArray<{
        /** The arguments. */
        readonly input: unknown
      }>
    | undefined
}

/**
 * Options of `writeResults` and `describeTools`.
 *
 * @example
 * ```ts
 * import { type FormatOptions, describeTools } from 'tokenweir/formats'
 *
 * const options: FormatOptions = { format: 'hermes' }
 * console.log(describeTools([], options) === '') // true
 * ```
 */
export interface FormatOptions {
  /** The format, or its id. */
  readonly format: FormatId | Format
  /**
   * The number of the first call or result, for formats that count them through the conversation (Kimi K2, Cohere). By
   * default the format's own, 0 or 1.
   */
  readonly firstIndex?: number
}

/**
 * Options of `writeCalls`.
 *
 * @example
 * ```ts
 * import { type WriteCallsOptions, writeCalls } from 'tokenweir/formats'
 *
 * const options: WriteCallsOptions = { format: 'functionary-v31', text: 'Let me look.' }
 * console.log(writeCalls([{ toolName: 'now', input: {} }], options)) // Let me look.<function=now>{}</function>
 * ```
 */
export interface WriteCallsOptions extends FormatOptions {
  /** The text of the turn, which stands before its calls. */
  readonly text?: string
  /** The reasoning of the turn, which stands before its text. */
  readonly reasoning?: string
}

/**
 * Writes the calls of one turn, as the model would have written them: for the history of a prompt that an application
 * makes itself. What is written is read back as the same calls, by a reader that knows their tools: without a schema,
 * some formats can't tell the string `42` from the number. A value between tags that has a marker of the format stands
 * in `<![CDATA[…]]>`.
 *
 * @param calls The calls of the turn. Without any, only its reasoning and text are written.
 * @returns The turn's text, without the tokens around a turn.
 * @throws TypeError for a format that can't be written, for `input` that is no JSON object or is nested more than 512
 * levels deep, and for a name, an id or a value that would not be read back: quotes in a string of a format without
 * escapes, a marker in text or reasoning. It names the format, the call and the field.
 * @example
 * ```ts
 * import { writeCalls } from 'tokenweir/formats'
 *
 * const calls = [{ toolName: 'write_file', input: { path: 'a.py', content: 'print(1)\n' } }]
 * console.log(writeCalls(calls, { format: 'qwen3-coder', text: 'Here it is.' }))
 * ```
 * ```text
 * Here it is.
 *
 * <tool_call>
 * <function=write_file>
 * <parameter=path>
 * a.py
 * </parameter>
 * <parameter=content>
 * print(1)
 *
 * </parameter>
 * </function>
 * </tool_call>
 * ```
 */
export function writeCalls(calls: readonly WrittenCall[], options: WriteCallsOptions): string {
  const { format, write, firstIndex } = writing('writeCalls', options, CALLS_OPTIONS)
  requireList('writeCalls', calls, 'calls')
  const { text, reasoning } = options
  return (
    reasoningText(format, reasoning) +
    turnText(format, text, calls.length > 0) +
    callsText(format, write, calls, firstIndex)
  )
}

/**
 * Writes the results of one turn's calls into a prompt. A result is written as it is: what a tool gives is for the
 * model to read.
 *
 * @returns The text of a turn, whose role in the model's template is the format's `write.role`, without the tokens
 *   around it.
 * @throws TypeError for a format that can't be written, and for a result without a tool's name.
 * @example
 * ```ts
 * import { writeResults } from 'tokenweir/formats'
 *
 * const results = [{ toolName: 'get_weather', toolCallId: 'functions.get_weather:0', result: 'Sunny' }]
 * console.log(writeResults(results, { format: 'kimi-k2' }))
 * ```
 * ```text
 * ## Return of functions.get_weather:0
 * Sunny
 * ```
 */
export function writeResults(results: readonly WrittenResult[], options: FormatOptions): string {
  const { format, write, firstIndex } = writing('writeResults', options, OPTIONS)
  requireList('writeResults', results, 'results')
  const { result: template = '{result}', resultJoin = '', json = 'spaced', results: [open, close] = ['', ''] } = write
  const written = results.map((result, at) => {
    const toolName = nameOf('writeResults', format, 'results', result, at)
    const { id, index } = identity(write, toolName, result.toolCallId, firstIndex + at)
    const value = resultValue(result) ?? null
    const text = typeof value === 'string' ? value : jsonText(readJsonText(toJson(value)), json)
    return fillTemplate(template, (word, manner) =>
      inManner({ name: toolName, id, index: String(index), result: text }[word], manner),
    )
  })
  return written.length === 0 ? '' : open + written.join(resultJoin) + close
}

/**
 * Lists tools as a format's models know them, for the system prompt: in JSON, each
 * `{"type": "function", "function": …}`. It takes tools by name too, such as those of `tool()` of the AI SDK.
 *
 * @throws TypeError for an unknown format, for a tool without a name, and for a schema without a JSON schema.
 * @example
 * ```ts
 * import { describeTools } from 'tokenweir/formats'
 *
 * const tools = [{ name: 'now', inputSchema: { type: 'object', properties: {} } }]
 * console.log(describeTools(tools, { format: 'hermes' }))
 * ```
 * ```text
 * {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}
 * ```
 */
export function describeTools(
  tools: ReadonlyArray<DescribedTool | FunctionTool> | ToolSet,
  options: FormatOptions,
): string {
  checkOptions('describeTools', options, { format: [elsewhere] })
  const { write: { json = 'spaced', tools: list = 'json-lines' } = {} } = writableFormat(
    'describeTools',
    options?.format,
  )
  const values: unknown[] = []
  readTools('describeTools: tools', tools, ({ name, schema, about: { description, inputExamples } }) => {
    values.push(
      readJsonText(
        toJson({
          type: 'function',
          function: described({ name, description, inputSchema: unwrapJsonSchema(schema), inputExamples }),
        }),
      ),
    )
  })
  if (list === 'json-array') return jsonText(values, json)
  return values.map((value) => jsonText(value, json === 'compact' ? json : 'spaced')).join('\n')
}

const OPTIONS = {
  format: [elsewhere],
  firstIndex: [must('a whole number from 0', (value) => Number.isInteger(value) && (value as number) >= 0)],
} satisfies OptionTable<FormatOptions>

const CALLS_OPTIONS = {
  ...OPTIONS,
  text: [text],
  reasoning: [text],
} satisfies OptionTable<WriteCallsOptions>

/** The format of some options, and how it is written. */
function writing(
  place: string,
  options: FormatOptions,
  table: OptionTable,
): { readonly format: Format; readonly write: FormatWriting; readonly firstIndex: number } {
  checkOptions(place, options, table)
  const format = writableFormat(place, (options as FormatOptions | undefined)?.format)
  const { firstIndex = format.write?.firstIndex ?? 0 } = options
  return { format, write: format.write ?? {}, firstIndex }
}

function callsText(format: Format, write: FormatWriting, calls: readonly WrittenCall[], firstIndex: number): string {
  if (calls.length === 0) return ''
  const { call: template, item = '', join, section: [open, close] = ['', ''] } = write
  if (template === undefined)
    throw new TypeError(
      `writeCalls: the format ${JSON.stringify(format.id)} says nothing about how calls are written (write.call)`,
    )
  const values = new Arguments(format)
  const one = (text: string) => calls.map((call, at) => callText(format, write, values, text, call, at, firstIndex))
  const used = placeholdersOf(template)
  if (!used.includes('items') && !used.includes('array')) return open + one(template).join(join ?? '') + close
  const items = one(item)
  const all = fillTemplate(template, (word) =>
    word === 'array' ? list(format, write, items) : word === 'items' ? items.join(join ?? ', ') : undefined,
  )
  return open + all + close
}

/** `{array}`: in lines if it is JSON and the format has it so. */
function list({ call }: Format, { json, join }: FormatWriting, items: readonly string[]): string {
  const text = `[${items.join(join ?? ', ')}]`
  return json === 'indent4' && call?.body !== 'python' ? jsonText(readJsonText(text), json) : text
}

/** One call in a template. */
function callText(
  format: Format,
  write: FormatWriting,
  values: Arguments,
  template: string,
  call: WrittenCall,
  at: number,
  firstIndex: number,
): string {
  const toolName = nameOf('writeCalls', format, 'calls', call, at)
  try {
    const input = readInput(call.input)
    const { id, index } = identity(write, toolName, call.toolCallId, firstIndex + at)
    return fillTemplate(template, (word, manner) => {
      if (word === 'name' && manner === undefined) return nameText(format, toolName)
      if (word === 'id' && manner === undefined) checkId(format, toolName, id)
      if (word === 'args') return values.all(input)
      if (word === 'yaml') return values.yaml(input)
      if (word === 'params') return values.each(input)
      if (word === 'index') return padded(index, manner)
      return inManner({ name: toolName, id }[word], manner)
    })
  } catch (error) {
    if (error instanceof Unwritable)
      throw new TypeError(
        `writeCalls: ${JSON.stringify(format.id)} can't write calls[${at}] of ${JSON.stringify(toolName)}: ` +
          `${error.field} ${error.message}`,
      )
    throw error
  }
}

/** Arguments as an object. @throws Unwritable for anything else. */
function readInput(input: unknown): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = readJsonText(typeof input === 'string' ? input.trim() || '{}' : toJson(input ?? {}))
  } catch (error) {
    if (error instanceof TypeError) throw new Unwritable('input', error.message)
  }
  if (!isRecord(value)) throw new Unwritable('input', `must be an object or its JSON text, but is ${describe(input)}`)
  return value
}

/**
 * The id of a call and its number. Where an id has the number, or the tool's name, one of another form is replaced by
 * that of its place.
 */
function identity(
  { call = '', item = '', id: template }: FormatWriting,
  toolName: string,
  given: string | undefined,
  at: number,
): { readonly id: string; readonly index: number } {
  const made = fillTemplate(template ?? 'call_{index}', (word, manner) =>
    word === 'index' ? padded(at, manner) : word === 'name' ? toolName : undefined,
  )
  if (!placeholdersOf(call + item).includes('index') && !placeholdersOf(template ?? '').includes('name'))
    return { id: given ?? made, index: at }
  const [before = '', after = ''] = fillTemplate(template ?? '{index}', (word) =>
    word === 'index' ? '\0' : word === 'name' ? toolName : undefined,
  ).split('\0')
  const isOfForm = given !== undefined && given.startsWith(before) && given.endsWith(after)
  const digits = isOfForm ? given.slice(before.length, given.length - after.length) : ''
  return /^\d{1,15}$/.test(digits)
    ? { id: given as string, index: Number(digits) }
    : { id: template === undefined ? String(at) : made, index: at }
}

/** What a name may be that ends with the word, and one that ends where the format's marker comes. */
const WORD = /^[^\s<>{}()[\]"'`]+$/
const WORDS = /^[^\s<>{}()[\]"'`]+(?: [^\s<>{}()[\]"'`]+)*$/

/** A name that stands in the text as it is: it must end where the format says that names end. */
export function nameText({ call, messages }: Format, name: string): string {
  const ends = [...endsOf(call?.head, 'NAME'), ...(messages?.headEnd ?? [])]
  const text = attributeText(call?.head, 'NAME', name)
  const isTag = (call?.body === 'elements' || call?.body === 'yaml') && call.open === undefined
  const isWord = call?.body === 'python' || isTag
  const isWritable = (isTag ? TAG_NAME : isWord ? WORD : WORDS).test(text) && !ends.some((end) => text.includes(end))
  if (!isWritable) throw new Unwritable('toolName', `can't be written: ${JSON.stringify(name)}`)
  return text
}

function checkId(format: Format, toolName: string, id: string): void {
  const { call, messages, write } = format
  // The name is read out of the id.
  const hasName = placeholdersOf(write?.id ?? '').includes('name')
  if (hasName) nameText(format, toolName)
  const ends = [...endsOf(call?.head, 'ID'), ...(messages?.headEnd ?? [])]
  const rest = hasName ? id.replace(toolName, '') : id
  if (id === '' || /[\s<>"'`]/.test(rest) || ends.some((end) => id.includes(end)))
    throw new Unwritable('toolCallId', `can't be written: ${JSON.stringify(id)}`)
}

function turnText({ id, write, messages }: Format, text: string | undefined, hasCalls: boolean): string {
  if (text === undefined || text === '') return ''
  requireWithout(id, 'text', text, [...(messages?.open ?? []), ...(messages?.close ?? [])])
  if (write?.text === undefined && messages !== undefined)
    throw new TypeError(
      `writeCalls: the format ${JSON.stringify(id)} says nothing about how text is written (write.text)`,
    )
  const [open, close] = write?.text ?? ['', '']
  return open + text + close + (hasCalls ? (write?.before ?? '') : '')
}

function reasoningText(
  { id, call, section, write, messages, reasoning: markers }: Format,
  reasoning: string | undefined,
): string {
  if (reasoning === undefined || reasoning === '') return ''
  if (write?.reasoning === undefined)
    throw new TypeError(
      `writeCalls: the format ${JSON.stringify(id)} says nothing about how reasoning is written (write.reasoning)`,
    )
  const openers = markers?.endsAtCall === true ? [...(section?.open ?? []), ...(call?.open ?? [])] : []
  requireWithout(id, 'reasoning', reasoning, [
    ...(markers?.close ?? []),
    ...openers,
    ...(messages?.open ?? []),
    ...(messages?.close ?? []),
  ])
  const [open, close] = write.reasoning
  return open + reasoning + close
}

/** Throws for a text that a reader would end at one of some markers. */
function requireWithout(id: string, field: string, text: string, markers: readonly string[]): void {
  const found = markers.find((marker) => text.includes(marker))
  if (found !== undefined)
    throw new TypeError(
      `writeCalls: ${JSON.stringify(id)} can't write the ${field}: it has ${JSON.stringify(found)}, where a ` +
        `reader would end it`,
    )
}

function nameOf(
  place: string,
  { id }: Format,
  list: string,
  item: WrittenCall | WrittenResult | null,
  at: number,
): string {
  const name = item?.toolName
  if (typeof name !== 'string')
    throw new TypeError(
      `${place}: ${JSON.stringify(id)} needs ${list}[${at}].toolName as a string, but it is ${describe(name)}`,
    )
  const toolCallId: unknown = item?.toolCallId
  if (toolCallId !== undefined && typeof toolCallId !== 'string')
    throw new TypeError(`${place}: ${list}[${at}].toolCallId must be a string, but is ${describe(toolCallId)}`)
  return name
}

function requireList(place: string, value: unknown, name: string): void {
  if (!Array.isArray(value)) throw new TypeError(`${place} takes a list of ${name}, but got ${describe(value)}`)
}

/** `{name:json}` is the text as a JSON string. */
function inManner(text: string | undefined, manner: string | undefined): string | undefined {
  return text !== undefined && manner === 'json' ? JSON.stringify(text) : text
}

function padded(index: number, manner: string | undefined): string {
  return manner === 'json' ? JSON.stringify(String(index)) : String(index).padStart(Number(manner ?? 0), '0')
}
