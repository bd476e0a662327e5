// One reader for a wire format: a protocol and its row read random texts alike, and so do a stream, a whole answer and
// the middleware.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as sdk from 'tokenweir/ai-sdk'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseReply } from 'tokenweir/tool-calls'
import { cutAt, random } from './support/cuts.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 1_500)

const of = (properties, required = []) => ({ type: 'object', properties, required })
const string = { type: 'string' }
const tools = [
  { type: 'function', name: 'run', inputSchema: of({ command: string, list: { type: 'array', items: string }, count: { type: 'integer' } }) },
  { type: 'function', name: 'now', inputSchema: of({}) },
  { type: 'function', name: 'write_file', inputSchema: of({ path: string, content: string }, ['path', 'content']) },
]

/** Text of a model: what stands between calls, and inside values. */
const PROSE = ['Hello', ' ', '\n', 'C:\\Users\\x', 'grep \\d+', '`code`', '{"a": 1}', '<b>', '</b>', '🌦', '&amp;', 'a < b', '"', "it's", ' 7 ', 'null', '}', ']']
/** Bodies of calls, whole or broken in ways that are repaired or refused. */
const BODIES = {
  hermes: ['{"name": "run", "arguments": {"command": "ls"}}', '{"name": "now", "arguments": {}}', "{'name': 'now', 'arguments': {}}", '{"name": "run", "arguments": {"command": "a\\d C:\\Users"}}', '{"name": "now"}', '{"name": "now", "arguments": null}', '{"arguments": {"list": [1, "b"]}, "name": "run"}', '{"name": "run", "parameters": {"command": "line\nend"}}', '{"name": "run", "arguments": "{\\"count\\": 1}"}', '{"name": "run", "input": {"command": "ls"}}', '{"args": {"command": "ls"}, "name": "run"}', '{"name": "run", "arguments": {"count": "7",}}', '{"name": "run", "arguments": {"ok": True, "command": "</tool_call>"}}', '{"name": "other", "arguments": {"a": {"b": [1, {"c": null}]}}}', 'Hello', '', '[1]', '{"arguments": {}}'],
  'morph-xml': ['<now/>', '<now></now>', ...['<command>ls</command>', '<count>7</count>', '<count> 7 </count>', '<list>a</list><list>b</list>', '<command>a &lt; b</command>', '<command>a\\d</command>', '<list><item>1</item><item>2</item></list>', 'x', '\n<command>ls</command>\n'].map((body) => `<run>${body}</run>`), '<write_file><path>p</path><content>c</content></write_file>'],
  'qwen3-coder': ['<function=run>\n<parameter=command>\nls\n</parameter>\n</function>', '<function="now">\n</function>', '<function=run>\n<parameter=count>\n7\n</parameter>\n<parameter=command>\n<b>\n</parameter>\n</function>', '<function=run>\n<parameter=list>\n["\\d", "b"]\n</parameter>\n</function>', '<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nclose with </parameter> then\n</parameter>\n</function>', '<function=other>\n<parameter=a>\n1\n</parameter>\n</function>', 'Hello'],
}

const pick = (next, list) => list[next(list.length)]
const some = (next, list, most) => Array.from({ length: 1 + next(most) }, () => pick(next, list)).join('')
const thinking = (next) => `\n<think>${some(next, [...PROSE, '<tool_call>', '<run>', '<think>'], 4)}</think>`
const prose = (next) => some(next, PROSE, 4)
const around = (next, text) => (next(6) === 0 ? thinking(next) : next(2) === 0 ? prose(next) : text)

/** Texts of each format: thinking, prose and calls. Nothing follows a call's body but its end tag: see the peers' defaults below. */
const TEXTS = {
  hermes: (next) => around(next, `<tool_call>${pick(next, ['', '\n'])}${pick(next, BODIES.hermes)}${pick(next, ['', '\n'])}</tool_call>`),
  'morph-xml': (next) => around(next, pick(next, BODIES['morph-xml'])),
  'qwen3-coder': (next) => around(next, `<tool_call>\n${pick(next, BODIES['qwen3-coder'])}\n</tool_call>`),
}
TEXTS['k-exaone'] = TEXTS['qwen3-coder']
const textOf = (id, next) => `${Array.from({ length: 1 + next(4) }, () => TEXTS[id](next)).join('')}${next(2) === 0 ? '.' : ''}`

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

// The defaults of the peers, which the protocols keep: a call of Hermes needs its end tag, and nothing but white space
// may stand before it; strings of Morph keep the white space at their ends, and there is no section around its calls.
// White space at markers is layout in a row, and text for the peers.
const withoutSpace = ({ text, reasoning, calls }) => ({ text: text.replace(/\s+/g, ''), reasoning: reasoning.replace(/\s+/g, ''), calls })

describe('a protocol is its row', () => {
  for (const [id, protocol] of pairs) {
    test(`the protocol of '${id}' and the format`, () => {
      const next = random(seed)
      const differ = []
      for (let round = 0; round < ROUNDS; round++) {
        const text = textOf(id, next)
        const [row, own] = [readWith({ format: id, tools }, [text]), readWith({ protocol: protocol(), tools }, [text])]
        if (JSON.stringify(withoutSpace(row)) !== JSON.stringify(withoutSpace(own))) differ.push({ text, row, own })
      }
      differ.sort((a, b) => a.text.length - b.text.length)
      assert.equal(differ.length, 0, `SEED=${seed}: ${differ.length} of ${ROUNDS} differ:\n${differ.slice(0, 6).map((each) => JSON.stringify(each, null, 1)).join('\n')}`)
    })
  }
})

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
      for (let round = 0; round < ROUNDS / 10; round++) {
        const text = textOf(id, next)
        const pieces = cutAt(text, Array.from({ length: 1 + next(4) }, () => next(text.length + 1)).sort((a, b) => a - b))
        const whole = readWith({ protocol: protocol(), tools }, [text])
        assert.deepEqual(readWith({ protocol: protocol(), tools }, pieces), whole, `SEED=${seed} ${JSON.stringify(pieces)}`)
        for (const answer of await withMiddleware(pieces, tools)) assert.deepEqual(answer, whole, `SEED=${seed} ${JSON.stringify(pieces)}`)
        const { reasoning } = parseReply(text, { format: id, tools })
        assert.equal(withoutSpace({ ...whole }).reasoning, reasoning.replace(/\s+/g, ''), `SEED=${seed} ${JSON.stringify(text)}`)
        // Without tools nothing is a call, and reasoning is read the same.
        for (const answer of await withMiddleware(pieces, [])) assert.deepEqual([answer.calls, answer.reasoning], [[], whole.reasoning], `without tools, SEED=${seed} ${JSON.stringify(pieces)}`)
      }
    })
  }
})
