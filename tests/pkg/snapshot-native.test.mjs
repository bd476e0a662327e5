// Native events are saved between all of them, and restored in another process.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { after, test } from 'node:test'
import { NativeBlocks } from 'tokenweir'
import 'tokenweir/snapshot'
import { recordedStreams } from './support/real-streams.mjs'
import { judgeChunks, random } from './support/snapshot-judge.mjs'
import { Pool } from './support/snapshot-pool.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const next = random(seed)
const pool = new Pool()
after(() => pool.end())

/** As many events of a recording, and as many places in it. */
const [EVENTS, PLACES] = [120, 12]

for (const { name, provider, events } of recordedStreams()) {
  test(`${provider}, ${name}`, async () => {
    const chunks = events.slice(0, EVENTS).map((event) => JSON.stringify(event))
    const isPlace = () => chunks.length <= PLACES || next() * chunks.length < PLACES
    await judgeChunks(pool, 'NativeBlocks', {}, chunks, isPlace, name)
    await judgeChunks(pool, 'NativeBlocks', { tags: true, stopSequences: ['\n\n', ' the '], stopIn: 'anywhere' }, chunks, isPlace, `${name}, tags`)
  })
}

const provider = (name, events) => [name, events.map((event) => JSON.stringify(event))]
const PROVIDERS = [
  provider('Gemini, a call in pieces', [
    { candidates: [{ content: { parts: [{ text: 'Well', thought: true }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { name: 'f', id: 'a', partialArgs: [{ jsonPath: '$.city', stringValue: 'Zü' }], willContinue: true } }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'rich' }] } }] } }] },
    { candidates: [{ content: { parts: [{ text: 'Bye' }] }, finishReason: 'STOP' }] },
  ]),
  provider('the AI SDK, calls beside each other', [
    { type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: '<thinking>hm</thin' }, { type: 'text-delta', id: '0', delta: 'king>Hello' }, { type: 'text-end', id: '0' },
    { type: 'tool-input-start', id: 'a', toolName: 'f' }, { type: 'tool-input-start', id: 'b', toolName: 'g' }, { type: 'tool-input-delta', id: 'b', delta: '{"x"' }, { type: 'tool-input-delta', id: 'a', delta: '{}' },
    { type: 'tool-input-end', id: 'a' }, { type: 'tool-input-delta', id: 'b', delta: ': 1}' }, { type: 'tool-input-end', id: 'b' }, { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 1 } },
  ]),
  provider('Ollama', [{ message: { role: 'assistant', content: '', thinking: 'hm' }, done: false }, { message: { role: 'assistant', content: 'Hi' }, done: false }, { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 2 }]),
]

for (const [name, chunks] of PROVIDERS) {
  test(name, async () => {
    for (const options of [{}, { tags: true }, { startWithThinking: true, unopenedThinking: 'report' }]) await judgeChunks(pool, 'NativeBlocks', options, chunks, () => true, `${name} ${JSON.stringify(options)}`)
  })
}

/** What a run calls back: pieces, and blocks. */
function listening() {
  const heard = []
  const options = { generateId: () => 'id', onChunk: (piece, meta) => heard.push(['piece', piece, meta]), onBlock: (event) => heard.push(['block', event]) }
  return { heard, options }
}

/** What is read where a block that began before the restore is partial: its content is what came since. */
function agrees(heard, whole, from) {
  assert.equal(heard.length, whole.length - from)
  for (const [at, [kind, first, second]] of heard.entries()) {
    const [, expected, more] = whole[from + at]
    if (kind === 'block' && first.block?.partial === true) {
      const { partial, content, ...rest } = first.block
      const { content: all, ...others } = expected.block
      assert.ok(all.endsWith(content) && content.length < all.length)
      assert.deepEqual([first.index, rest], [expected.index, others])
    } else assert.deepEqual([first, second], [expected, more])
  }
}

const responses = (text, seen = text) => [
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
  ...['Hel', 'lo, y', 'ou'].map((delta) => ({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta })),
  { type: 'response.output_text.done', item_id: 'm', output_index: 0, content_index: 0, text: seen },
  { type: 'response.completed', response: { status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: seen }] }] } },
]

test('without the text, pieces are the same, blocks are partial, and a final text gives only what is missing', () => {
  const provider = (name, chunks) => [name, chunks.map((chunk) => JSON.parse(chunk))]
  const streams = [
    ...recordedStreams().map(({ name, provider, events }) => [name, events.slice(0, EVENTS), provider]),
    ...PROVIDERS.map(([name, chunks]) => provider(name, chunks)),
    ['a final text that goes on', responses('Hello, you there')],
    ['a final text that disagrees', responses('Hullo, you there')],
  ]
  let partial = 0
  for (const [name, events, method = 'event'] of streams) {
    for (const settings of [{}, { tags: true, stopSequences: [' the '], stopIn: 'anywhere' }]) {
      const all = listening()
      const whole = new NativeBlocks({ ...settings, ...all.options })
      const ends = []
      for (const event of events) {
        whole[method](event)
        ends.push(all.heard.length)
      }
      whole.flush()
      const one = new NativeBlocks({ ...settings, ...listening().options })
      for (const [at, event] of events.entries()) {
        one[method](event)
        // Twice: what was left out the first time is left out the second.
        const saved = JSON.parse(JSON.stringify(one.snapshot({ keepText: false })))
        assert.deepEqual(one.snapshot({ keepText: false }), saved, `${name}: a snapshot changes nothing`)
        const between = NativeBlocks.restore(saved, { ...listening().options })
        const { heard, options } = listening()
        const again = NativeBlocks.restore(JSON.parse(JSON.stringify(between.snapshot({ keepText: false }))), options)
        for (const later of events.slice(at + 1)) again[method](later)
        again.flush()
        agrees(heard, all.heard, ends[at])
        partial += heard.filter(([kind, event]) => kind === 'block' && event.block?.partial).length
      }
    }
  }
  assert.ok(partial > 20, `${partial} partial blocks`)
})

test('without the text its size does not grow with the text; unknown options are refused', () => {
  for (const settings of [{}, { tags: true }]) {
    const blocks = new NativeBlocks(settings)
    for (let at = 0; at < 2000; at++) blocks.openai({ choices: [{ index: 0, delta: { content: 'Some words and 🙂. ' } }] })
    assert.ok(JSON.stringify(blocks.snapshot()).length > 36_000)
    assert.ok(JSON.stringify(blocks.snapshot({ keepText: false })).length < 2_000)
  }
  assert.throws(() => new NativeBlocks().snapshot({ keep: false }), /keep/)
})

test('without the text of very many pieces, the block goes on with all of it', () => {
  const blocks = new NativeBlocks()
  for (let at = 0; at < 200_000; at++) blocks.openai({ choices: [{ index: 0, delta: { content: 'ab' } }] })
  assert.ok(JSON.stringify(blocks.snapshot({ keepText: false })).length < 2_000)
  const [{ event }] = blocks.flush().emissions
  assert.deepEqual([event.block.content.length, event.block.partial], [400_000, undefined])
})

test('of blocks that have ended no text is saved', () => {
  const blocks = new NativeBlocks()
  for (let index = 0; index < 50; index++) {
    blocks.openai({ choices: [{ index: 0, delta: { tool_calls: [{ index, id: `call_${index}`, function: { name: 'f', arguments: JSON.stringify({ x: 'x'.repeat(1000) }) } }] } }] })
    const place = { item_id: `m${index}`, output_index: index, content_index: 0 }
    blocks.openaiResponses({ type: 'response.output_item.added', output_index: index, item: { type: 'message', content: [] } })
    blocks.openaiResponses({ type: 'response.output_text.delta', ...place, delta: 'x'.repeat(1000) })
    blocks.openaiResponses({ type: 'response.output_item.done', output_index: index, item: { type: 'message', content: [{ type: 'output_text', text: 'x'.repeat(1000) }] } })
  }
  // Of each call its id and a digest stay: it may come again.
  assert.ok(JSON.stringify(blocks.snapshot()).length < 53_000, `${JSON.stringify(blocks.snapshot()).length} bytes`)
})
