// Native events are saved between all of them, and restored in another process.
import { env } from 'node:process'
import { after, test } from 'node:test'
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
