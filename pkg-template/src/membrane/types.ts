import type { BlockParserOptions } from '../blocks/options.js'

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
 * const content: ToolResultContentBlock[] = [{ type: 'text', text: 'A map:' }, { type: 'image', source: { type: 'base64', data: 'AAAA', mediaType: 'image/png' } }]
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
  /** The calls of the block, in order. Empty if none of them is whole. */
  calls: ToolCall[]
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
      /** On calls or results that were cut off, as written: neither to execute nor to show. */
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
      /** A tool's result. */
      type: 'tool_result'
      /** Id of the call that it answers. */
      toolUseId: string
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
  /** Makes the id of a tool call. @defaultValue `toolu_` and 24 random base-62 characters */
  generateId?: (() => string) | undefined
}

/**
 * Options of `parseAccumulatedIntoBlocks`.
 *
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks, type BlockParseOptions } from 'tokenweir/membrane'
 *
 * const options: BlockParseOptions = { startInsideBlock: 'thinking' }
 * console.log(parseAccumulatedIntoBlocks('hm</thinking>Hello', options).blocks[0]) // { type: 'thinking', thinking: 'hm' }
 * ```
 */
export interface BlockParseOptions extends ToolParseOptions {
  /** The block that the prefill has left open, so that the text starts inside it. */
  startInsideBlock?: 'thinking' | 'tool_call' | 'tool_result' | undefined
}
