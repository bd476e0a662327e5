// One reader for a wire format: a stream, a whole answer and the middleware read random texts alike. That a protocol reads
// as its row does, tests/policy asks (rule 21).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as sdk from 'tokenweir/ai-sdk'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseReply } from 'tokenweir/tool-calls'
import { cutAt, random } from './support/cuts.mjs'
import { textOf, tools } from './support/protocol-texts.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 150)

function answerOf(parts) {
  const joined = (type) => parts.flatMap((part) => (part.type === type ? [part.delta ?? part.text] : [])).join('')
  const streamed = { text: joined('text-delta') + joined('text'), reasoning: joined('reasoning-delta') + joined('reasoning') }
  return { ...streamed, calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.input]] : [])) }
}

function readWith(source, pieces) {
  const parser = new ToolCallParser(source)
  return answerOf([...pieces.flatMap((piece) => parser.text(piece)), ...parser.finish()])
}

const pairs = [
  ['hermes', hermesProtocol],
  ['morph-xml', morphXmlProtocol],
  ['qwen3-coder', sdk.qwen3CoderProtocol],
  ['k-exaone', sdk.kExaone2Protocol],
]

// White space at markers is layout in a row, and text for the peers.
const withoutSpace = (text) => text.replace(/\s+/g, '')

describe('each door of a protocol reads alike', () => {
  for (const [id, protocol] of pairs) {
    const middleware = sdk.createToolMiddleware({ protocol: protocol(), toolSystemPromptTemplate: () => '' })

    /** What the middleware makes of an answer, as a whole or as a stream. */
    async function withMiddleware(pieces, given) {
      const params = await middleware.transformParams({ params: { prompt: [], tools: given }, type: 'stream' })
      const parts = [{ type: 'text-start', id: '1' }, ...pieces.map((delta) => ({ type: 'text-delta', id: '1', delta })), { type: 'text-end', id: '1' }, { type: 'finish', finishReason: 'stop', usage: {} }]
      const doStream = async () => ({ stream: ReadableStream.from(parts) })
      const doGenerate = async () => ({ content: [{ type: 'text', text: pieces.join('') }], finishReason: 'stop', usage: {} })
      const { stream } = await middleware.wrapStream({ doStream, doGenerate, params })
      const streamed = []
      for await (const part of stream) streamed.push(part)
      const { content } = await middleware.wrapGenerate({ doGenerate, params })
      return [answerOf(streamed), answerOf(content)]
    }

    test(`the protocol of '${id}': cut anywhere, whole, and by the middleware`, async () => {
      const next = random(seed)
      for (let round = 0; round < ROUNDS; round++) {
        const text = textOf(id, next)
        const pieces = cutAt(text, Array.from({ length: 1 + next(4) }, () => next(text.length + 1)).sort((a, b) => a - b))
        const whole = readWith({ protocol: protocol(), tools }, [text])
        assert.deepEqual(readWith({ protocol: protocol(), tools }, pieces), whole, `SEED=${seed} ${JSON.stringify(pieces)}`)
        for (const answer of await withMiddleware(pieces, tools)) assert.deepEqual(answer, whole, `SEED=${seed} ${JSON.stringify(pieces)}`)
        const { reasoning } = parseReply(text, { format: id, tools })
        assert.equal(withoutSpace(whole.reasoning), withoutSpace(reasoning), `SEED=${seed} ${JSON.stringify(text)}`)
        // Without tools nothing is a call, and reasoning is read the same.
        for (const answer of await withMiddleware(pieces, [])) assert.deepEqual([answer.calls, answer.reasoning], [[], whole.reasoning], `without tools, SEED=${seed} ${JSON.stringify(pieces)}`)
      }
    })
  }
})

test('where a protocol keeps what the parser does that it replaces', () => {
  const now = '{"name": "now", "arguments": {}}'
  const twice = '<parameter=command>\na\n</parameter>\n<parameter=command>\nb\n</parameter>'
  for (const [id, text, ofProtocol, ofFormat] of [
    ['hermes', `<tool_call>${now}`, [], [['now', {}]]],
    ['hermes', `<tool_call>${now}\n${now}</tool_call>`, [], [['now', {}], ['now', {}]]],
    ['hermes', '<tool_call>{"tool": "now", "arguments": {}}</tool_call>', [['now', {}]], []],
    ['morph-xml', '<run><now/></run>', [['now', {}]], []],
    ['morph-xml', '<run><zz>1</zz></run>', [['run', { zz: 1 }]], []],
    ['morph-xml', '<run><command> ls </command></run>', [['run', { command: ' ls ' }]], [['run', { command: 'ls' }]]],
    ['qwen3-coder', `<tool_call>\n<function=run>\n${twice}\n</function>\n</tool_call>`, [['run', { command: ['a', 'b'] }]], [['run', { command: 'b' }]]],
  ]) {
    const [, protocol] = pairs.find(([each]) => each === id)
    const callsOf = (source) => readWith({ ...source, tools }, [text]).calls.map(([name, input]) => [name, JSON.parse(input)])
    assert.deepEqual(callsOf({ protocol: protocol() }), ofProtocol, text)
    assert.deepEqual(callsOf({ format: id }), ofFormat, text)
  }
})
