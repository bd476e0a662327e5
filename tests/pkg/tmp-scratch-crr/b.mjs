import { readReply } from 'tokenweir/reply'
import { loopMessages } from 'tokenweir/formats'
const fc = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'now', arguments: '{}' }
const rs = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENC' }
const ev = [{ type: 'response.created', response: { id: 'resp_1', output: [] } },
 { type: 'response.output_item.added', output_index: 0, item: { ...rs } }, { type: 'response.output_item.done', output_index: 0, item: rs },
 { type: 'response.output_item.added', output_index: 1, item: { ...fc, arguments: '' } }, { type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'fc_1', delta: '{}' },
 { type: 'response.function_call_arguments.done', output_index: 1, item_id: 'fc_1', arguments: '{}' }, { type: 'response.output_item.done', output_index: 1, item: fc },
 { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [rs, fc] } }].map((e, i) => ({ ...e, sequence_number: i }))
for (const cut of [4, 5, 6, 7]) {
  const f = await readReply(ev.slice(0, cut)).result()
  const r = await readReply(ev.slice(cut), { continues: JSON.parse(JSON.stringify(f)) }).result()
  console.log(cut, f.problems.map((p) => p.metadata.dropReason), JSON.stringify(f.message), '->', r.finishReason, r.toolCalls.map((c) => c.input), r.problems.map((p) => p.metadata.dropReason), JSON.stringify(r.message))
  try { console.log(JSON.stringify(loopMessages(r, r.toolCalls.map((c) => ({ toolCallId: c.toolCallId, output: 'x' }))))) } catch (e) { console.log(e.message) }
}
// one source with resume: generator that reconnects
const again = await readReply((async function* () { yield* ev.slice(0, 5); yield* ev.slice(5) })()).result()
console.log(again.toolCalls.length)
// SSE bytes: generator of text from two responses, second begins mid
const text = (evs) => evs.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join('')
const broken = text(ev.slice(0, 5)) + 'event: response.function_call_arguments.done\ndata: {"type":"respo'
const bytes = async function* () { yield broken; yield text(ev.slice(5)) }
console.log(await readReply(bytes()).result().then((r) => r.toolCalls.length, (e) => [e.code, e.message, e.partial.resume]))
console.log(await readReply([broken]).result().then((r) => r.toolCalls.length, (e) => [e.code, e.partial.resume, e.partial.journal !== undefined]))
// anthropic length then continuation
const a = (text, stop_reason) => [{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, { type: 'content_block_stop', index: 0 }, { type: 'message_delta', delta: { stop_reason } }, { type: 'message_stop' }]
const one = await readReply(a('Hello ', 'max_tokens')).result()
console.log(JSON.stringify(one.message), JSON.stringify((await readReply(a('world.', 'end_turn'), { continues: one }).result()).text))
console.log(JSON.stringify((await readReply(a(' world.', 'end_turn'), { continues: one, sent: 'Hello' }).result())))
// pause_turn
const p = await readReply(a('Looking.', 'pause_turn')).result()
console.log(p.finishReason, p.rawFinishReason, JSON.stringify(p.message))
console.log(JSON.stringify(await readReply(a('Found.', 'end_turn'), { continues: p }).result()))
// SSE id
console.log(await readReply(new Response('id: 7\ndata: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n', { headers: { 'content-type': 'text/event-stream' } })).result())
// plain text
console.log(await readReply(['Hel']).result())
const brokenText = async function* () { yield 'Hello wor'; throw new Error('connection lost') }
const e = await readReply(brokenText()).result().catch((e) => e)
console.log(e.message, JSON.stringify(e.partial))
