// membrane's functions for a reply as a whole.
//
// Source: membrane 0.5.78 and its versions after 0.5.86, src/utils/tool-parser.ts.

import { requireString } from '../errors.js'
import { randomToolId } from '../blocks/tool-id.js'
import { CallReader, type Invoke } from './calls.js'
import { type Element, type Enclosed, type Reading, elementsOf } from './elements.js'
import { checkOptions } from '../options.js'
import { TO_BLOCKS_OPTIONS, PARSE_OPTIONS } from './options.js'
import { noticesIn, resultsIn } from './results.js'
import type { Place } from './tag-list.js'
import type {
  BlockNotice,
  BlockParseOptions,
  ParsedBlocks,
  ParsedToolCalls,
  ToolCall,
  ToolCallNotice,
  ToolParseOptions,
} from './types.js'
import { endsInTag } from './unclosed.js'
import { unquoted } from './unquoted.js'
import { blockBorder } from '../wasm/borders.js'

/**
 * Finds the calls to execute: those of the last block of calls that is closed and has no results after it. Calls that
 * are not whole are left out, and those whose tags leave open what the model meant: `notices` says which and why. So
 * are those inside thinking.
 *
 * @returns null if there is no such block.
 * @throws TypeError if the text is not a string, or for an unknown option; what `generateId` throws.
 * @example
 * ```ts
 * import { parseToolCalls } from 'tokenweir/membrane'
 *
 * const call = '<invoke name="weather">\n<parameter name="days">3</parameter>\n</invoke>'
 * const text = `Let me see.\n<function_calls>\n${call}\n</function_calls>`
 * const parsed = parseToolCalls(text, { generateId: () => 'toolu_1' })
 * console.log(parsed?.calls) // [ { id: 'toolu_1', name: 'weather', input: { days: 3 } } ]
 * console.log(parsed?.beforeText.trim()) // Let me see.
 * ```
 */
export function parseToolCalls(text: string, options: ToolParseOptions = {}): ParsedToolCalls | null {
  requireString('parseToolCalls', text)
  blockBorder.requireReady('parseToolCalls')
  checkOptions('parseToolCalls', options, PARSE_OPTIONS)
  const reading = readingOf(text, options)
  const { elements } = reading
  const { historyLength = 0 } = options
  const block = elements.findLast(
    (element, at): element is Enclosed =>
      isWholeBlock(element) && element.end > historyLength && !isResults(elements[at + 1]),
  )
  if (block === undefined) {
    warnOfThinking(reading, options)
    return null
  }
  const invokes = readerOf(text, reading, options).read(block)
  if (block.isBare && invokes.every(({ fault }) => fault?.kind === 'refused')) return null
  const calls = invokes.flatMap((invoke) => toolCall(invoke, () => newId(invoke, options)))
  const { start, end } = block
  return {
    calls,
    notices: noticesOf(invokes),
    beforeText: text.slice(0, start),
    afterText: text.slice(end),
    fullMatch: text.slice(start, end),
  }
}

/**
 * Divides a reply into blocks of content: text, thinking, calls and results, in order.
 *
 * A block whose calls are all refused, or that the text ends in, is a `tool_attempt`. Results that are cut off come as
 * text, as written, and as `incomplete`; so does a block of calls that is cut off and has text after it. A call has the
 * id of its result, and a result without an id that of its call.
 *
 * @throws TypeError if the text is not a string, or for an unknown option; what `generateId` throws.
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks } from 'tokenweir/membrane'
 *
 * const { blocks } = parseAccumulatedIntoBlocks(
 *   '<thinking>hm</thinking>\nIt rains. <function_calls><invoke name="now">',
 * )
 * for (const block of blocks) console.log(JSON.stringify(block))
 * ```
 * ```text
 * {"type":"thinking","thinking":"hm"}
 * {"type":"text","text":"It rains."}
 * {"type":"tool_attempt","rawXml":"<function_calls><invoke name=\"now\">"}
 * ```
 */
export function parseAccumulatedIntoBlocks(text: string, options: BlockParseOptions = {}): ParsedBlocks {
  requireString('parseAccumulatedIntoBlocks', text)
  blockBorder.requireReady('parseAccumulatedIntoBlocks')
  checkOptions('parseAccumulatedIntoBlocks', options, TO_BLOCKS_OPTIONS)
  const opener = openingTag(options.startInsideBlock)
  return new Division(opener + text, opener.length, options).parsed
}

/** The blocks of one text. `shift`: so many units at its start were not in the text that was given. */
class Division {
  readonly parsed: ParsedBlocks
  private readonly reading: Reading
  private readonly reader: CallReader
  /** Calls that no result has answered yet. */
  private unanswered: ToolCall[] = []
  /** Blocks of calls so far. */
  private count = 0

  constructor(
    private readonly text: string,
    private readonly shift: number,
    private readonly options: BlockParseOptions,
  ) {
    const reading = (this.reading = readingOf(text, options, shift))
    this.reader = readerOf(text, reading, options)
    const isInTag = endsInTag(text.slice(reading.tags.at(-1)?.end ?? 0))
    this.parsed = {
      blocks: [],
      toolCalls: [],
      toolResults: [],
      notices: [],
      unclosedToolBlock: reading.isUnclosed || isInTag,
      emptyToolBlocks: 0,
      splicedToolBlocks: reading.splicedBlocks,
      unclosedInvokeHeads: 0,
    }
    for (const [at, element] of reading.elements.entries()) this.add(element, reading.elements[at + 1])
  }

  private add(element: Element, next: Element | undefined): void {
    const { blocks } = this.parsed
    if (element.kind === 'text') blocks.push({ type: 'text', text: element.text })
    else if (element.kind === 'thinking') {
      const thinking = this.text.slice(...element.inside)
      blocks.push(element.isClosed ? { type: 'thinking', thinking } : { type: 'thinking', thinking, incomplete: true })
    } else if (element.kind === 'calls') this.addCalls(element, next)
    else this.addResults(element)
  }

  private addCalls(element: Enclosed, next: Element | undefined): void {
    const { parsed } = this
    const rawXml = this.text.slice(element.start, element.end)
    const invokes = this.reader.read(element)
    const answer = isResults(next) ? next : undefined
    const envelope = answer?.isEnvelope === true ? this.noticesOf(answer) : undefined
    const isWhole = isWholeBlock(element)
    const isLast = next === undefined && this.reading.isUnclosed && !element.isBare
    const isCall = isWhole && invokes.length > 0
    if (isWhole && !isCall) parsed.emptyToolBlocks++
    if (isWhole) parsed.unclosedInvokeHeads += invokes.filter(({ isOpen }) => isOpen).length
    if (isCall || isLast) {
      const answered = isWhole && answer !== undefined
      const block = this.count++
      // A block without its closing tag has notices of what is cut off alone.
      const own = noticesOf(invokes).filter(({ kind }) => isWhole || kind === 'refused')
      for (const notice of envelope ?? own) parsed.notices.push({ ...notice, block, answered } satisfies BlockNotice)
    }
    const ids = answer === undefined ? [] : resultsIn(this.text, answer).map(({ toolUseId }) => toolUseId)
    const refused = envelope && new Set(envelope.flatMap(({ invoke, kind }) => (kind === 'refused' ? [invoke] : [])))
    const calls = isCall
      ? invokes.flatMap((invoke, index) =>
          refused?.has(index) === true
            ? []
            : toolCall(
                invoke,
                () => idAt(ids, index) ?? newId(invoke, this.options, this.shift),
                refused !== undefined,
              ),
        )
      : []
    if (calls.length > 0) {
      for (const call of calls) parsed.blocks.push({ type: 'tool_use', ...call, rawXml })
      parsed.toolCalls.push(...calls)
    } else if ((isCall && !element.isBare) || isLast) {
      parsed.blocks.push({ type: 'tool_attempt', rawXml })
    } else {
      parsed.blocks.push({ type: 'text', text: rawXml.trim(), incomplete: true })
    }
    if (isCall) this.unanswered = calls
  }

  private addResults(element: Enclosed): void {
    const { parsed } = this
    const rawXml = this.text.slice(element.start, element.end)
    const notices = element.isEnvelope ? this.noticesOf(element) : []
    const results = element.isClosed ? resultsIn(this.text, element) : []
    if (results.length === 0 && notices.length === 0) {
      parsed.blocks.push({ type: 'text', text: rawXml.trim(), incomplete: true })
    }
    const waiting = new Waiting(this.unanswered)
    for (const { toolUseId, toolName, content, isError } of results) {
      const call = waiting.take(toolName)
      const result = {
        toolUseId: toolUseId ?? call?.id ?? '',
        ...(toolName === undefined ? {} : { toolName }),
        content,
        isError,
      }
      parsed.toolResults.push(result)
      parsed.blocks.push({ type: 'tool_result', ...result, rawXml })
    }
    if (notices.length > 0) parsed.blocks.push({ type: 'tool_notice', notices })
    this.unanswered = []
  }

  /** What the program wrote about the calls that an element answers. */
  private noticesOf(element: Enclosed): ToolCallNotice[] {
    return noticesIn(this.text.slice(...element.inside))
  }
}

/** The tag that the prefill has left open. */
function openingTag(block: BlockParseOptions['startInsideBlock']): string {
  if (block === undefined) return ''
  const name = { thinking: 'thinking', tool_call: 'function_calls', tool_result: 'function_results' }[block]
  if (name === undefined)
    throw new TypeError(
      `parseAccumulatedIntoBlocks: startInsideBlock must be thinking, tool_call or tool_result, but is ` +
        `${JSON.stringify(block)}`,
    )
  return `<${name}>`
}

/** Calls that results answer, each once, in order. */
class Waiting {
  private readonly answered = new Set<ToolCall>()
  private readonly queues = new Map<string | undefined, ToolCall[]>()

  constructor(calls: readonly ToolCall[]) {
    this.queues.set(undefined, [...calls].reverse())
    for (const call of [...calls].reverse()) {
      const queue = this.queues.get(call.name)
      if (queue === undefined) this.queues.set(call.name, [call])
      else queue.push(call)
    }
  }

  /** The first call that waits, of a name if there is one. */
  take(name: string | undefined): ToolCall | undefined {
    const queue = this.queues.get(name)
    let call = queue?.pop()
    while (call !== undefined && this.answered.has(call)) call = queue?.pop()
    if (call !== undefined) this.answered.add(call)
    return call
  }
}

/** The elements of a text. `shift`: so many units at its start were not in the text that was given. */
function readingOf(text: string, options: ToolParseOptions, shift = 0): Reading {
  const { historyLength, harnessEnvelopes } = options
  const envelopes = harnessEnvelopes?.map(({ start, end }): Place => ({ start: start + shift, end: end + shift }))
  return elementsOf(text, unquoted(text, options, true), {
    historyLength: historyLength && historyLength + shift,
    envelopes,
  })
}

function readerOf(text: string, { payloads }: Reading, options: ToolParseOptions): CallReader {
  return new CallReader(text, payloads, options)
}

function isWholeBlock(element: Element): element is Enclosed {
  return element.kind === 'calls' && element.isClosed
}

function isResults(element: Element | undefined): element is Enclosed {
  return element?.kind === 'results'
}

/** Says that thinking which never closes has a whole block of calls in it. */
function warnOfThinking({ elements }: Reading, { historyLength, onWarning }: ToolParseOptions): void {
  const last = elements.at(-1)
  if (
    historyLength !== undefined ||
    onWarning === undefined ||
    last === undefined ||
    last.kind !== 'thinking' ||
    last.isClosed
  )
    return
  if (last.tags.some(({ role, kind }) => role === 'function_calls' && kind === 'close'))
    onWarning(
      'parseToolCalls: thinking that is not closed hides a block of calls; if it is part of the prompt, give ' +
        'its length as historyLength',
    )
}

/** The id that the results after a block of calls name for one of them. */
function idAt(ids: readonly (string | undefined)[], index: number): string | undefined {
  return ids[index]
}

/** A call to execute, if it is one; a refused one only if it is `allowed` and can be read. */
function toolCall({ name, input, fault }: Invoke, id: () => string, allowed = false): ToolCall[] {
  return input === undefined || name === '' || (fault?.kind === 'refused' && !allowed)
    ? []
    : [{ id: id(), name, input }]
}

/** What is wrong with the calls of a block. */
function noticesOf(invokes: readonly Invoke[]): ToolCallNotice[] {
  return invokes.flatMap(({ name, fault }, invoke) =>
    fault === undefined ? [] : [{ invoke, toolName: name, ...fault }],
  )
}

function newId({ name, start }: Invoke, { generateId = randomToolId }: ToolParseOptions, shift = 0): string {
  return generateId({ name, offset: start - shift })
}
