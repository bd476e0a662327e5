// OpenAI's chat completions.
//
// Source: OpenAI's API reference, "Chat completion chunk".

import { randomId } from '../random-id.js'
import type { Call, Fault, Usage, Writer } from './operations.js'
import type { RespondOptions } from './options.js'

/** Writes chunks, or with `stream: false` one completion. `waits`: whether results may come. */
export function openAiWriter(options: RespondOptions, waits: boolean): Writer {
  const { id = `chatcmpl-${randomId()}`, model = '', stream, usage: isCounted, thinking } = options
  const head = { id, created: Math.floor(Date.now() / 1000), model }
  /** The texts so far by their fields, and those of them that go on with another reply. */
  const texts: Record<string, string> = {}
  let gaps: Set<string> | undefined
  const calls: Array<{ readonly id: string; readonly type: string; function: { name: string; arguments: string } }> = []
  /** The calls that wait for their results: clients don't hear of those that are run here. */
  const waiting = new Map<string, Array<() => object[]>>()
  const failed = new Set<string>()
  let hasBegun = false

  const chunk = (choices: object[], rest?: object) => ({ ...head, object: 'chat.completion.chunk', choices, ...rest })
  const add = (delta: object, finish_reason: string | null = null): object[] => {
    if (stream === false) return []
    const isFirst = !hasBegun
    hasBegun = true
    const begun = isFirst ? add({ role: 'assistant', content: '' }) : []
    return [...begun, chunk([{ index: 0, delta, finish_reason }])]
  }
  const say = (field: string, text: string) => {
    const said = (gaps?.delete(field) ? '\n\n' : '') + text
    texts[field] = (texts[field] ?? '') + said
    return add({ [field]: said })
  }
  /** Writes what happens to a call, or keeps it for the end. */
  const tell = ({ id, isHosted }: Call, write: () => object[]): object[] => {
    if (isHosted) return []
    if (!waits) return write()
    const kept = waiting.get(id) ?? []
    waiting.set(id, kept)
    kept.push(write)
    return []
  }
  const fault = (fault: Fault) => {
    const { message, type = 'server_error', code = null } = fault
    return [{ error: { message, type, code, param: null } }]
  }

  return {
    step() {
      // It asks again for what was not whole.
      for (const id of failed) waiting.delete(id)
      gaps = new Set(Object.keys(texts))
      return []
    },
    text: (text) => say('content', text),
    thinking: (text) => say(thinking === 'reasoning' ? thinking : 'reasoning_content', text),
    event: (event) => (stream === false ? [] : [event]),
    call: (call) =>
      tell(call, () => {
        const entry = { id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
        const index = calls.push(entry) - 1
        return add({ tool_calls: [{ index, ...entry, function: { ...entry.function } }] })
      }),
    input: (call, text) =>
      tell(call, () => {
        const index = calls.findIndex(({ id }) => id === call.id)
        const entry = calls[index]
        if (entry !== undefined) entry.function.arguments += text
        return add({ tool_calls: [{ index, function: { arguments: text } }] })
      }),
    called: () => [],
    failed({ id }) {
      failed.add(id)
      return []
    },
    result({ id }) {
      waiting.delete(id)
      return []
    },
    finish(reason, usage) {
      const events = [...waiting.values()].flat().flatMap((write) => write())
      const finish_reason = reason === 'other' ? 'stop' : reason.replace('-', '_')
      if (stream === false) {
        const content = texts['content'] ?? (calls.length > 0 ? null : '')
        const message = { role: 'assistant', ...texts, content, ...(calls.length > 0 && { tool_calls: calls }) }
        const choices = [{ index: 0, message, finish_reason }]
        return [{ ...head, object: 'chat.completion', choices, ...(usage && countsOf(usage)) }]
      }
      events.push(...add({}, finish_reason))
      return isCounted && usage ? [...events, chunk([], countsOf(usage))] : events
    },
    error: fault,
    abort: fault,
  }
}

function countsOf({ inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens }: Usage): object {
  return { usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens } }
}
