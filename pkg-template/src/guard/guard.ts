// Guards a reply: each of its blocks alone.
//
// What comes of it is read by another reply, so that text and blocks agree with the emissions. What these don't say is
// that of the first one.

import type { Meaning, Role } from '../blocks/custom-types.js'
import type { Reply, ReplyReader, ReplyResult } from '../reply/reply.js'
import type { GivenTools } from '../schema/tool-list.js'
import { type Source, guardedReader } from './guarded-reader.js'
import type { GuardOptions, Stopped } from './types.js'

/**
 * How a reply is guarded.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { guard, type ReplyGuardOptions } from 'tokenweir/guard'
 *
 * const options: ReplyGuardOptions = { redact: ['hunter2'], in: ['text'] }
 * const { text, thinking } = await guard(readReply('<think>hunter2?</think>It is hunter2.'), options).result()
 * console.log(thinking, text) // hunter2? It is [redacted].
 * ```
 */
export interface ReplyGuardOptions extends GuardOptions {
  /**
   * What is guarded. `arguments`: the values in those of tool calls, which the tools then get guarded; a call comes
   * when it is whole then. @defaultValue text and thinking
   */
  readonly in?: ReadonlyArray<'text' | 'thinking' | 'arguments'> | undefined
}

/**
 * What a guarded reply was.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { guard, type GuardedResult } from 'tokenweir/guard'
 *
 * const result: GuardedResult = await guard(readReply('Hello. User: Hi!'), { stop: [' User:'] }).result()
 * console.log(result.text, result.finishReason, result.stopped?.offset) // Hello. content-filter 6
 * ```
 */
export type GuardedResult<Tools extends GivenTools = readonly [], Custom extends Meaning = Role> = ReplyResult<
  Tools,
  Custom
> & {
  /** What has ended it, if a `stop` has. */
  stopped?: Stopped
}

/**
 * A reply that is guarded.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { guard, type GuardedReply } from 'tokenweir/guard'
 *
 * const reply: GuardedReply = guard(readReply('It is hunter2.'), { redact: ['hunter2'] })
 * console.log((await reply.result()).text, reply.stopped) // It is [redacted]. undefined
 * ```
 */
export interface GuardedReply<Tools extends GivenTools = readonly [], Custom extends Meaning = Role>
  extends Reply<Tools, Custom> {
  /** The reply as far as it was read. */
  readonly soFar: GuardedResult<Tools, Custom>
  /** What has ended it, if a `stop` has. */
  readonly stopped: Stopped | undefined
  /** Reads to the end, and returns the whole reply. */
  result(): Promise<GuardedResult<Tools, Custom>>
}

/**
 * Guards a reply, each of its blocks alone: what comes is a reply, whose emissions, `soFar` and result have the
 * guarded text. Everything that takes a reply takes it. After a stop its `finishReason` is `content-filter`, it has no
 * calls, no message and no journal, and the source is cancelled.
 *
 * `message` and `journal` are for the provider, and stay what they were; callbacks of `readReply` hear everything.
 * Neither are names, results of tools, attributes and markup guarded. A delta that was changed has no `span`.
 *
 * @throws TypeError immediately, for a wrong option, a reply that a loop reads already, and a pattern that can't be
 * decided while text comes
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { guard } from 'tokenweir/guard'
 *
 * const reply = guard(readReply(['It is hunt', 'er2.']), { redact: ['hunter2'] })
 * for await (const emission of reply) if (emission.kind === 'content') console.log(emission.text.trim())
 * console.log((await reply.result()).text)
 * ```
 * ```text
 * It is
 * [redacted].
 * It is [redacted].
 * ```
 */
export function guard<Tools extends GivenTools = readonly [], Custom extends Meaning = Role>(
  reply: Reply<Tools, Custom>,
  options: ReplyGuardOptions,
): GuardedReply<Tools, Custom> {
  const reader = guardedReader(reply as unknown as Source, options)
  const Base = reply.constructor as typeof Reply<Tools, Custom>
  const { trimMarkup } = reply.reading
  const load = async () => reader as unknown as ReplyReader
  const guarded = new Base(reply, load, undefined, { callsInText: true, trimMarkup })
  const soFar = () => reader.result(Reflect.get(Base.prototype, 'soFar', guarded) as unknown as ReplyResult)
  const stopped = () => reader.stopped
  return Object.defineProperties(guarded, { soFar: { get: soFar }, stopped: { get: stopped } }) as GuardedReply<
    Tools,
    Custom
  >
}
