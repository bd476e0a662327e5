// Reads a whole reply of a model by a wire format.

import { describe } from '../errors.js'
import { endedByItself } from '../finish-reason.js'
import { betweenMessages, readableFormats } from '../formats/readable.js'
import { toolNames } from '../schema/tool-list.js'
import { type FormatSource, openFormat } from './format-source.js'
import { addContent } from './protocols.js'
import { type CallToRun, callToRun } from './to-run.js'
import type { AnyTools, GeneratedContentOf } from './tool-set.js'
import type { CitationPart, GeneratedContent, OnError, Tool, ToolCallErrorMetadata } from './types.js'

/**
 * Something in a reply that is not a call, though it looks like one.
 *
 * @example
 * ```ts
 * import { type ReplyProblem, parseReply } from 'tokenweir/tool-calls'
 *
 * const { problems } = parseReply('<tool_call>{"name": "add", "argu', { format: 'hermes' })
 * const [problem]: readonly ReplyProblem[] = problems
 * console.log(problem?.metadata.dropReason) // unfinished-tool-call
 * ```
 */
export interface ReplyProblem {
  /** What is wrong, and what became of it. */
  readonly message: string
  /** The text, and why it isn't a call. */
  readonly metadata: ToolCallErrorMetadata
}

/**
 * A whole reply.
 *
 * @example
 * ```ts
 * import { type ParsedReply, parseReply } from 'tokenweir/tool-calls'
 *
 * const reply: ParsedReply = parseReply('<think>Hm.</think>Hello', { format: 'hermes' })
 * console.log(reply.reasoning, reply.text) // Hm. Hello
 * ```
 */
export interface ParsedReply<Tools extends AnyTools = readonly Tool[]> {
  /** All text, without reasoning and calls. */
  readonly text: string
  /** All reasoning. */
  readonly reasoning: string
  /** The calls that the model wrote whole. */
  readonly toolCalls: ReadonlyArray<CallToRun<Tools>>
  /** Text, reasoning and calls in the order of the reply. */
  readonly parts: ReadonlyArray<GeneratedContentOf<Tools> | CitationPart>
  /** What is not a call: its text is in `text`, unless `onMalformed` says otherwise. */
  readonly problems: readonly ReplyProblem[]
}

/**
 * Reads text, reasoning and calls of a whole reply by the wire format of its model. No text raises an error.
 *
 * @throws TypeError for an unknown option or format, and for a text that is not a string.
 * @example
 * ```ts
 * import { parseReply } from 'tokenweir/tool-calls'
 *
 * const tools = [{ name: 'get_weather', inputSchema: { type: 'object', properties: { days: { type: 'integer' } } } }]
 * const text =
 *   'I look.\n<tool_call>\n<function=get_weather>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>'
 * const { text: said, toolCalls } = parseReply(text, { format: 'qwen3-coder', tools })
 * console.log(said.trim(), toolCalls[0]?.toolName, toolCalls[0]?.args)
 * ```
 * ```text
 * I look. get_weather { days: 3 }
 * ```
 */
export function parseReply<const Tools extends AnyTools = readonly Tool[]>(
  text: string,
  source: Omit<FormatSource<Tools>, 'format'> & {
    readonly format: FormatSource['format'] | undefined
    /** Why the reply ended, in any provider's words. @defaultValue it ended on its own */
    readonly finishReason?: string | null | undefined
  },
): ParsedReply<Tools> {
  if (typeof text !== 'string')
    throw new TypeError(`parseReply takes a text and { format }, but the text is ${describe(text)}`)
  if (source?.tools !== undefined && !('format' in source))
    throw new TypeError(
      'parseReply: tools are given, but no format, which says how their calls are written: add one ' +
        "(docs/formats.md), such as formatFor(model), or format: 'none'",
    )
  const { format = 'none', onError, finishReason, ...options } = source ?? {}
  const parts: Array<GeneratedContent | CitationPart> = []
  const problems: ReplyProblem[] = []
  const malformed = new Set<object>()
  const hear: OnError = (message, metadata) => {
    if (metadata !== undefined) problems.push({ message, metadata })
    onError?.(message, metadata)
  }
  const stream = openFormat(
    'parseReply',
    { ...options, format, onError: hear },
    (part, isMalformed) => {
      addContent(parts, part)
      if (isMalformed === true) malformed.add(part)
    },
    false,
  )
  stream.text(text)
  stream.finish(!endedByItself(finishReason))
  // Messages of one kind stand one below the other.
  const between = betweenMessages(readableFormats('parseReply', format))
  const joined = (type: 'text' | 'reasoning') =>
    parts.flatMap((part) => (part.type === type ? [(part as { readonly text: string }).text] : [])).join(between)
  const names = toolNames('parseReply: tools', options.tools ?? [])
  const toolCalls = parts.flatMap((part) =>
    part.type === 'tool-call' && !malformed.has(part) && !('invalid' in part)
      ? [callToRun(part, JSON.parse(part.input), names)]
      : [],
  )
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    toolCalls,
    parts,
    problems,
  } as unknown as ParsedReply<Tools>
}
