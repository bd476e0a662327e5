// Why a reply ended, and how many tokens it took: where each provider says so.

import { type FinishReason, endedByItself, reasonOf } from '../finish-reason.js'
import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import type { ProviderName } from '../provider-name.js'

/**
 * The tokens of a reply, as far as the provider reported them.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type ReplyUsage } from 'tokenweir'
 *
 * const blocks = new NativeBlocks()
 * blocks.openai({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } })
 * const usage: ReplyUsage | undefined = blocks.getUsage()
 * console.log(usage?.inputTokens, usage?.outputTokens, usage?.totalTokens) // 5 2 7
 * ```
 */
export interface ReplyUsage {
  /** Tokens of the prompt. */
  inputTokens?: number
  /** Tokens of the reply, thinking included. */
  outputTokens?: number
  /** As the provider reported it; else the sum, if both are known. */
  totalTokens?: number
  /** All that the provider reported, under its own names; of several reports the last value of each name. */
  raw: object
}

interface Place {
  readonly reason: readonly string[]
  readonly usage: readonly string[]
  /** What of an event says it, where that is not among its fields. */
  readonly from?: (event: Fields) => Fields
  /** Words that mean something else than those of others. */
  readonly words?: Readonly<Record<string, FinishReason>>
}

/** llama.cpp's /completion has its counts among the other fields, as Ollama has. */
const CHAT: Place = {
  reason: ['choices.0.finish_reason', 'choices.0.finishReason', 'data.choices.0.finishReason', 'stop_type'],
  usage: ['usage', 'x_groq.usage', 'data.usage', '.'],
}

/**
 * Where an event or a reply has its reason and its usage: `a.b` is a field of a field, `a.0` the first item of a list.
 * The first that is there counts.
 */
const PLACES: Readonly<Record<ProviderName, Place>> = {
  anthropic: { reason: ['delta.stop_reason', 'stop_reason'], usage: ['message.usage', 'usage'] },
  openai: CHAT,
  openaiResponses: {
    reason: ['response.incomplete_details.reason', 'incomplete_details.reason', 'response.status', 'status'],
    usage: ['response.usage', 'usage'],
  },
  aiSdk: {
    reason: ['finishReason.unified', 'finishReason'],
    usage: ['totalUsage', 'usage', 'messageMetadata.usage'],
  },
  gemini: { reason: ['candidates.0.finishReason', 'promptFeedback.blockReason'], usage: ['usageMetadata'] },
  interactions: {
    reason: ['interaction.status', 'status'],
    usage: ['interaction.usage', 'usage'],
    words: { cancelled: 'other' },
  },
  bedrock: { reason: ['messageStop.stopReason', 'stopReason'], usage: ['metadata.usage', 'usage'] },
  cohere: {
    reason: ['delta.finish_reason', 'finish_reason'],
    usage: ['delta.usage.tokens', 'usage.tokens', 'delta.usage', 'usage'],
  },
  ollama: { reason: ['done_reason'], usage: ['.'] },
  mistral: CHAT,
  agUi: {
    reason: ['reason'],
    usage: ['usage'],
    from: ofRun,
    // It was stopped, and did not fail.
    words: { cancelled: 'interrupted' },
  },
}

/** Events that end a reply, with a reason or without. */
const ENDS = /^(message_stop|finish|response\.completed|RUN_FINISHED)$/

/** The providers' names for each count. */
const COUNTS = {
  inputTokens: [
    'input_tokens',
    'total_input_tokens',
    'inputTokens',
    'prompt_tokens',
    'promptTokens',
    'promptTokenCount',
    'prompt_eval_count',
    'tokens_evaluated',
  ],
  outputTokens: [
    'output_tokens',
    'total_output_tokens',
    'outputTokens',
    'completion_tokens',
    'completionTokens',
    'candidatesTokenCount',
    'eval_count',
    'tokens_predicted',
  ],
  totalTokens: ['total_tokens', 'totalTokens', 'totalTokenCount'],
} as const

/** A count among the fields of an event. */
const COUNT = /_count$|^tokens_[a-z]+$/

/** How one reply ended. */
export class Ending {
  private word = ''
  /** The word as the provider wrote it. */
  said = ''
  /** Whether something of the reply was read, or it goes on with one. */
  hasBegun = false
  /** Whether its end came, though nothing says why. */
  isDeclared = false
  private raw: Record<string, unknown> | undefined

  /** Reads an event or a whole reply: whether it has a reason, and whether it has a count. */
  read(name: ProviderName, fields: Fields): { readonly hasReason: boolean; readonly hasUsage: boolean } {
    const { reason, usage, words, from } = PLACES[name]
    const places = from?.(fields) ?? fields
    const before = this.raw
    // One run may follow another.
    if (fields['type'] === 'RUN_STARTED') this.startOver()
    this.isDeclared ||= fields['done'] === true || fields['stop'] === true || ENDS.test(stringOf(fields['type']))
    let hasReason = false
    for (const path of reason) {
      const said = stringOf(at(places, path))
      const word = said.toLowerCase()
      if (word === '' || word === 'in_progress' || word === 'queued' || word === 'none') continue
      this.word = words?.[word] ?? word
      this.said = said
      hasReason = true
      break
    }
    for (const path of usage) {
      const counts = fieldsOf(at(places, path))
      if (counts === undefined) continue
      const reported = Object.keys(counts)
        .filter((key) => path !== '.' || COUNT.test(key))
        .map((key) => [key, counts[key]] as const)
        .filter(([, value]) => value !== null && value !== undefined)
      if (reported.length > 0) this.raw = { ...this.raw, ...Object.fromEntries(reported) }
      break
    }
    return { hasReason, hasUsage: this.raw !== before }
  }

  /** Whether the reply was cut off, so that what it ended in is not whole. */
  get isCut(): boolean {
    return this.word === '' ? !this.isDeclared : !endedByItself(this.word)
  }

  /** The reply is over, by an error or without the end that its protocol has: unless its reason came before. */
  breakOff(reason: 'error' | 'interrupted'): void {
    if (this.word === '' && (reason === 'error' || !this.isDeclared)) this.word = reason
  }

  reason(hasCalls: boolean): FinishReason | undefined {
    if (this.word === '') return undefined
    const reason = reasonOf(this.word)
    return hasCalls && reason === 'stop' ? 'tool-calls' : reason
  }

  usage(): ReplyUsage | undefined {
    const { raw } = this
    if (raw === undefined) return undefined
    const usage: ReplyUsage = { raw }
    for (const name of Object.keys(COUNTS) as Array<keyof typeof COUNTS>) {
      const count = COUNTS[name].map((key) => countOf(raw[key])).find((value) => value !== undefined)
      if (count !== undefined) usage[name] = count
    }
    // Google counts thoughts beside the answer.
    const thoughts = countOf(raw['thoughtsTokenCount'] ?? raw['total_thought_tokens'])
    if (thoughts !== undefined) usage.outputTokens = (usage.outputTokens ?? 0) + thoughts
    if (usage.totalTokens === undefined && usage.inputTokens !== undefined && usage.outputTokens !== undefined)
      usage.totalTokens = usage.inputTokens + usage.outputTokens
    return usage
  }

  forget(): void {
    this.startOver()
    this.hasBegun = false
    this.raw = undefined
  }

  private startOver(): void {
    this.word = this.said = ''
    this.isDeclared = false
  }
}

/** How AG-UI's run ended, and what all of its models took: unless it says otherwise, it ended as it should. */
function ofRun({ type, outcome, result, usage }: Fields): Fields {
  if (type !== 'RUN_FINISHED' && type !== 'RUN_ERROR') return {}
  const counts = (Array.isArray(usage) ? listOf(usage) : [usage]).map((each) => fieldsOf(each) ?? {})
  const sums = usage === undefined ? {} : { usage: summed(counts) }
  if (type === 'RUN_ERROR') return sums
  const how = stringOf(fieldsOf(outcome)?.['type'])
  const reason = how === '' || how === 'success' ? stringOf(fieldsOf(result)?.['finishReason']) || 'stop' : how
  return { reason, ...sums }
}

/** Counts of several models, each name summed; of names that are no counts the last. */
function summed(counts: readonly Fields[]): Fields {
  const sum = new Map<string, unknown>()
  for (const [name, value] of counts.flatMap((each) => Object.entries(each))) {
    const before = sum.get(name)
    sum.set(name, typeof before === 'number' && typeof value === 'number' ? before + value : value)
  }
  // The total of some of them says nothing of all.
  if (counts.some((each) => typeof each['totalTokens'] !== 'number')) sum.delete('totalTokens')
  return Object.fromEntries(sum)
}

/** The names in each path that was read, so that an event splits none. */
const STEPS = new Map<string, readonly string[]>()

function at(fields: Fields, path: string): unknown {
  if (path === '.') return fields
  let steps = STEPS.get(path)
  if (steps === undefined) STEPS.set(path, (steps = path.split('.')))
  let value: unknown = fields
  for (let step = 0; step < steps.length && value !== undefined; step++) {
    const name = steps[step] as string
    value = name === '0' ? listOf(value)[0] : fieldsOf(value)?.[name]
  }
  return value
}

/** A count; the AI SDK's version 6 has it in an object, as its `total`. */
function countOf(value: unknown): number | undefined {
  const count = fieldsOf(value)?.['total'] ?? value
  return typeof count === 'number' ? count : undefined
}
