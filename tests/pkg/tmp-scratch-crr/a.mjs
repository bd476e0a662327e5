import { readReply } from 'tokenweir/reply'
import { visibleText } from 'tokenweir'
import { loopMessages } from 'tokenweir/formats'
import { parseFields } from 'tokenweir/fields'
const said = (content, finish_reason) => ({ choices: [{ index: 0, delta: { content }, finish_reason }] })
const first = await readReply([said('The capital of Por', 'length')]).result()
console.log(JSON.stringify(first))
console.log((await readReply([said('tugal is Lisbon.', 'stop')], { continues: first }).result()))
// error in stream
const err = async (evs, o) => { try { const r = await readReply(evs, o).result(); console.log('ok', JSON.stringify(r)) } catch (e) { console.log(e.name, e.code, e.type, e.status, e.message, JSON.stringify(e.partial)) } }
const sse = (evs) => new Response(evs.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } })
const call = [{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } }, { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'now', input: {} } }, { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } }, { type: 'content_block_stop', index: 0 }]
await err(sse([...call, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]))
await err(sse(call))
await err([{ choices: [{ index: 0, delta: { content: 'Hi' } }] }, { error: { message: 'busy', code: 503, type: 'overloaded' } }])
await err([{ type: 'response.created', sequence_number: 0, response: { id: 'r', output: [] } }, { type: 'error', sequence_number: 1, code: 'server_is_overloaded', message: 'busy' }])
await err([{ candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }] }, { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }])
await err(new Response('{"model":"q","message":{"role":"assistant","content":"Hi"},"done":false}\n{"error":"busy"}\n', { headers: { 'content-type': 'application/x-ndjson' } }))
await err(new Response('{"error":{"type":"overloaded_error","message":"x"}}', { status: 529, headers: { 'retry-after': '1' } }))
// resume
const ev = [{ type: 'response.created', sequence_number: 0, response: { id: 'resp_1', output: [] } }, { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] } }, { type: 'response.output_text.delta', sequence_number: 2, item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hel' }, { type: 'response.output_text.delta', sequence_number: 3, item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'lo.' }, { type: 'response.output_item.done', sequence_number: 4, output_index: 0, item: { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] } }, { type: 'response.completed', sequence_number: 5, response: { id: 'resp_1', status: 'completed', output: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] }] } }]
const f = await readReply(ev.slice(0, 3)).result()
console.log(f.finishReason, f.resume, f.text, JSON.stringify(f.message), JSON.stringify(f.journal))
console.log('continues', JSON.stringify(await readReply(ev.slice(3), { continues: f }).result()))
console.log('continues overlap', JSON.stringify(await readReply(ev.slice(2), { continues: f }).result()))
console.log('one source', JSON.stringify(await readReply((async function* () { yield* ev.slice(0, 3); yield* ev.slice(2) })()).result()))
