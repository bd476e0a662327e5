// Events of protocols as short rows: deltas that follow each other are one, and ids that are made up are counted.
export const PROTOCOLS = ['openai', 'aiSdk', 'agUi']

const json = (value) => (value === undefined ? undefined : JSON.stringify(value))

function openAi({ choices, usage, error }) {
  if (error) return [['error', error.code]]
  if (choices.length === 0) return [['usage', json(usage)]]
  const [{ delta, finish_reason: reason }] = choices
  if (reason !== null) return [[reason]]
  if (delta.role) return [['role']]
  return Object.entries(delta).flatMap(([field, value]) => {
    if (field !== 'tool_calls') return [[field, value]]
    return value.map(({ index, id, type, function: { name, arguments: input } }) => (id === undefined ? [`input ${index}`, input] : type === 'function' && input === '' ? [`call ${index} ${id} ${name}`] : ['malformed', json(value)]))
  })
}

function aiSdk({ type, id, delta, toolCallId, toolName, inputTextDelta, input, output, errorText, finishReason, dynamic, providerExecuted }) {
  if (delta !== undefined) return [[`${type} ${id}`, delta]]
  if (inputTextDelta !== undefined) return [[`${type} ${toolCallId}`, inputTextDelta]]
  return [[[type, id, toolCallId, toolName, json(input), json(output), errorText, finishReason, providerExecuted && 'hosted', dynamic && 'dynamic'].filter((value) => value !== undefined).join(' ')]]
}

function agUi({ type, threadId, runId, messageId, toolCallId, toolCallName, parentMessageId, delta, content, result, code, message }, made) {
  const number = (id) => id && made(id)
  if (delta !== undefined) return [[`${type} ${number(messageId) ?? toolCallId}`, delta]]
  return [[[type, threadId, runId, number(messageId), toolCallId, toolCallName, number(parentMessageId), content, result?.finishReason, code, message].filter((value) => value !== undefined).join(' ')]]
}

/** The rows of events. */
export function rowsOf(protocol, events) {
  const ids = []
  const made = (id) => (ids.includes(id) || ids.push(id), ids.indexOf(id) + 1)
  const rows = []
  for (const event of events)
    for (const [what, text] of { openai: openAi, aiSdk, agUi }[protocol](event, made)) {
      const last = rows.at(-1)
      if (text !== undefined && last?.what === what && last.text !== undefined) last.text += text
      else rows.push({ what, text })
    }
  return rows.map(({ what, text }) => (text === undefined ? what : `${what} ${text}`))
}
