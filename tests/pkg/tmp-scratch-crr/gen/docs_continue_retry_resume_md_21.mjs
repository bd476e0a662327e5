import { readReply } from 'tokenweir/reply'

/** The events of two requests: the second had the first reply at its end. @param {string} content @param {string} finish_reason */
const events = (content, finish_reason) => [{ choices: [{ index: 0, delta: { content }, finish_reason }] }]

const first = await readReply(events('<tool_call>{"name": "weather", "arguments": {"city": "Por', 'length'), { format: 'hermes' }).result()
console.log(first.finishReason, first.toolCalls.length)

const both = await readReply(events('to"}}</tool_call>', 'stop'), { format: 'hermes', continues: first }).result()
console.log(both.finishReason, both.toolCalls[0]?.input)
