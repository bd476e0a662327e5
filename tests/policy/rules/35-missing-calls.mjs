// Replies that say that they end in a call.
const USES = [
  { type: 'tool_use', tool_use_id: 'a', name: 'f', text: '' },
  { type: 'tool_use', input: '{"p"', content_list: [{ input: '{"p"' }], text: '' },
  { type: 'tool_use', input: ':1}', content_list: [{ input: ':1}' }], text: '' },
]
const chunk = (delta, finish_reason) => ({ id: 'q', choices: [{ delta, finish_reason }] })
const whole = { choices: [{ message: { content: '', content_list: [{ type: 'text', text: 'Hi' }, { type: 'tool_use', tool_use: { tool_use_id: 'a', name: 'f', input: { p: 1 } } }] }, finish_reason: 'tool_use' }] }
const sse = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const calls = [['f', { p: 1 }]]

export default {
  rule: 35,
  title: 'A declared call that never came is a problem',
  *ask({ name, write }) {
    if (write.lacking !== undefined) yield { name: 'no call', input: write.lacking, expected: { calls: [], dropped: ['missing-call'], finishReason: 'tool-calls' } }
    if (write.json !== undefined && name.startsWith('native')) yield { name: 'a call', input: write.json('f', '{"p":1}'), expected: { calls, dropped: [] } }
    if (name !== 'native openai') return
    yield { name: 'deltas of the type tool_use', input: sse([...USES.map((delta) => chunk(delta)), chunk({ content: '' }, 'tool_use')]), expected: { text: '', calls, dropped: [] } }
    yield { name: 'parts of the type tool_use', input: JSON.stringify(whole), expected: { text: 'Hi', calls, dropped: [] } }
  },
  atLeast: 15,
}
