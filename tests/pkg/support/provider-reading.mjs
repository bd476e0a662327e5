// What a recorded stream says, read in the plainest way: the texts of all
// pieces joined, the arguments of each call joined and read by `JSON.parse`.
// It shares no code with the package, which is compared with it.

/** Text, reasoning and calls of a recording. A call has its `input`, or as `content` what is not JSON; neither where it is not to be called. */
export function readingOf({ provider, events }) {
  const reading = { text: '', reasoning: '', calls: [] }
  READERS[provider](events, reading)
  return reading
}

const READERS = { anthropic: ofAnthropic, openai: ofOpenAI, openaiResponses: ofResponses, bedrock: ofBedrock, cohere: ofCohere, gemini: ofGemini, mistral: ofOpenAI, ollama: ofOllama }

function ofAnthropic(events, reading) {
  let open = new Map()
  let unsure
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'message_start') open = new Map()
    if (type === 'content_block_start') {
      reading.text += block.type === 'text' ? block.text : ''
      reading.reasoning += block.type === 'thinking' ? block.thinking : block.type === 'compaction' ? (block.content ?? '') : ''
      if (!block.type.endsWith('tool_use')) continue
      const call = { id: block.id, name: block.name, json: '', given: block.input }
      open.set(index, call)
      reading.calls.push(call)
    }
    if (type === 'content_block_delta') {
      reading.text += delta.text ?? ''
      reading.reasoning += delta.thinking ?? delta.content ?? ''
      if (delta.partial_json !== undefined) open.get(index).json += delta.partial_json
    }
    if (type === 'content_block_stop' && open.has(index)) {
      unsure = open.get(index)
      unsure.input = parsed(unsure.json || JSON.stringify(unsure.given ?? {}))
    }
    // Without a piece of its arguments it is unknown whether it has any.
    if (type === 'message_delta' && ['max_tokens', 'model_context_window_exceeded', 'refusal'].includes(delta.stop_reason) && unsure?.json === '') unsure.input = undefined
  }
}

function ofOpenAI(events, reading) {
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
}

function ofResponses(events, reading) {
  for (const { type, delta, item } of events) {
    if (type === 'response.output_text.delta' || type === 'response.refusal.delta') reading.text += delta
    if (type === 'response.reasoning_summary_text.delta' || type === 'response.reasoning_text.delta') reading.reasoning += delta
    // A tool that OpenAI runs has its input in the item itself.
    if (type === 'response.output_item.done' && ['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', 'computer_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'tool_search_call', 'mcp_approval_request'].includes(item.type)) {
      const { type: kind, id, call_id: callId, status, ...input } = item
      if (!/computer|shell|patch|approval/.test(kind)) for (const name of ['output', 'outputs', 'results', 'result']) delete input[name]
      reading.calls.push({ id: callId ?? id, name: kind.replace(/_(call|request)$/, ''), input })
    }
    // The item is emitted whole when it is done.
    if (type === 'response.output_item.done' && ['function_call', 'mcp_call', 'custom_tool_call'].includes(item.type)) {
      const { id, call_id: callId, name, arguments: json, input } = item
      reading.calls.push({ id: callId ?? id, name, json: json ?? input, ...(item.type === 'custom_tool_call' ? { content: input } : { input: parsed(json) }) })
    }
  }
}

function ofBedrock(events, reading) {
  for (const { contentBlockStart: start, contentBlockDelta: { delta = {} } = {}, contentBlockStop: stop } of events) {
    if (start?.start?.toolUse !== undefined) reading.calls.push({ id: start.start.toolUse.toolUseId, name: start.start.toolUse.name, json: '' })
    reading.text += delta.text ?? ''
    reading.reasoning += delta.reasoningContent?.text ?? ''
    if (delta.toolUse !== undefined) reading.calls.at(-1).json += delta.toolUse.input
    if (stop !== undefined) for (const call of reading.calls) call.input ??= parsed(call.json || '{}')
  }
}

function ofCohere(events, reading) {
  for (const { type, delta: { message = {} } = {} } of events) {
    const { tool_plan: plan = '', content = {}, tool_calls: call } = message
    reading.text += content.text ?? ''
    reading.reasoning += plan + (content.thinking ?? '')
    if (type === 'tool-call-start') reading.calls.push({ id: call.id, name: call.function.name, json: call.function.arguments })
    if (type === 'tool-call-delta') reading.calls.at(-1).json += call.function.arguments
    if (type === 'tool-call-end') reading.calls.at(-1).input = parsed(reading.calls.at(-1).json || '{}')
  }
}

function ofGemini(events, reading) {
  for (const { text = '', thought, functionCall: call } of events.flatMap(({ candidates: [{ content }] }) => content?.parts ?? [])) {
    reading[thought ? 'reasoning' : 'text'] += text
    if (call !== undefined) reading.calls.push({ id: call.id, name: call.name, json: JSON.stringify(call.args ?? {}), input: call.args ?? {} })
  }
}

function ofOllama(events, reading) {
  for (const { message = {}, response = '' } of events) {
    reading.text += (message.content ?? '') + response
    reading.reasoning += message.thinking ?? ''
    for (const { id, function: { name, arguments: input } } of message.tool_calls ?? []) reading.calls.push({ id, name, json: JSON.stringify(input), input })
  }
}

/** The object in a text; undefined if the text isn't one. */
function parsed(json) {
  try {
    const value = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // A word without quotes is a string, as in every call: {"unit": celsius}
    const quoted = json.replace(/: (\w+)}$/, ': "$1"}')
    return quoted === json ? undefined : parsed(quoted)
  }
}
