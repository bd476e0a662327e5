// A model's reply as a store that React can subscribe to: `useModelStream.ts` does.
// `useReply` of tokenweir/react has calls once they are whole; this store has them
// from their first character on.
//
// Reading starts with the first subscriber and stops when the last one leaves.
// Chunks may come by the hundred; subscribers are notified once per frame.
import { type BlockEmission } from 'tokenweir/blocks'
import { type ReplySource, readReply } from 'tokenweir'

/** A URL that streams a reply, of any provider or as text; or a stream of one. A stream can be read only once. */
export type ModelSource = string | Exclude<ReplySource, string>

/** A tool call, from its first character on. */
interface ToolCall {
  id: string
  name: string
  /** The JSON text of the input so far. */
  inputText: string
  /** The input, once the call is complete. A call without it must not be run. */
  input: Record<string, unknown> | undefined
}

/** The state of a reply. */
export interface ModelReply {
  text: string
  thinking: string
  toolCalls: readonly ToolCall[]
  status: 'idle' | 'streaming' | 'done' | 'stopped' | 'error'
  error: Error | undefined
}

export interface ModelStream {
  subscribe: (listener: () => void) => () => void
  getSnapshot: () => ModelReply
  /** Stops the model; the text so far stays. */
  stop: () => void
}

const nothing: ModelReply = { text: '', thinking: '', toolCalls: [], status: 'idle', error: undefined }

/** The state without a source. */
export const idle: ModelStream = { subscribe: () => () => {}, getSnapshot: () => nothing, stop() {} }

export function modelStream(source: ModelSource): ModelStream {
  const listeners = new Set<() => void>()
  const stopped = new AbortController()
  let hasBegun = false
  let reply: ModelReply = { ...nothing, status: 'streaming' }
  let shown = reply
  let frame: number | undefined

  function change(more: Partial<ModelReply>) {
    reply = { ...reply, ...more }
    frame ??= requestAnimationFrame(show)
  }

  function changeCall(more: Partial<ToolCall>) {
    change({ toolCalls: reply.toolCalls.map((call, index) => (index === reply.toolCalls.length - 1 ? { ...call, ...more } : call)) })
  }

  function show() {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    shown = reply
    for (const listener of listeners) listener()
  }

  function take(emission: BlockEmission) {
    if (emission.kind === 'content') {
      const { text, meta } = emission
      if (meta.toolCallPart === 'name') changeCall({ name: text })
      else if (meta.toolCallPart === 'id') changeCall({ id: text })
      else if (meta.toolCallPart === 'input') changeCall({ inputText: (reply.toolCalls.at(-1)?.inputText ?? '') + text })
    } else if (emission.kind === 'blockEvent') {
      const { event } = emission
      if (event.event === 'block_start') {
        if (event.block.type === 'tool_call') change({ toolCalls: [...reply.toolCalls, { id: '', name: '', inputText: '', input: undefined }] })
      } else if (event.event === 'block_complete' && event.block.type === 'tool_call') {
        const { input, incomplete, insideThinking, inText, hosted } = event.block
        // Calls in thinking or in a provider's text are not to be run, nor those that the provider runs itself.
        if (!incomplete && !insideThinking && !inText && !hosted) changeCall({ input })
      }
    }
  }

  async function read() {
    const { signal } = stopped
    try {
      const model = readReply(typeof source === 'string' ? fetch(source, { signal }) : source, { signal })
      for await (const emission of model) {
        // What is taken back when a step is asked again is not in soFar.
        if (emission.kind !== 'reset') take(emission)
        const { text, thinking } = model.soFar
        change({ text, thinking })
      }
      change({ text: model.soFar.text, status: 'done' })
    } catch (error) {
      change(signal.aborted ? { status: 'stopped' } : { status: 'error', error: error instanceof Error ? error : new Error(String(error)) })
    }
    // Immediately, not at the next frame: a hidden tab has no frames.
    show()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      if (!hasBegun) void read()
      hasBegun = true
      return () => {
        listeners.delete(listener)
        // Later, because StrictMode unsubscribes and immediately subscribes again.
        setTimeout(() => listeners.size === 0 && stopped.abort())
      }
    },
    getSnapshot: () => shown,
    stop: () => stopped.abort(),
  }
}
