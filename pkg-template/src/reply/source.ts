// What a reply is read from: a response, bytes, text or events, or the promise of one.

import { LaterItems, REPLY_SOURCES, iteratorOf, itemsOf } from '../sources.js'
import { type ProviderError, errorInBody } from '../native/provider-error.js'
import type { Readable } from '../platform.js'

/** A page is no reply, whatever its status: a login, or the error of a proxy. */
const PAGE = /^\s*(text\/html|application\/xhtml)/i

/** The longest body that is kept, in UTF-16 code units. */
const LONGEST_BODY = 65_536

/**
 * What `readReply` needs of a `Response`.
 *
 * @example
 * ```ts
 * import { readReply, type ResponseLike } from 'tokenweir'
 *
 * const response: ResponseLike = { status: 200, headers: new Headers(), body: new Response('Hello').body }
 * console.log((await readReply(response).result()).text) // Hello
 * ```
 */
export interface ResponseLike {
  /** HTTP status; only those from 200 to 299 have a reply. */
  readonly status: number
  /** Its `content-type` says how the reply is written. */
  readonly headers: {
    /** Gives a header's value. */
    get(name: string): string | null
  }
  /** The bytes. Without them there is nothing to read, which is an error. */
  readonly body: Readable<Uint8Array> | AsyncIterable<Uint8Array> | null
  /** Whether the body was read before: it can be read once. */
  readonly bodyUsed?: boolean
}

/**
 * A source of a reply: a `Response`; a stream or an iterable of its bytes, of its text, or of events, as an SDK gives
 * them; the text as a string; or the promise of one of these.
 *
 * @example
 * ```ts
 * import { readReply, type ReplySource } from 'tokenweir'
 *
 * const print = async (source: ReplySource) => console.log((await readReply(source).result()).text)
 * await print(new Response('a response')) // a response
 * await print(['a list', ' of text']) // a list of text
 * await print([{ choices: [{ index: 0, delta: { content: 'events' } }] }]) // events
 * ```
 */
export type ReplySource =
  | string
  | ResponseLike
  | Readable<unknown>
  | AsyncIterable<string | object>
  | Iterable<string | object>
  | PromiseLike<ReplySource>

/** Whether a value is a response: its body is the reply. */
export function isResponse(value: unknown): value is ResponseLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    'body' in value &&
    typeof (value as ResponseLike).status === 'number' &&
    typeof (value as ResponseLike).headers?.get === 'function'
  )
}

/** Whether a value is bytes. */
export function isBytes(value: unknown): value is ArrayBufferView | ArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer
}

/** Whether a value is a promise. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function'
}

/** The items of a source: of a response itself, and then its bytes. */
export function replyItems(place: string, source: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  if (isBytes(source)) return [source]
  if (isResponse(source)) return new ResponseItems(place, source)
  if (isPromise(source)) return new LaterItems(async () => replyItems(place, await source))
  return itemsOf(place, source, REPLY_SOURCES)
}

/** A response, and then its bytes. */
class ResponseItems implements AsyncIterableIterator<unknown> {
  #body: AsyncIterator<unknown> | Iterator<unknown> | undefined

  constructor(
    private readonly place: string,
    private readonly response: ResponseLike,
  ) {}

  async next(): Promise<IteratorResult<unknown>> {
    if (this.#body !== undefined) return this.#body.next()
    const { status, headers, body, bodyUsed } = this.response
    const isPage = PAGE.test(headers.get('content-type') ?? '')
    const isGood = status >= 200 && status < 300 && !isPage
    if (bodyUsed === true || body === null || body === undefined) {
      if (!isGood) throw errorOfBody(this.response, '')
      const why =
        bodyUsed === true
          ? 'was read before, and can be read once: read its clone(), or what was read of it'
          : 'has no body that can be read'
      throw new TypeError(`${this.place}: the response ${why}`)
    }
    const bytes = this.#open()
    if (isGood) return { done: false, value: this.response }
    const text = await textOf(bytes)
    throw status < 300 ? new ResponseError(this.response, text, pageError(text)) : errorOfBody(this.response, text)
  }

  async return(): Promise<IteratorResult<unknown>> {
    await (this.#body ?? this.#open()).return?.()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #open(): AsyncIterator<unknown> | Iterator<unknown> {
    return (this.#body = iteratorOf(itemsOf(this.place, this.response.body ?? [], 'a body')))
  }
}

/** The beginning of an error's body. */
async function textOf(body: AsyncIterator<unknown> | Iterator<unknown>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await body.next()
    if (done === true) return (text + decoder.decode()).slice(0, LONGEST_BODY)
    text += typeof value === 'string' ? value : decoder.decode(value as Uint8Array, { stream: true })
    if (text.length < LONGEST_BODY) continue
    await body.return?.()
    return text.slice(0, LONGEST_BODY)
  }
}

/** The error of a response by its body. */
function errorOfBody(response: ResponseLike, body: string): ResponseError {
  return new ResponseError(response, body, reportedIn(body))
}

/** The error that a page is, with the first words of its title, or of its text. */
function pageError(page: string): ProviderError {
  const [, title = page.replace(/<(script|style)\b[^]*?<\/\1>|<[^>]*>/gi, ' ')] =
    /<title[^>]*>([^<]+)/i.exec(page) ?? []
  const words = title.trim().replace(/\s+/g, ' ').slice(0, 80)
  return { code: 'html-page', message: `a page, not a reply: ${words}`, raw: {} }
}

function reportedIn(body: string): ProviderError | undefined {
  try {
    return errorInBody(JSON.parse(body))
  } catch {
    return undefined
  }
}

/**
 * The server answered with an error, or the provider reported one in its stream.
 *
 * @example
 * ```ts
 * import { readReply, ResponseError } from 'tokenweir'
 *
 * const body = '{"error": {"type": "rate_limit_error", "message": "Slow down"}}'
 * const response = new Response(body, { status: 429, headers: { 'retry-after': '7' } })
 * await readReply(response).result().catch((error) => {
 *   if (!(error instanceof ResponseError)) throw error
 *   console.log(error.status, error.code, error.headers?.get('retry-after'))
 *   console.log(error.message)
 * })
 * ```
 * ```text
 * 429 rate_limit_error 7
 * the server answered with status 429: rate_limit_error: Slow down
 * ```
 */
export class ResponseError extends Error {
  /** The name of the class. */
  override readonly name = 'ResponseError'
  /** The response's HTTP status; of an error that came in the stream that which it names, if it names one. */
  readonly status: number | undefined
  /** The response's headers, such as `retry-after`; undefined for an error that came in the stream. */
  readonly headers:
    | {
        /** Gives a header's value. */
        get(name: string): string | null
      }
    | undefined
  /** The response's body, at most its first 65,536 characters; of an error in the stream, its event as JSON. */
  readonly body: string
  /** The provider's code, such as `context_length_exceeded`; else its type. Undefined if it gave none. */
  readonly code: string | undefined
  /** The provider's type of the error, such as `overloaded_error`; undefined if it gave none. */
  readonly type: string | undefined

  /** @internal */
  constructor(
    response: Pick<ResponseError, 'status' | 'headers'> | undefined,
    body: string,
    reported: ProviderError | undefined,
  ) {
    const status = response?.status
    // A provider's error has this code if it has none.
    const code = reported?.code === 'error' ? undefined : reported?.code
    const what = status === undefined ? 'the provider reported an error' : `the server answered with status ${status}`
    const message = reported?.message ?? body.trim().replace(/\s+/g, ' ').slice(0, 200)
    super([what, code, message].filter(Boolean).join(': '))
    this.status = status ?? reported?.status
    this.type = reported?.type
    this.headers = response?.headers
    this.body = body
    this.code = code
  }
}
