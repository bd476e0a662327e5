// A reply that breaks off, and one that is asked again in the same stream.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readReply, visibleText } from 'tokenweir'
import { run } from './support/command-line.mjs'
import { pieces } from './support/cuts.mjs'
import { all } from './support/sources.mjs'

const chat = (delta, finish_reason = null, id = 'c1') => ({ id, choices: [{ index: 0, delta, finish_reason }] })
const said = (id, ...deltas) => [{ type: 'text-start', id }, ...deltas.map((delta) => ({ type: 'text-delta', id, delta })), { type: 'text-end', id }]
const call = (toolCallId, input = { path: 'a.md' }) => ({ type: 'tool-input-available', toolCallId, toolName: 'save', input })
const FINISH = { type: 'finish', finishReason: 'stop' }
const read = (events, options) => readReply(events, { onUnknown() {}, ...options }).result()
const sse = (...events) => new Response(events.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)).join(''), { headers: { 'content-type': 'text/event-stream' } })

describe('a reply that nobody ended', () => {
  const save = chat({ tool_calls: [{ index: 0, id: 'k', function: { name: 'save', arguments: '{}' } }] })

  test('is interrupted: its whole calls are problems, and it says where to go on', async () => {
    const { finishReason, rawFinishReason, toolCalls, problems, resume, provider } = await read(sse(save, 'id: 7\n', chat({ content: 'x' })))
    assert.deepEqual([finishReason, rawFinishReason, toolCalls, resume, provider], ['interrupted', undefined, [], { after: '7' }, 'openai'])
    assert.deepEqual(problems.map(({ metadata: { dropReason, toolCallId, toolName, toolCall } }) => [dropReason, toolCallId, toolName, toolCall]), [['interrupted', 'k', 'save', '{}']])
  })

  test('by an error, a throw, an abort: the same', async () => {
    const stop = new AbortController()
    const thrown = async function* () {
      yield save
      yield chat({ content: 'x' })
      if (stop.signal.aborted === false) throw new Error('lost')
    }
    const partials = [
      (await readReply([save, chat({ content: 'x' }), { error: { message: 'Overloaded', type: 'overloaded_error' } }]).result().catch((error) => error)).partial,
      (await readReply(thrown()).result().catch((error) => error)).partial,
    ]
    const reply = readReply((async function* () { yield save; yield chat({ content: 'x' }); await new Promise(() => {}) })(), { signal: stop.signal })
    for (let count = 0; count < 5; count++) await reply.next()
    stop.abort()
    partials.push((await reply.result().catch((error) => error)).partial ?? reply.soFar)
    for (const { toolCalls, problems } of partials) assert.deepEqual([toolCalls, problems.map(({ metadata }) => metadata.dropReason)], [[], ['interrupted']])
    // A program that hears of the error gets no call either.
    const heard = await read([save, chat({ content: 'x' }), { error: { message: 'Overloaded' } }], { onError() {} })
    assert.deepEqual([heard.toolCalls, heard.finishReason], [[], 'error'])
  })

  test('the provider’s own word', async () => {
    const { finishReason, rawFinishReason } = await read([{ type: 'message_start', message: { content: [] } }, { type: 'message_delta', delta: { stop_reason: 'Pause_Turn' } }, { type: 'message_stop' }])
    assert.deepEqual([finishReason, rawFinishReason], ['other', 'Pause_Turn'])
  })
})

describe('a step that is asked again', () => {
  const events = [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...said('a', 'One. '), call('t0'), { type: 'finish-step' }, { type: 'start-step' }, ...said('b', 'Tw'), call('t1'), { type: 'reset-step' }, ...said('c', 'Two.'), call('t2', { path: 'b.md' }), FINISH]

  test('takes back what it said, wherever the stream is cut', async () => {
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    for (const size of [1, 7, 100, text.length]) {
      const reply = readReply(new Response(new ReadableStream({ start(controller) { for (const piece of pieces(text, size)) controller.enqueue(new TextEncoder().encode(piece)); controller.close() } }), { headers: { 'content-type': 'text/event-stream' } }))
      const resets = []
      for await (const emission of reply) if (emission.kind === 'reset') resets.push([emission.blocks, reply.soFar.text, reply.soFar.toolCalls.map(({ toolCallId }) => toolCallId)])
      assert.deepEqual(resets, [[2, 'One.', ['t0']]], String(size))
      const { text: said, toolCalls, blocks, message } = await reply.result()
      assert.deepEqual([said, toolCalls.map(({ toolCallId }) => toolCallId), blocks.map(({ type }) => type)], ['One. Two.', ['t0', 't2'], ['text', 'tool_call', 'text', 'tool_call']])
      assert.deepEqual(message.content.map(({ type, text, toolCallId }) => text ?? toolCallId ?? type), ['One. ', 't0', 'Two.', 't2'])
    }
  })

  test('callbacks hear of what stays once', async () => {
    const chunks = []
    const blocks = []
    await read(events, { onChunk: (text) => chunks.push(text), onBlock: ({ event, block }) => event === 'block_complete' && blocks.push(block.content ?? block.toolId) })
    assert.deepEqual(chunks.filter((text) => text === 'One. ').length, 1)
    assert.deepEqual(blocks.filter((block) => block === 't0').length, 1)
  })

  test('visible text: what stays is heard, or the loop throws', async () => {
    const heard = []
    const text = visibleText(events, { onReset: (reset) => heard.push(reset) })
    const texts = await all(text)
    assert.deepEqual([texts.join('|').replaceAll('||', '|'), heard], ['One.| Tw| Two.', [{ text: 'One.' }]])
    assert.equal((await text.reply.result()).text, 'One. Two.')
    const seen = []
    await assert.rejects(async () => { for await (const piece of visibleText(events)) seen.push(piece) }, { code: 'reset', message: /takes back text that was shown.*onReset/ })
    assert.equal(seen.join(''), 'One. Tw')
    // Nothing of it was shown.
    const early = [{ type: 'start-step' }, call('t1'), { type: 'reset-step' }, ...said('c', 'Two.'), FINISH]
    assert.equal((await all(visibleText(early))).join(''), 'Two.')
  })

  test('the command line says it, and goes on with what stays', async () => {
    const input = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    const plain = await run(['visible'], input)
    assert.deepEqual([plain.code, plain.stdout.replaceAll('\n', ''), plain.stderr], [0, 'One. Tw Two.', 'tokenweir: the stream asks a step again: what was printed of it is void\n'])
    // What stands between a reset and the end, after what stays, is the reply.
    const lines = (await run(['blocks', '--json'], input)).stdout.trim().split('\n').map((line) => JSON.parse(line))
    const at = lines.findIndex(({ kind }) => kind === 'reset')
    const shown = (some) => some.filter(({ event }) => event?.event === 'block_complete').map(({ event }) => [event.index, event.block.content ?? event.block.toolId])
    assert.deepEqual([shown(lines.slice(0, at)), shown(lines.slice(at))], [[[0, 'One. '], [1, 't0'], [2, 'Tw'], [3, 't1']].slice(0, shown(lines.slice(0, at)).length), [[2, 'Two.'], [3, 't2']]])
    for (const command of ['segments', 'fields', 'tool-calls']) assert.equal((await run([command], input)).code, 0, command)
  })

  test('a whole message, and a response, that begin again', async () => {
    assert.equal((await read([{ type: 'start', messageId: 'm' }, ...said('a', 'Hel'), { type: 'start', messageId: 'm' }, ...said('a', 'Hello'), FINISH])).text, 'Hello')
    assert.equal((await read([{ type: 'start', messageId: 'm' }, ...said('a', 'Hel'), { type: 'start', messageId: 'n' }, ...said('a', 'lo'), FINISH])).text, 'Hello')
    const created = { type: 'response.created', response: { id: 'r', output: [] } }
    const delta = (text, more) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text, ...more })
    const completed = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }
    assert.equal((await read([created, delta('Hel'), created, delta('Hello'), completed])).text, 'Hello')
    // With numbers what came is known.
    const numbered = [{ ...created, sequence_number: 0 }, delta('Hel', { sequence_number: 1 }), delta('lo', { sequence_number: 2 })]
    assert.equal((await read([...numbered.slice(0, 2), ...numbered, { ...completed, sequence_number: 3 }])).text, 'Hello')
  })

  test('another reply in the same source does not go on in what the one before ended in', async () => {
    for (const [text, options, expected] of [
      ['I save.<tool_call>{"name": "sa', { format: 'hermes', tools: [{ name: 'save' }] }, 'I save.It rains.'],
      ['<think>Hm', { format: 'hermes' }, 'It rains.'],
      ['<think>Hm', {}, 'It rains.'],
      ['```js\nconst a', {}, '```js\nconst aIt rains.'],
    ]) {
      const { text: all } = await read([chat({ role: 'assistant', content: text }), chat({ role: 'assistant', content: 'It rains.' }, null, 'c2'), chat({}, 'stop', 'c2')], options)
      assert.equal(all, expected, text)
    }
    // The same at other providers.
    const broken = '<tool_call>{"name": "sa'
    const anthropic = (text, ...end) => [{ type: 'message_start', message: { content: [] } }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, ...end]
    const responses = (id, text, ...end) => [{ type: 'response.created', response: { id, output: [] } }, { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text }, ...end]
    for (const events of [
      [...anthropic(broken), ...anthropic('It rains.', { type: 'message_delta', delta: { stop_reason: 'end_turn' } })],
      [...responses('a', broken), ...responses('b', 'It rains.', { type: 'response.completed', response: { id: 'b', status: 'completed', output: [] } })],
      [{ type: 'start', messageId: 'a' }, ...said('t', broken), { type: 'start', messageId: 'b' }, ...said('u', 'It rains.'), FINISH],
    ]) assert.equal((await read(events, { format: 'hermes', tools: [{ name: 'save' }] })).text, 'It rains.', events[0].type)
    // A server that gives each chunk an id of its own has said only one.
    const many = await read([...'Hello'].map((content, at) => chat({ content, ...(at === 0 && { role: 'assistant' }) }, null, `c${at}`)).concat(chat({}, 'stop', 'c9')))
    assert.deepEqual([many.text, many.blocks.length], ['Hello', 1])
  })
})
