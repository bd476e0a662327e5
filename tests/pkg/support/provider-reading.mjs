// What a recorded stream says, read in the plainest way: the texts of all
// pieces joined, the arguments of each call joined and read by `JSON.parse`.
// It shares no code with the package, which is compared with it.

/** Text, reasoning and calls of a recording. A call has its `input`, or as `content` what is not JSON; neither where it is not to be called. */
export function readingOf({ provider, events }) {
  return READERS[provider](events)
}

const READERS = { anthropic: ofAnthropic, openai: ofOpenAI, openaiResponses: ofResponses }

function ofAnthropic(events) {
  const reading = { text: '', reasoning: '', calls: [] }
  let open = new Map()
  let unsure
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'message_start') open = new Map()
    if (type === 'content_block_start') {
      reading.text += block.type === 'text' ? block.text : ''
      reading.reasoning += block.type === 'thinking' ? block.thinking : ''
      if (!block.type.endsWith('tool_use')) continue
      const call = { id: block.id, name: block.name, json: '', given: block.input }
      open.set(index, call)
      reading.calls.push(call)
    }
    if (type === 'content_block_delta') {
      reading.text += delta.text ?? ''
      reading.reasoning += delta.thinking ?? ''
      if (delta.partial_json !== undefined) open.get(index).json += delta.partial_json
    }
    if (type === 'content_block_stop' && open.has(index)) {
      unsure = open.get(index)
      unsure.input = parsed(unsure.json || JSON.stringify(unsure.given ?? {}))
    }
    // Without a piece of its arguments it is unknown whether it has any.
    if (type === 'message_delta' && ['max_tokens', 'model_context_window_exceeded', 'refusal'].includes(delta.stop_reason) && unsure?.json === '') unsure.input = undefined
  }
  return reading
}

function ofOpenAI(events) {
  const reading = { text: '', reasoning: '', calls: [] }
  let calls = new Map()
  for (const { choices } of events) {
    const choice = (choices ?? []).find(({ index }) => index === 0)
    if (choice === undefined) continue
    const { content, refusal, reasoning, reasoning_content: thought, tool_calls: pieces, function_call: legacy } = choice.delta ?? {}
    reading.text += (content ?? '') + (refusal ?? '') + (choice.text ?? '')
    reading.reasoning += thought ?? reasoning ?? ''
    for (const { index, id, function: piece = {} } of [...(pieces ?? []), ...(legacy ? [{ index: 'legacy', function: legacy }] : [])]) {
      if (!calls.has(index)) {
        calls.set(index, { id, name: '', json: '' })
        reading.calls.push(calls.get(index))
      }
      const call = calls.get(index)
      call.id ??= id
      call.name ||= piece.name ?? ''
      call.json += piece.arguments ?? ''
    }
    if (choice.finish_reason) {
      const isCut = ['length', 'content_filter'].includes(choice.finish_reason)
      for (const call of calls.values()) call.input = parsed(call.json || (isCut ? '' : '{}'))
      calls = new Map()
    }
  }
  return reading
}

function ofResponses(events) {
  const reading = { text: '', reasoning: '', calls: [] }
  for (const { type, delta, item } of events) {
    if (type === 'response.output_text.delta' || type === 'response.refusal.delta') reading.text += delta
    if (type === 'response.reasoning_summary_text.delta' || type === 'response.reasoning_text.delta') reading.reasoning += delta
    // The item is emitted whole when it is done.
    if (type === 'response.output_item.done' && ['function_call', 'mcp_call', 'custom_tool_call'].includes(item.type)) {
      const { id, call_id: callId, name, arguments: json, input } = item
      reading.calls.push({ id: callId ?? id, name, json: json ?? input, ...(item.type === 'custom_tool_call' ? { content: input } : { input: parsed(json) }) })
    }
  }
  return reading
}

/** The object in a text; undefined if the text isn't one. */
function parsed(json) {
  try {
    const value = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
