// A reply in a React component, as it is written.

import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Meaning, ReplyOptions, Role } from './reply/options.js'
import { type Reply, type ReplyFailure, type ReplyResult, readReply } from './reply/reply.js'
import type { ReplySource } from './reply/source.js'
import type { Signal } from './platform.js'
import type { GivenTools } from './schema/tool-list.js'

/**
 * What `send` reads: a reply, or a function that gets one with a signal, which `stop` aborts.
 *
 * @example
 * ```ts
 * import type { ReplyStart } from 'tokenweir/react'
 *
 * const ask: ReplyStart = (signal) => fetch('/chat', { method: 'POST', body: 'Hello', signal })
 * console.log(typeof ask) // function
 * ```
 */
export type ReplyStart = ReplySource | ((signal: Signal) => ReplySource)

/**
 * A reply as far as it was read, as `result()` of `readReply` has it: with `finishReason` and `usage`, once they are
 * known.
 *
 * @example
 * ```ts
 * import type { ReplyState } from 'tokenweir/react'
 *
 * export function isBusy({ status }: ReplyState) {
 *   return status === 'streaming'
 * }
 * ```
 */
export interface ReplyState<Tools extends GivenTools = readonly [], Custom extends Meaning = Role>
  extends Readonly<ReplyResult<Tools, Custom>> {
  /** `done`: it came to its end; `stopped`: `stop` has ended it; `error`: `error` has. */
  readonly status: 'idle' | 'streaming' | 'done' | 'stopped' | 'error'
  /** What `readReply` rejected with. */
  readonly error: ReplyFailure | undefined
}

/**
 * What `useReply` returns.
 *
 * @example
 * ```ts
 * import type { UseReply } from 'tokenweir/react'
 *
 * export function ask({ send }: UseReply, question: string) {
 *   send((signal) => fetch('/chat', { method: 'POST', body: question, signal }))
 * }
 * ```
 */
export interface UseReply<Tools extends GivenTools = readonly [], Custom extends Meaning = Role>
  extends ReplyState<Tools, Custom> {
  /** Reads a reply. What was being read before is stopped. `more`: what it goes on with, such as this state. */
  readonly send: (source: ReplyStart, more?: Pick<ReplyOptions, 'continues' | 'sent'>) => void
  /** Stops the reading and the request; what was read stays. */
  readonly stop: () => void
}

const NOTHING: ReplyResult = { text: '', thinking: '', toolCalls: [], problems: [], blocks: [] }
const IDLE: ReplyState = { ...NOTHING, status: 'idle', error: undefined }
const idle = () => IDLE

/**
 * A reply in a component: its text, thinking, calls and blocks so far. It renders at most once a frame, and the end of
 * the component stops the request. The options are those of `readReply`, at the time of `send`. On a server it is idle.
 *
 * `toolCalls` are the calls that the program is to run, whole ones; calls that are being written are in no list. A
 * reply that was cut off is `done` too: its `finishReason` is `length`, or undefined.
 *
 * @example
 * ```ts
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 * import { useReply } from 'tokenweir/react'
 *
 * function Answer({ question }: { question: string }) {
 *   const { text, status, send, stop } = useReply()
 *   const ask = () => send((signal) => fetch('/chat', { method: 'POST', body: question, signal }))
 *   const button = status === 'streaming' ? { onClick: stop, children: 'Stop' } : { onClick: ask, children: 'Ask' }
 *   return createElement('p', null, text, createElement('button', button))
 * }
 * console.log(renderToString(createElement(Answer, { question: 'Hello' }))) // <p><button>Ask</button></p>
 * ```
 */
export function useReply<const Tools extends GivenTools = readonly [], const Custom extends Meaning = Role>(
  options?: ReplyOptions<Tools, Custom>,
): UseReply<Tools, Custom> {
  const [store] = useState(() => new Store())
  useEffect(() => {
    store.options = options as ReplyOptions | undefined
  })
  const state = useSyncExternalStore(store.subscribe, store.shown, idle)
  return { ...(state as unknown as ReplyState<Tools, Custom>), send: store.send, stop: store.stop }
}

/** The reply of one component. */
class Store {
  options: ReplyOptions | undefined
  #state = IDLE
  #reply: Reply | undefined
  #controller: AbortController | undefined
  #frame: number | undefined
  readonly #listeners = new Set<() => void>()

  readonly shown = (): ReplyState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      // Later, since StrictMode leaves and comes again.
      setTimeout(() => this.#listeners.size === 0 && this.stop())
    }
  }

  readonly stop = (): void => this.#controller?.abort()

  readonly send: UseReply['send'] = (source, more) => {
    this.stop()
    this.#controller = new AbortController()
    void this.#read(source, { ...this.options, ...more, signal: this.#controller.signal })
  }

  async #read(source: ReplyStart, options: ReplyOptions & { readonly signal: Signal }): Promise<void> {
    const { signal } = options
    const isMine = () => this.#controller?.signal === signal
    this.#reply = undefined
    this.#show({ ...IDLE, status: 'streaming' })
    let end: Pick<ReplyState, 'status' | 'error'> = { status: 'done', error: undefined }
    try {
      const reply = readReply(typeof source === 'function' ? source(signal) : source, options)
      this.#reply = reply as unknown as Reply
      for await (const _ of reply) this.#frame ??= requestAnimationFrame(() => this.#show({ status: 'streaming' }))
    } catch (error) {
      end = signal.aborted
        ? { status: 'stopped', error: undefined }
        : { status: 'error', error: error instanceof Error ? error : new Error(String(error)) }
    }
    // Immediately: a hidden tab has no frames.
    if (isMine()) this.#show(end)
  }

  #show(more: Partial<ReplyState>): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    const { status, error } = this.#state
    this.#state = { ...(this.#reply?.soFar ?? NOTHING), status, error, ...more }
    for (const listener of this.#listeners) listener()
  }
}
