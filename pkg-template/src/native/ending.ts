// Why a reply ended, and how many tokens it took: where each provider says so.

import { type FinishReason, endedByItself, reasonOf } from '../finish-reason.js'
import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import type { Provider } from './provider.js'

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
  read(provider: Provider, fields: Fields): { readonly hasReason: boolean; readonly hasUsage: boolean } {
    const { reason, usage, words, from } = provider
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
