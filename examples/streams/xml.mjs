// Writes blocks as a model does in prefill mode, in membrane's layout.

/** The complete reply. Consecutive tool calls are in one element. */
export function writeXml(blocks) {
  return blocks.map((block, index) => {
    const { type, content } = block
    if (type === 'text') return content
    if (type === 'thinking') return `<thinking>${content}</thinking>`
    if (type === 'tool_result') return `<function_results>\n<result tool_use_id="${escape(block.toolId)}">${escape(content)}</result>\n</function_results>`
    const opener = blocks[index - 1]?.type === 'tool_call' ? '\n' : '<function_calls>\n'
    const closer = blocks[index + 1]?.type === 'tool_call' ? '' : '\n</function_calls>'
    return `${opener}${invoke(block)}${closer}`
  }).join('')
}

function invoke({ toolName, input }) {
  const parameters = Object.entries(input).map(([name, value]) => `<parameter name="${escape(name)}">${parameter(value)}</parameter>\n`)
  return `<invoke name="${escape(toolName)}">\n${parameters.join('')}</invoke>`
}

/** A string unchanged, if it would be read back as the same string; otherwise JSON, in which no tag can end early. */
function parameter(value) {
  const isPlain = typeof value === 'string' && value === value.trim() && !value.includes('</') && !isJson(value)
  return isPlain ? value : JSON.stringify(value).replaceAll('</', '<\\/')
}

function isJson(text) {
  // A long number stays a string, so that no digit of an id is lost.
  if (/^\d{16,}$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
