// OpenAI's chat completions.
//
// Source: OpenAI's API reference, "Chat completion chunk".

import { randomId } from '../random-id.js'
import type { CallOperation, Usage, Write } from './operations.js'
import type { RespondOptions } from './options.js'

/** Writes chunks, or with `stream: false` one completion. `waits`: whether results may come. */
export function openAiWriter(options: RespondOptions, waits: boolean): Write {
  const { id = `chatcmpl-${randomId()}`, model = '', stream, usage: isCounted, thinking } = options
  const head = { id, created: Math.floor(Date.now() / 1000), model }
  /** The texts so far by their fields, and those of them that go on with another reply. */
  const texts: Record<string, string> = {}
  let gaps: Set<string> | undefined
  const calls: Array<{ readonly id: string; readonly type: string; function: { name: string; arguments: string } }> = []
  /** The calls that wait for their results: clients don't hear of those that are run here. */
  const waiting = new Map<string, CallOperation[]>()
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
  const call = (operation: CallOperation): object[] => {
    const { id, name } = operation[1]
    if (operation[0] === 'call') {
      const entry = { id, type: 'function', function: { name, arguments: '' } }
      const index = calls.push(entry) - 1
      return add({ tool_calls: [{ index, ...entry, function: { ...entry.function } }] })
    }
    if (operation[0] !== 'input') return []
    const text = operation[2]
    const index = calls.findIndex((entry) => entry.id === id)
    const entry = calls[index]
    if (entry !== undefined) entry.function.arguments += text
    return add({ tool_calls: [{ index, function: { arguments: text } }] })
  }

  return (operation) => {
    switch (operation[0]) {
      case 'step':
        // It asks again for what was not whole.
        for (const [id, said] of waiting) if (said.at(-1)?.[0] === 'failed') waiting.delete(id)
        gaps = new Set(Object.keys(texts))
        return []
      case 'text':
        return say('content', operation[1])
      case 'thinking':
        return say(thinking === 'reasoning' ? thinking : 'reasoning_content', operation[1])
      case 'event':
        return stream === false ? [] : [operation[1]]
      case 'finish': {
        const [, reason, usage] = operation
        const events = [...waiting.values()].flat().flatMap(call)
        const finish_reason = reason === 'other' ? 'stop' : reason.replace('-', '_')
        if (stream === false) {
          const content = texts['content'] ?? (calls.length > 0 ? null : '')
          const message = { role: 'assistant', ...texts, content, ...(calls.length > 0 && { tool_calls: calls }) }
          const choices = [{ index: 0, message, finish_reason }]
          return [{ ...head, object: 'chat.completion', choices, ...(usage && countsOf(usage)) }]
        }
        events.push(...add({}, finish_reason))
        return isCounted && usage ? [...events, chunk([], countsOf(usage))] : events
      }
      case 'error':
      case 'abort': {
        const { message, type = 'server_error', code = null } = operation[1]
        return [{ error: { message, type, code, param: null } }]
      }
      case 'result':
        waiting.delete(operation[1].id)
        return []
    }
    const { id, isHosted } = operation[1]
    if (isHosted) return []
    if (!waits) return call(operation)
    if (operation[0] === 'call') waiting.set(id, [])
    waiting.get(id)?.push(operation)
    return []
  }
}

function countsOf({ inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens }: Usage): object {
  return { usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens } }
}
