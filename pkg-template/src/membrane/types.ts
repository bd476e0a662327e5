import type { BlockParserOptions, CallPlace } from '../blocks/options.js'

/**
 * A tool call that the model wrote whole.
 *
 * @example
 * ```ts
 * import { parseToolCalls, type ToolCall } from 'tokenweir/membrane'
 *
 * const calls: ToolCall[] = parseToolCalls('<function_calls><invoke name="now"/></function_calls>')?.calls ?? []
 * console.log(calls.map(({ name, input }) => ({ name, input }))) // [ { name: 'now', input: {} } ]
 * ```
 */
export interface ToolCall {
  /** The id of its result if the text has one, else a new one. */
  id: string
  /** The tool's name. */
  name: string
  /** The parameters, by name. */
  input: Record<string, unknown>
}

/**
 * A part of a tool's result.
 *
 * @example
 * ```ts
 * import { formatToolResult, type ToolResultContentBlock } from 'tokenweir/membrane'
 *
 * const content: ToolResultContentBlock[] = [
 *   { type: 'text', text: 'A map:' },
 *   { type: 'image', source: { type: 'base64', data: 'AAAA', mediaType: 'image/png' } },
 * ]
 * console.log(formatToolResult({ toolUseId: 'toolu_1', content }))
 * ```
 * ```text
 * <function_results>
 * <result tool_use_id="toolu_1">
 * A map:
 * [Image: image/png, ~0KB]
 * </result>
 * </function_results>
 * ```
 */
export type ToolResultContentBlock =
  | {
      /** Text. */
      type: 'text'
      /** The text. */
      text: string
    }
  | {
      /** An image, which text can only mention. */
      type: 'image'
      /** The image. */
      source: {
        /** How it is written. */
        type: 'base64'
        /** The image in base64. */
        data: string
        /** Its type, such as `image/png`. */
        mediaType: string
      }
    }

/**
 * Whether a call was refused, or read in spite of what its notice says.
 *
 * @example
 * ```ts
 * import { parseToolCalls, type NoticeKind } from 'tokenweir/membrane'
 *
 * const parsed = parseToolCalls('<function_calls><invoke name="f">5</invoke></function_calls>')
 * const kinds: NoticeKind[] = (parsed?.notices ?? []).map(({ kind }) => kind)
 * console.log(kinds) // [ 'refused' ]
 * ```
 */
export type NoticeKind = 'refused' | 'warning'

/**
 * What is wrong with a call.
 *
 * @example
 * ```ts
 * import { parseToolCalls, type ToolCallNotice } from 'tokenweir/membrane'
 *
 * const parsed = parseToolCalls('<function_calls><invoke name="f">5</invoke></function_calls>')
 * const notice: ToolCallNotice | undefined = parsed?.notices[0]
 * console.log(notice?.invoke, notice?.message)
 * ```
 * ```text
 * 0 The call of "f" was not executed: its arguments cannot be read.
 * ```
 */
export interface ToolCallNotice {
  /** Which call of its block it is, from 0; refused calls count too. */
  invoke: number
  /** The tool's name. */
  toolName: string
  /** Whether the call was refused. */
  kind: NoticeKind
  /** What is wrong, as a sentence for the model. */
  message: string
}

/**
 * A notice of one of several blocks of calls.
 *
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks, type BlockNotice } from 'tokenweir/membrane'
 *
 * const text = '<function_calls><invoke name="f">5</invoke></function_calls>'
 * const notices: BlockNotice[] = parseAccumulatedIntoBlocks(text).notices
 * console.log(notices.map(({ block, answered, kind }) => [block, answered, kind])) // [ [ 0, false, 'refused' ] ]
 * ```
 */
export interface BlockNotice extends ToolCallNotice {
  /** Which block of calls it is, from 0. */
  block: number
  /** Whether results answer the block. */
  answered: boolean
}

/**
 * The result of a tool.
 *
 * @example
 * ```ts
 * import { formatToolResults, type ToolResult } from 'tokenweir/membrane'
 *
 * const results: ToolResult[] = [{ toolUseId: 'toolu_1', content: 'No such city', isError: true }]
 * console.log(formatToolResults(results).split('\n')[1]) // <error tool_use_id="toolu_1">
 * ```
 */
export interface ToolResult {
  /** Id of the call that it answers; empty if a text names none and no call comes before. */
  toolUseId: string
  /** Name of the tool. A result that has one is written in membrane's newer form, without its id. */
  toolName?: string
  /** The output: text, or parts. */
  content: string | ToolResultContentBlock[]
  /** True when the tool failed. */
  isError?: boolean
}

/**
 * What `parseToolCalls` found.
 *
 * @example
 * ```ts
 * import { parseToolCalls, type ParsedToolCalls } from 'tokenweir/membrane'
 *
 * const parsed: ParsedToolCalls | null = parseToolCalls('Hm. <function_calls><invoke name="now"/></function_calls>')
 * console.log(parsed?.beforeText, parsed?.fullMatch) // Hm.  <function_calls><invoke name="now"/></function_calls>
 * ```
 */
export interface ParsedToolCalls {
  /** The calls of the block, in order, without those that are refused. */
  calls: ToolCall[]
  /** What is wrong with calls of the block: why some are refused, and what was strange about others. */
  notices: ToolCallNotice[]
  /** The text before the block, as written. */
  beforeText: string
  /** The text after the block, as written. */
  afterText: string
  /** The block, as written. */
  fullMatch: string
}

/**
 * A block of content.
 *
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks, type ContentBlock } from 'tokenweir/membrane'
 *
 * const blocks: ContentBlock[] = parseAccumulatedIntoBlocks('<thinking>hm</thinking>Hello').blocks
 * console.log(JSON.stringify(blocks)) // [{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello"}]
 * ```
 */
export type ContentBlock =
  | {
      /** Text. */
      type: 'text'
      /** Without white space at both ends. */
      text: string
      /**
       * On results that were cut off, and on calls that were, with text after them; as written: neither to execute nor
       * to show.
       */
      incomplete?: true
    }
  | {
      /** Thinking. */
      type: 'thinking'
      /** The text between its tags, as written. */
      thinking: string
      /** On thinking whose closing tag is missing. */
      incomplete?: true
    }
  | {
      /** A tool call. */
      type: 'tool_use'
      /** Its id, as in `toolCalls`. */
      id: string
      /** The tool's name. */
      name: string
      /** The parameters, by name. */
      input: Record<string, unknown>
      /** The whole block of calls, as written; the same for all calls of one block. */
      rawXml: string
    }
  | {
      /** A block of calls that are not to be executed: all are refused, or the text ends in it. */
      type: 'tool_attempt'
      /** The block, as written. */
      rawXml: string
    }
  | {
      /** What the program itself wrote about calls, beside their results: see `harnessEnvelopes`. */
      type: 'tool_notice'
      /** The notices. */
      notices: ToolCallNotice[]
    }
  | {
      /** A tool's result. */
      type: 'tool_result'
      /** Id of the call that it answers. */
      toolUseId: string
      /** Name of the tool, if it is written in the result. */
      toolName?: string
      /** The output. */
      content: string
      /** True when the tool failed. */
      isError: boolean
      /** The whole block of results, as written; the same for all results of one block. */
      rawXml: string
    }

/**
 * What `parseAccumulatedIntoBlocks` found.
 *
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks, type ParsedBlocks } from 'tokenweir/membrane'
 *
 * const { blocks, toolCalls, toolResults }: ParsedBlocks = parseAccumulatedIntoBlocks('Hello')
 * console.log(blocks, toolCalls, toolResults) // [ { type: 'text', text: 'Hello' } ] [] []
 * ```
 */
export interface ParsedBlocks {
  /** All blocks, in order. */
  blocks: ContentBlock[]
  /** The calls among them. */
  toolCalls: ToolCall[]
  /** The results among them. */
  toolResults: ToolResult[]
  /** What is wrong with calls, block by block. */
  notices: BlockNotice[]
  /** Whether the text ends in a block of calls that is open, or in a tag of one. */
  unclosedToolBlock: boolean
  /** Closed blocks without a call: their text is in a block of its own. */
  emptyToolBlocks: number
  /** Closed blocks before which another was left open, which is text: a reply that was cut and sent back as it was. */
  splicedToolBlocks: number
  /** Calls in closed blocks that have no closing tag of their own: they are refused. */
  unclosedInvokeHeads: number
}

/**
 * How tags are read: options of all functions that take a text.
 *
 * @example
 * ```ts
 * import { hasUnclosedToolBlock, type ToolTextOptions } from 'tokenweir/membrane'
 *
 * const options: ToolTextOptions = { fences: 'text' }
 * console.log(hasUnclosedToolBlock('A call begins with `<function_calls>`.', options)) // false
 * ```
 */
export interface ToolTextOptions {
  /**
   * JSON schemas of the tools' inputs, as `BlockParser` takes them: a parameter declared `string` stays one, and an
   * element that is named like a property is a parameter.
   */
  tools?: BlockParserOptions['tools']
  /** `'text'`: tags in Markdown fences and inline code are text. @defaultValue 'parse' */
  fences?: BlockParserOptions['fences']
}

/**
 * Options of `parseToolCalls`.
 *
 * @example
 * ```ts
 * import { parseToolCalls, type ToolParseOptions } from 'tokenweir/membrane'
 *
 * const options: ToolParseOptions = { tools: { say: { properties: { text: { type: 'string' } } } } }
 * const text = '<function_calls><invoke name="say"><parameter name="text">5</parameter></invoke></function_calls>'
 * console.log(parseToolCalls(text, options)?.calls[0]?.input) // { text: '5' }
 * ```
 */
export interface ToolParseOptions extends ToolTextOptions {
  /**
   * Makes the id of a tool call, whose name and place are its argument: the same as with `BlockParser`.
   * @defaultValue `toolu_` and 24 random base-62 characters
   */
  generateId?: ((call: CallPlace) => string) | undefined
  /**
   * So many UTF-16 code units of the text are history: a block of calls that ends there is not to be executed, thinking
   * and results that it leaves open hide nothing, and a payload that it leaves open ends there.
   */
  historyLength?: number | undefined
  /**
   * The results that the program itself wrote: places that are exactly one element of results each; others are ignored.
   * Then only these answer a block of calls, and results that a model wrote are text. If it is left out, results
   * directly after a block answer it.
   */
  harnessEnvelopes?:
    | ReadonlyArray<{
        /** Where it begins. */
        readonly start: number
        /** Where it ends. */
        readonly end: number
      }>
    | undefined
  /** Called if thinking that never closes hides a block of calls: with `historyLength`, that of the prefill doesn't. */
  onWarning?: ((message: string) => void) | undefined
}

/**
 * Options of `parseAccumulatedIntoBlocks`.
 *
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks, type BlockParseOptions } from 'tokenweir/membrane'
 *
 * const options: BlockParseOptions = { startInsideBlock: 'thinking' }
 * console.log(parseAccumulatedIntoBlocks('hm</thinking>Hello', options).blocks[0])
 * // → { type: 'thinking', thinking: 'hm' }
 * ```
 */
export interface BlockParseOptions extends ToolParseOptions {
  /** The block that the prefill has left open, so that the text starts inside it. */
  startInsideBlock?: 'thinking' | 'tool_call' | 'tool_result' | undefined
}
