// OpenAI's chat completions.
//
// Source: OpenAI's API reference, "Chat completion chunk".

import { type CallOperation, type Fault, type Usage, type Write, newId } from './operations.js'
import type { RespondOptions } from './options.js'

type Joined = Record<string, unknown>

interface Chunk {
  readonly choices?: ReadonlyArray<{ readonly delta: object; readonly finish_reason: string | null }>
}

/** Writes chunks, or with `stream: false` one completion. `waits`: whether results may come. */
export function openAiWriter(options: RespondOptions, waits: boolean): Write {
  const { id = `chatcmpl-${newId()}`, model = '', stream } = options
  const head = { id, created: Math.floor(Date.now() / 1000), model }
  const write = chunks(options, head, waits)
  return stream === false ? completion(head, write) : write
}

/** Makes chunks of deltas: the first has the role, and texts go on with those of the reply before. */
function deltas(head: object) {
  let hasBegun = false
  /** The fields of text that were written, and those of them that go on with another reply. */
  const texts = new Set<string>()
  let gaps = new Set<string>()
  const chunk = (choices: object[], rest?: object) => ({ ...head, object: 'chat.completion.chunk', choices, ...rest })
  const add = (delta: object, reason: string | null = null): object[] => {
    const first = hasBegun ? [] : [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]
    hasBegun = true
    return [...first, { index: 0, delta, finish_reason: reason }].map((choice) => chunk([choice]))
  }
  const say = (name: string, text: string) => {
    const gap = gaps.delete(name) ? '\n\n' : ''
    texts.add(name)
    return add({ [name]: gap + text })
  }
  const nextReply = () => {
    gaps = new Set(texts)
  }
  return { chunk, add, say, nextReply }
}

function chunks({ usage: isCounted, thinking }: RespondOptions, head: object, waits: boolean): Write {
  const field = thinking === 'reasoning' ? thinking : 'reasoning_content'
  const { chunk, add, say, nextReply } = deltas(head)
  /** The calls that wait for their results: clients don't hear of those that are run here. */
  const waiting = new Map<string, CallOperation[]>()
  /** The place of each call. */
  const places = new Map<string, number>()
  const call = (operation: CallOperation): object[] => {
    const { id, name } = operation.call
    if (operation.kind === 'call') {
      const index = places.size
      places.set(id, index)
      return add({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    }
    const index = places.get(id) ?? 0
    return operation.kind === 'input' ? add({ tool_calls: [{ index, function: { arguments: operation.text } }] }) : []
  }
  return (operation) => {
    switch (operation.kind) {
      case 'step':
        // It asks again for what was not whole.
        for (const [id, said] of waiting) if (said.at(-1)?.kind === 'failed') waiting.delete(id)
        nextReply()
        return []
      case 'text':
        return say('content', operation.text)
      case 'thinking':
        return say(field, operation.text)
      case 'event':
        return [operation.event]
      case 'finish': {
        const { reason, usage } = operation
        const calls = [...waiting.values()].flat().flatMap(call)
        const end = add({}, reason === 'other' ? 'stop' : reason.replace('-', '_'))
        const counts = isCounted === true && usage ? [chunk([], countsOf(usage))] : []
        return [...calls, ...end, ...counts]
      }
      case 'error':
      case 'abort':
        return [errorOf(operation.fault)]
      case 'result':
        waiting.delete(operation.call.id)
        return []
      default: {
        const { id, isHosted } = operation.call
        if (isHosted) return []
        if (!waits) return call(operation)
        if (operation.kind === 'call') waiting.set(id, [])
        waiting.get(id)?.push(operation)
        return []
      }
    }
  }
}

/** Joins chunks to one completion. */
function completion(head: object, write: Write): Write {
  const message: Joined = {}
  return (operation) => {
    const written = write(operation)
    if (operation.kind === 'error' || operation.kind === 'abort') return written
    let reason: unknown
    for (const chunk of written as Chunk[])
      for (const { delta, finish_reason } of chunk.choices ?? []) {
        reason = finish_reason
        join(message, delta)
      }
    if (operation.kind !== 'finish') return []
    if (message['tool_calls'] !== undefined) message['content'] ||= null
    const choice = { index: 0, message, finish_reason: reason }
    return [
      { ...head, object: 'chat.completion', choices: [choice], ...(operation.usage && countsOf(operation.usage)) },
    ]
  }
}

/** Adds a delta: texts are joined, and so are those of a call. */
function join(into: Joined, delta: object): void {
  for (const [key, value] of Object.entries(delta)) {
    if (typeof value === 'string') into[key] = `${into[key] ?? ''}${value}`
    else if (key !== 'tool_calls') join((into[key] ??= {}) as Joined, value)
    else for (const { index, ...call } of value) join((((into[key] ??= []) as Joined[])[index] ??= {}), call)
  }
}

/** An error as clients of OpenAI know it. */
function errorOf({ message, type = 'server_error', code }: Fault): object {
  return { error: { message, type, code: code ?? null, param: null } }
}

function countsOf({ inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens }: Usage): object {
  return { usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens } }
}
