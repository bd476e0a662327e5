// The calls of an answer that has to have one.
//
// Source: spec/world.md, 3, points 1 to 4. Nothing is invented: a call comes out only if
// the model wrote its name, or the tool was asked for by it, and its arguments. An answer
// without one ends in a call of the tool `unknown` (seeds/003…, Tool-choice streaming
// path), which no program has.

import { calledReason, endedByItself, wordOf } from '../finish-reason.js'
import { own } from '../own.js'
import { resolveCallOptions } from '../tool-calls/options.js'
import { isBuiltIn } from '../tool-calls/protocols.js'
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
import { makePart } from './parts.js'
import { type WholeText, readProse, readReasoning, unopenedIn } from './prose.js'
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

/** Reads the calls of an answer. */
export function readForcedAnswer(
  content: readonly StreamPart[],
  finishReason: unknown,
  reader: ForcedReader,
): ForcedAnswer {
  const answer = new ForcedReading(reader, finishReason)
  return answer.read(content)
}

/** Whether an answer's first text starts inside reasoning. */
function startsInside(options: ToolCallOptions): boolean {
  return own(options, 'startWithThinking') === true
}

/** The options for what follows that. */
export function afterStart<Options extends ToolCallOptions>(options: Options): Options {
  return startsInside(options) ? { ...options, startWithThinking: false } : options
}

class ForcedReading {
  readonly #isCutShort: boolean
  /** Whether the protocol is one of the package: it reads reasoning, and its calls have the types of the schemas. */
  readonly #isOurs: boolean
  readonly #newId: (kind: 'call') => string
  /** The options for the text that comes next. */
  #options: ToolCallOptions
  /** Whether the provider made a call itself. */
  #hasNativeCall = false
  /** Texts of calls that can't be read: nothing in them is a call. */
  readonly #sealed = new Set<object>()

  constructor(
    private readonly reader: ForcedReader,
    private readonly finishReason: unknown,
  ) {
    this.#isCutShort = !endedByItself(finishReason)
    this.#isOurs = reader.protocol !== undefined && isBuiltIn(reader.protocol.parseGeneratedText)
    this.#options = reader.options
    this.#newId = resolveCallOptions(reader.options).generateId
  }

  read(content: readonly StreamPart[]): ForcedAnswer {
    const textOf = (part: StreamPart) => String(own(part, 'text') ?? '')
    let read = content.map((part): readonly ReadContent[] =>
      part.type === 'text' ? this.#readText(textOf(part)) : [this.#native(part)],
    )
    const hasCall = () => read.some((pieces, at) => content[at]?.type === 'text' && pieces.some(isCall))
    // With all texts searched it is known whether arguments without a name count: only where no call has one.
    if (!hasCall() && !this.#hasNativeCall)
      read = read.map((pieces) => pieces.flatMap((piece) => this.#readArguments(piece)))
    const whole = content.flatMap((part, at) =>
      part.type === 'text'
        ? withFieldsOf(part, textOf(part), joined(read[at] ?? []))
        : ((read[at] ?? []) as StreamPart[]),
    )
    if (hasCall()) return { content: whole, finishReason: calledReason(this.finishReason) }
    if (this.#hasNativeCall) return { content: whole, finishReason: this.finishReason }
    return this.#withoutCall(whole, content.flatMap((part) => (part.type === 'text' ? [textOf(part)] : [])).join('\n'))
  }

  #native(part: StreamPart): StreamPart {
    if (part.type !== 'tool-call' || own(part, 'providerExecuted') === true) return part
    this.#hasNativeCall = true
    return coercedCall(part, this.reader)
  }

  #given(text: string): WholeText {
    return { text, tools: this.reader.tools, options: this.#options, finishReason: this.finishReason }
  }

  #readText(text: string): ReadContent[] {
    const { protocol, tools } = this.reader
    const manner: unknown = own(this.#options, 'reasoning')
    const front =
      manner === 'search' || startsInside(this.#options)
        ? 0
        : unopenedIn(this.#given(text), () => protocol?.extractToolCallSegments?.({ text, tools }) ?? [])
    const pieces = front === 0 ? [] : this.#reasoning(text.slice(0, front), manner)
    const rest = text.slice(front)
    // A protocol of a user's own may know no reasoning.
    const known = this.#isOurs || manner === 'search' ? [textPart(rest)] : this.#parted(rest, manner)
    if (!this.#isOurs) this.#options = afterStart(this.#options)
    for (const piece of known)
      pieces.push(...(piece.type !== 'text' || this.#sealed.has(piece) ? [piece] : this.#readRest(String(piece.text))))
    this.#options = afterStart(this.#options)
    return pieces
  }

  /** The text that a marker ends which nothing opened: reasoning, without its markers. */
  #reasoning(text: string, manner: unknown): ReadContent[] {
    if (manner === 'text') return [this.#seal(text)]
    const marker = text.lastIndexOf('</')
    return readReasoning(this.#given(text.slice(0, marker))).map((part) =>
      makePart('reasoning', { text: String(part.text) }),
    )
  }

  /** Reasoning and texts, where it may stand. */
  #parted(text: string, manner: unknown): ReadContent[] {
    const parts = readReasoning(this.#given(text))
    if (manner !== 'text') return [...parts]
    let from = 0
    return parts.map((part, at) => {
      const end = text.indexOf(String(part.text), from) + String(part.text).length
      const next = parts[at + 1]
      const to = next === undefined ? text.length : text.indexOf(String(next.text), end)
      const raw = text.slice(from, to)
      from = to
      return part.type === 'text' ? textPart(raw) : this.#seal(raw)
    })
  }

  #seal(text: string): ReadContent {
    const part = textPart(text)
    this.#sealed.add(part)
    return part
  }

  /** The calls of a protocol, and those in prose around them. */
  #readRest(text: string): ReadContent[] {
    const { protocol } = this.reader
    if (text === '') return []
    const errors: Parameters<OnError>[] = []
    const options = { ...this.#options, onError: (...error: Parameters<OnError>) => void errors.push(error) }
    const content: readonly ReadContent[] = protocol?.parseGeneratedText({ ...this.#given(text), options }) ?? [
      textPart(text),
    ]
    const pieces = content.flatMap((part) => {
      if (part.type === 'text') return this.#readAround(String(part.text), errors)
      return [this.#isOurs ? part : coercedCall(part as StreamPart, this.reader)]
    })
    for (const error of errors) this.#report(error)
    return pieces
  }

  /** What is prose in a text, around calls of the protocol that can't be read. Those are taken from the errors. */
  #readAround(text: string, errors: Parameters<OnError>[]): ReadContent[] {
    const pieces: ReadContent[] = []
    let from = 0
    for (let at = 0; at < Math.min(errors.length, MOST_ELSEWHERE); ) {
      const error = errors[at] as Parameters<OnError>
      const { toolCall, dropReason } = (error[1] ?? {}) as Partial<ToolCallErrorMetadata>
      const raw = typeof toolCall === 'string' ? toolCall : ''
      const start = raw === '' ? -1 : text.indexOf(raw, from)
      if (start === -1) {
        at++
        continue
      }
      errors.splice(at, 1)
      pieces.push(...this.#readCalls(text.slice(from, start), 'error'))
      from = start + raw.length
      const found = dropReason === 'unfinished-tool-call' ? this.#readCalls(raw) : []
      // A call that the answer ends in is whole, except for its end tag.
      if (found.at(-1)?.type === 'tool-call') {
        pieces.push(...found)
      } else {
        pieces.push(this.#seal(raw))
        this.#report(error)
      }
    }
    return [...pieces, ...this.#readCalls(text.slice(from))]
  }

  /** The calls in prose; `finishReason` says how the text ends. */
  #readCalls(text: string, finishReason = this.finishReason): readonly ReadContent[] {
    const options = afterStart(this.#options)
    return text === '' ? [] : readProse({ ...this.#given(text), options, finishReason }, 'calls')
  }

  /** The arguments alone of the tool that was asked for. */
  #readArguments(piece: ReadContent): readonly ReadContent[] {
    const { tools, toolName } = this.reader
    if (piece.type !== 'text' || this.#sealed.has(piece)) return [piece]
    const only = tools.filter(({ name }) => name === toolName)
    return only.length === 0 ? [piece] : readProse({ ...this.#given(String(piece.text)), tools: only }, 'arguments')
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

function isCall({ type }: ReadContent): boolean {
  return type === 'tool-call'
}

function textPart(text: string): ReadContent {
  return { type: 'text', text }
}

/** The content with neighbouring texts as one. */
function joined(content: readonly ReadContent[]): ReadContent[] {
  const all: ReadContent[] = []
  for (const part of content) {
    const last = all.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      all[all.length - 1] = textPart(`${String(last.text)}${String(part.text)}`)
    else all.push(part)
  }
  return all
}

/** How many errors may be of segments that are in no text, before later ones are not looked for. */
const MOST_ELSEWHERE = 16

/** The name of a call that has none. */
const NO_NAME = 'unknown'
