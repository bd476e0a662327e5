// What `respond` and `protocolEvents` take.

import { type OptionTable, abortSignal, callback, checkOptions, choice, elsewhere, must, text } from '../options.js'
import type { Signal } from '../platform.js'
import type { HeadersSource } from './platform.js'

/**
 * The protocols that answers are written in, by the names of `ProviderName`: OpenAI's chat completions, the UI message
 * stream of the AI SDK, and AG-UI.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { type Protocol, respond } from 'tokenweir/respond'
 *
 * const answer = (protocol: Protocol) => respond(readReply('Hello'), protocol)
 * console.log((await answer('openai')).headers.get('content-type')) // text/event-stream
 * ```
 */
export type Protocol = 'openai' | 'aiSdk' | 'agUi'

/**
 * How an answer is written.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { respond, type RespondOptions } from 'tokenweir/respond'
 *
 * const options: RespondOptions = { id: 'chatcmpl-1', model: 'porto-7b', stream: false }
 * const { id, model, choices } = await (await respond(readReply('Hello'), 'openai', options)).json()
 * console.log(id, model, choices[0].message) // chatcmpl-1 porto-7b { role: 'assistant', content: 'Hello' }
 * ```
 */
export interface RespondOptions {
  /** `openai`: the id of the completion, made up by default. `aiSdk`: that of the message, absent by default. */
  id?: string | undefined
  /** `openai`: the name of the model. @defaultValue '' */
  model?: string | undefined
  /** `agUi`: the thread of the request. @defaultValue an id that is made up */
  threadId?: string | undefined
  /** `agUi`: the run of the request. @defaultValue an id that is made up */
  runId?: string | undefined
  /**
   * Whether clients get the tokens. `openai`: in a chunk of their own, as `stream_options.include_usage` asks; `aiSdk`:
   * in `messageMetadata.usage`. AG-UI has a place for them, where they always are. @defaultValue false
   */
  usage?: boolean | undefined
  /**
   * Whether clients get the thinking. `openai` has no field for it: it is `reasoning_content`, or, with `'reasoning'`,
   * the field that vLLM and OpenRouter have. @defaultValue true
   */
  thinking?: boolean | 'reasoning' | undefined
  /**
   * `'whole'` writes a call once it is complete, and nothing of a call that never is. @defaultValue 'pieces': as it is
   * written
   */
  calls?: 'pieces' | 'whole' | undefined
  /** `false`, with `openai`: one JSON completion instead of a stream. */
  stream?: false | undefined
  /** What clients read of an error. @defaultValue its code alone, never what the provider has said */
  errorText?: ((error: unknown) => string) | undefined
  /** After how many milliseconds of silence a comment keeps the connection open. @defaultValue never */
  keepAlive?: number | undefined
  /** Headers besides those of the protocol, or instead of them. */
  headers?: HeadersSource | undefined
  /** Stops the answer: the source is stopped, and clients hear of it. */
  signal?: Signal | undefined
}

/** @throws TypeError for a protocol, or an option, that there is not. */
export function requireOptions(place: string, protocol: unknown, options: RespondOptions): void {
  choice('openai', 'aiSdk', 'agUi')(`${place}: the protocol`, protocol)
  checkOptions(place, options, {
    id: [text],
    model: [text],
    threadId: [text],
    runId: [text],
    usage: [choice(true, false)],
    thinking: [choice(true, false, 'reasoning')],
    calls: [choice('pieces', 'whole')],
    stream: [must('left out, or false with openai', (value) => value === false && protocol === 'openai')],
    errorText: [callback],
    keepAlive: [must('above 0', (value) => typeof value === 'number' && value > 0)],
    headers: [elsewhere],
    signal: [abortSignal],
  } satisfies OptionTable<RespondOptions>)
}
