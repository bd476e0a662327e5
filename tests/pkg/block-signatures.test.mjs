// What a provider says of a block besides its text: signatures, encrypted thinking, citations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReply } from 'tokenweir'

const anthropic = (...blocks) => [
  { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
  ...blocks.flatMap(([content_block, ...deltas], index) => [{ type: 'content_block_start', index, content_block }, ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index }]),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
]
const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const gemini = (...parts) => [{ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }] }]
const CITATION = { type: 'char_location', cited_text: 'x' }

for (const [name, events, expected] of [
  ['anthropic: the last signature', anthropic([{ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'Hm' }, { type: 'signature_delta', signature: 'S1' }, { type: 'signature_delta', signature: 'S2' }], [{ type: 'text', text: 'Hi' }]), [{ type: 'thinking', content: 'Hm', signature: 'S2' }, { type: 'text', content: 'Hi' }]],
  ['anthropic: redacted thinking', anthropic([{ type: 'redacted_thinking', data: 'RED' }], [{ type: 'text', text: 'Hi' }]), [{ type: 'thinking', content: '', data: 'RED' }, { type: 'text', content: 'Hi' }]],
  ['anthropic: citations', anthropic([{ type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }, { type: 'citations_delta', citation: CITATION }, { type: 'citations_delta', citation: CITATION }]), [{ type: 'text', content: 'Hi', citations: [CITATION, CITATION] }]],
  ['anthropic: a whole message', [{ type: 'message', role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'thinking', thinking: 'Hm', signature: 'S' }, { type: 'text', text: 'Hi', citations: [CITATION] }] }], [{ type: 'thinking', content: 'Hm', signature: 'S' }, { type: 'text', content: 'Hi', citations: [CITATION] }]],
  ['bedrock', [{ messageStart: { role: 'assistant' } }, { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } }, { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'S' } } } }, { contentBlockStop: { contentBlockIndex: 0 } }, { contentBlockDelta: { contentBlockIndex: 1, delta: { reasoningContent: { redactedContent: 'AAEC' } } } }, { contentBlockStop: { contentBlockIndex: 1 } }, { messageStop: { stopReason: 'end_turn' } }], [{ type: 'thinking', content: 'Hm', signature: 'S' }, { type: 'thinking', content: '', data: 'AAEC' }]],
  ['gemini', gemini({ text: 'Hm', thought: true, thoughtSignature: 'S1' }, { functionCall: { id: 'f', name: 'now', args: { a: 1 } }, thoughtSignature: 'S2' }), [{ type: 'thinking', content: 'Hm', signature: 'S1' }, { type: 'tool_call', toolId: 'f', toolName: 'now', input: { a: 1 }, signature: 'S2' }]],
  ['gemini by OpenAI', [chat({ tool_calls: [{ index: 0, id: 'c', function: { name: 'now', arguments: '{}' }, extra_content: { google: { thought_signature: 'S' } } }] }), chat({}, 'tool_calls')], [{ type: 'tool_call', toolId: 'c', toolName: 'now', input: {}, signature: 'S' }]],
  ['openrouter', [chat({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'Hm', signature: 'S' }] }), chat({ content: 'Hi' }, 'stop')], [{ type: 'thinking', content: 'Hm', signature: 'S' }, { type: 'text', content: 'Hi' }]],
  ['responses', [{ type: 'response.output_item.done', output_index: 0, item: { id: 'r', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'ENC' } }, { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }], [{ type: 'thinking', content: 'Hm', data: 'ENC' }]],
]) {
  test(name, async () => {
    const { blocks } = await readReply(events).result()
    assert.deepEqual(blocks, expected)
  })
}
