// The calls of an answer that has to have one.
//
// Source: spec/world.md, 3, points 1 to 4. Nothing is invented: a call comes out only if
// the model wrote its name, or the tool was asked for by it, and its arguments. An answer
// without one ends in a call of the tool `unknown` (seeds/003…, Tool-choice streaming
// path), which no program has.

import { calledReason, endedByItself, wordOf } from '../finish-reason.js'
import { own } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { Hearer } from '../tool-calls/hearer.js'
import { resolveCallOptions } from '../tool-calls/options.js'
import { isBuiltIn } from '../tool-calls/protocols.js'
import { repairNames } from '../arguments/repairs.js'
import { typed } from '../schema/coercion.js'
import type {
  OnError,
  StreamPart,
  Tool,
  ToolCallErrorMetadata,
  ToolCallOptions,
  ToolCallPart,
  ToolCallProtocol,
} from '../tool-calls/types.js'
import { coercedCall } from './coerced-call.js'
import { cutAtCalls } from './fences.js'
import {
  type CallSearch,
  coercionOf,
  type FailedPlace,
  findJsonCalls,
  type FoundCalls,
  type JsonCall,
} from './json-calls.js'
import { makePart } from './parts.js'
import { afterStart, startsInReasoning, takeReasoning } from './reasoning-front.js'
import { report } from './report.js'
import { type ReadContent, withFieldsOf } from './text-fields.js'
import type { MiddlewareOptions } from './types.js'

/** How the calls of an answer are read that has to have one. */
export interface ForcedReader extends Pick<MiddlewareOptions, 'withoutCall'> {
  /** The tools that may be called. */
  readonly tools: readonly Tool[]
  /** How calls are read. */
  readonly options: ToolCallOptions
  /** The tool that was asked for: an object that is its arguments is a call of it. */
  readonly toolName?: string | undefined
  /** Reads the calls that are written as it writes them. */
  readonly protocol?: Pick<ToolCallProtocol, 'parseGeneratedText' | 'extractToolCallSegments'> | undefined
}

/** An answer with its calls. */
export interface ForcedAnswer {
  readonly content: readonly StreamPart[]
  readonly finishReason: unknown
}

/** A text of the answer, searched. */
interface SearchedPart {
  readonly part: StreamPart
  readonly text: string
  readonly pieces: readonly SearchedPiece[]
}

/** Content other than the model's text, or a text with the calls that were found in it. */
type SearchedPiece =
  | { readonly content: StreamPart }
  | {
      readonly text: string
      readonly found: readonly FoundCalls[]
      readonly errors: ReadonlyArray<FailedPlace & { readonly report: () => void }>
    }

/** Reads the calls of an answer. */
export function readForcedAnswer(
  content: readonly StreamPart[],
  finishReason: unknown,
  reader: ForcedReader,
): ForcedAnswer {
  const answer = new ForcedReading(reader, finishReason)
  return answer.read(content)
}

class ForcedReading {
  readonly #search: CallSearch
  readonly #hearer: Hearer
  readonly #newId: (kind: 'call' | 'text') => string
  readonly #isCutShort: boolean
  /** Whether the protocol's calls have the types of the schemas already. */
  readonly #isTyped: boolean
  /** Whether a call was read that has its name. */
  #hasNamedCall = false
  /** Whether the provider made a call itself. */
  #hasNativeCall = false
  #hasCall = false
  #isFirstText = true

  constructor(
    private readonly reader: ForcedReader,
    private readonly finishReason: unknown,
  ) {
    const { tools, options, toolName } = reader
    this.#isCutShort = !endedByItself(finishReason)
    this.#isTyped = reader.protocol !== undefined && isBuiltIn(reader.protocol.parseGeneratedText)
    this.#search = { tools, options, toolName, mayClose: !this.#isCutShort }
    this.#hearer = new Hearer(options)
    this.#newId = resolveCallOptions(options).generateId
  }

  read(content: readonly StreamPart[]): ForcedAnswer {
    const searched = content.map((part) =>
      part.type === 'text' ? this.#searchText(part, String(own(part, 'text') ?? '')) : this.#native(part),
    )
    const read = searched.flatMap((part) => ('pieces' in part ? this.#readText(part) : [part]))
    if (this.#hasCall) return { content: read, finishReason: calledReason(this.finishReason) }
    if (this.#hasNativeCall) return { content: read, finishReason: this.finishReason }
    return this.#withoutCall(
      read,
      content.flatMap((part) => (part.type === 'text' ? [String(own(part, 'text') ?? '')] : [])).join('\n'),
    )
  }

  #native(part: StreamPart): StreamPart {
    if (part.type !== 'tool-call' || own(part, 'providerExecuted') === true) return part
    this.#hasNativeCall = true
    return coercedCall(part, this.reader)
  }

  #searchText(part: StreamPart, text: string): SearchedPart {
    const { protocol, tools, options } = this.reader
    const reasoning: unknown = own(options, 'reasoning')
    const startsInside = this.#isFirstText && startsInReasoning(options)
    this.#isFirstText = false
    const { spans, rest } =
      reasoning === 'search' ? { spans: [], rest: text } : takeReasoning(text, this.#search, protocol, startsInside)
    const pieces: SearchedPiece[] = spans.map((span) =>
      reasoning === 'text'
        ? { text: span.raw, found: [], errors: [] }
        : { content: makePart('reasoning', { text: span.text }) },
    )
    const errors: Parameters<OnError>[] = []
    const onError: OnError = (...error) => void errors.push(error)
    const read: readonly ReadContent[] =
      rest === ''
        ? []
        : (protocol?.parseGeneratedText({
            text: rest,
            tools,
            options: { ...afterStart(options), onError },
            finishReason: this.finishReason,
          }) ?? [{ type: 'text', text: rest }])
    for (const one of read) {
      if (one.type === 'text') pieces.push(this.#searchPiece(String(one.text), errors))
      else if (one.type === 'tool-call') pieces.push({ content: this.#written(one) })
      else pieces.push({ content: one })
    }
    for (const error of errors) this.#report(error)
    return { part, text, pieces }
  }

  /** A call that is written as the protocol writes them. */
  #written(part: StreamPart): StreamPart {
    this.#hasCall = true
    this.#hasNamedCall = true
    return this.#isTyped ? part : coercedCall(part, this.reader)
  }

  /**
   * Removes the errors of segments in this text from `errors`: if a segment becomes a call after all, its error is not
   * reported.
   */
  #searchPiece(text: string, errors: Parameters<OnError>[]): SearchedPiece {
    const failed: Array<FailedPlace & { readonly report: () => void }> = []
    let from = 0
    for (let at = 0; at < Math.min(errors.length, MOST_ELSEWHERE); ) {
      const error = errors[at] as Parameters<OnError>
      const { toolCall, dropReason } = (error[1] ?? {}) as Partial<ToolCallErrorMetadata>
      const start = typeof toolCall === 'string' && toolCall !== '' ? text.indexOf(toolCall, from) : -1
      if (start === -1) at++
      else {
        errors.splice(at, 1)
        from = start + (toolCall as string).length
        failed.push({
          start,
          end: from,
          isUnfinished: dropReason === 'unfinished-tool-call',
          report: () => this.#report(error),
        })
      }
    }
    const { found } = findJsonCalls(text, this.#search, failed)
    this.#hasNamedCall ||= found.some(({ isBare }) => !isBare)
    return { text, found, errors: failed }
  }

  /** With all texts searched it is known whether arguments without a name count: only where no call has one. */
  #readText({ part, text, pieces }: SearchedPart): StreamPart[] {
    const read = pieces.flatMap((piece): readonly ReadContent[] => {
      if ('content' in piece) return [piece.content]
      const found =
        this.#hasNamedCall || this.#hasNativeCall ? piece.found.filter(({ isBare }) => !isBare) : piece.found
      for (const error of piece.errors)
        if (!found.some(({ start }) => start >= error.start && start < error.end)) error.report()
      return cutAtCalls(piece.text, found).flatMap((one): readonly ReadContent[] =>
        typeof one === 'string' ? [{ type: 'text', text: one }] : one.calls.map((call) => this.#call(call)),
      )
    })
    return withFieldsOf(part, text, read)
  }

  #call({ toolName, input, rules, repairs }: JsonCall): ToolCallPart {
    this.#hasCall = true
    const coercion = this.reader.options.coerce === false ? undefined : coercionOf(toolName, this.#search)
    const toolCallId = this.#newId('call')
    const names = repairNames(rules, repairs)
    if (names.length > 0) this.#hearer.repaired(names, { toolCallId, toolName })
    return {
      type: 'tool-call',
      toolCallId,
      toolName,
      input: toJson(coercion === undefined ? input : typed(coercion, input, coercion.root)),
    }
  }

  #withoutCall(content: readonly StreamPart[], text: string): ForcedAnswer {
    const { finishReason } = this
    const toolCallId = this.#newId('call')
    const makesCall = !this.#isCutShort && this.reader.withoutCall !== 'text'
    const dropReason = this.#isCutShort ? 'unfinished-tool-call' : 'malformed-tool-call-body'
    const message = this.#isCutShort
      ? `The answer to a tool choice ended (${String(wordOf(finishReason))}) before a call was whole.`
      : 'The answer to a tool choice has no call that can be read.'
    report(this.reader.options.onError, message, {
      toolCall: text,
      dropReason,
      ...(makesCall ? { toolName: NO_NAME, toolCallId } : {}),
    })
    if (!makesCall) return { content, finishReason }
    const call: ToolCallPart = { type: 'tool-call', toolCallId, toolName: NO_NAME, input: '{}' }
    return { content: [...content, call], finishReason: calledReason(finishReason) }
  }

  #report([message, metadata]: Parameters<OnError>): void {
    report(this.reader.options.onError, message, metadata)
  }
}

/** How many errors may be of segments that are in no text, before later ones are not looked for. */
const MOST_ELSEWHERE = 16

/** The name of a call that has none. */
const NO_NAME = 'unknown'
