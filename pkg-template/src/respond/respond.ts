// A reply as a `Response` in another protocol, and as its events.

import type { Meaning } from '../blocks/custom-types.js'
import type { Reply } from '../reply/reply.js'
import type { ResponseError } from '../reply/source.js'
import type { GivenTools } from '../schema/tool-list.js'
import { type Answer, type Step, answerOf } from './answer.js'
import type { PlatformResponse } from './platform.js'
import type { Protocol, RespondOptions } from './options.js'

/** The events that come next, if a response has them. */
type Next = IteratorResult<object, void>

/**
 * Answers in a protocol: a streaming `Response`.
 *
 * The source is a reply, or an async iterable that yields replies, results of their calls, and events of the protocol.
 * A reply is read to its end before the iterable goes on. The status waits for the first piece, so that an error before
 * it is an error's status. Nothing is read ahead; cancelling the body stops the source.
 *
 * @throws TypeError immediately, for an unknown protocol or option, or an invalid source.
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { respond } from 'tokenweir/respond'
 *
 * const reply = readReply('<think>hm</think>Hello')
 * const response = await respond(reply, 'aiSdk')
 * console.log((await response.text()).trimEnd())
 * ```
 * ```text
 * data: {"type":"start"}
 *
 * data: {"type":"start-step"}
 *
 * data: {"type":"reasoning-start","id":"1"}
 *
 * data: {"type":"reasoning-delta","id":"1","delta":"hm"}
 *
 * data: {"type":"reasoning-end","id":"1"}
 *
 * data: {"type":"text-start","id":"2"}
 *
 * data: {"type":"text-delta","id":"2","delta":"Hello"}
 *
 * data: {"type":"text-end","id":"2"}
 *
 * data: {"type":"finish-step"}
 *
 * data: {"type":"finish","finishReason":"stop"}
 *
 * data: [DONE]
 * ```
 */
export function respond(
  source: Reply<GivenTools, Meaning> | AsyncIterable<Step>,
  protocol: Protocol,
  options: RespondOptions = {},
): Promise<PlatformResponse> {
  const answer = answerOf('respond', source, protocol, options)
  return answered(answer, protocol, options, new Headers(options.headers))
}

/**
 * The events of an answer, for a WebSocket or a test: those that `respond` writes as server-sent events.
 *
 * @throws TypeError immediately, as `respond`.
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { protocolEvents } from 'tokenweir/respond'
 *
 * const events = protocolEvents(readReply('Hello'), 'agUi', { threadId: 't1', runId: 'r1' })
 * for await (const event of events) console.log('type' in event && event.type)
 * ```
 * ```text
 * RUN_STARTED
 * TEXT_MESSAGE_START
 * TEXT_MESSAGE_CONTENT
 * TEXT_MESSAGE_END
 * RUN_FINISHED
 * ```
 */
export function protocolEvents(
  source: Reply<GivenTools, Meaning> | AsyncIterable<Step>,
  protocol: Protocol,
  options: RespondOptions = {},
): AsyncGenerator<object, void> {
  return answerOf('protocolEvents', source, protocol, options).events
}

async function answered(
  answer: Answer,
  protocol: Protocol,
  { keepAlive, stream }: RespondOptions,
  headers: Headers,
): Promise<PlatformResponse> {
  const { events } = answer
  let next: Promise<Next> | undefined = events.next()
  const first = await soon(next, stream === false ? undefined : keepAlive)
  const { value = {} } = first ?? {}
  const { type, errorText } = value as { type?: string; errorText?: string }
  const { error } = answer.failure ?? {}
  // A stream that was stopped says so, if its protocol has a word for it.
  const isFailed = answer.failure !== undefined && type !== 'abort'
  const isJson = isFailed ? protocol !== 'aiSdk' : stream === false
  const { status = 0, headers: sent } = (error ?? {}) as Partial<ResponseError>
  const after = isFailed && sent?.get?.('retry-after')
  const own = {
    ...(isJson && { 'content-type': 'application/json' }),
    ...(after && { 'retry-after': after }),
    ...(!isFailed && !isJson && STREAM),
    ...(!isFailed && protocol === 'aiSdk' && { 'x-vercel-ai-ui-message-stream': 'v1' }),
  }
  for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value)
  if (isFailed || isJson) {
    void events.return()
    const body = isJson ? JSON.stringify(value) : errorText
    return new Response(body ?? '', { status: !isFailed ? 200 : status >= 400 && status < 600 ? status : 502, headers })
  }
  const encoder = new TextEncoder()
  const send = (controller: ReadableStreamDefaultController, text: string) =>
    controller.enqueue(encoder.encode(`${text}\n\n`))
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= events.next()
        const event = await soon(next, keepAlive)
        if (event === undefined) return send(controller, ': keep-alive')
        next = undefined
        if (event.done !== true) return send(controller, `data: ${JSON.stringify(event.value)}`)
        if (protocol !== 'agUi') send(controller, 'data: [DONE]')
        controller.close()
      },
      cancel() {
        void events.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers })
}

/** What a promise gives, or undefined if it takes longer. */
async function soon(next: Promise<Next>, milliseconds: number | undefined): Promise<Next | undefined> {
  if (milliseconds === undefined) return next
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, milliseconds)))
  return Promise.race([next, late]).finally(() => clearTimeout(timer))
}

const STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
