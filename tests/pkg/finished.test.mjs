// After the end of a stream, text is refused by name: what tests/policy doesn't ask of all parsers; and what goes on.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
import { StreamingResponseHandler } from 'tokenweir/segments'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, toolCallStream } from 'tokenweir/tool-calls'

/** Texts after which a parser is in the middle of something. */
const FRONTS = ['', 'Hello', '<thinking>hm', '<thi', '<function_calls><invoke name="a"><parameter name="b">x', '<function_calls><invoke name="a">{"b', '<tool_call>{"name": "a", "arguments": {"b": "', '{"a": "b', '<run_bash>l']
const LATE = ['more', '<b', ' ', '']

const tools = [{ name: 'a', inputSchema: { properties: { b: { type: 'string' } } } }]
const PARSERS = {
  'BlockParser with stop sequences': [() => new BlockParser({ stopSequences: ['zz'] }), (parser, text) => parser.processChunk(text), (parser) => parser.flush()],
  'BlockParser with tools': [() => new BlockParser({ tools, spans: true }), (parser, text) => parser.processChunk(text), (parser) => parser.finish()],
  NativeBlocks: [() => new NativeBlocks({ tags: true }), (parser, content) => parser.openai({ choices: [{ index: 0, delta: { content } }] }), (parser) => parser.flush()],
  StreamingResponseHandler: [() => new StreamingResponseHandler(), (parser, text) => parser.feed(text), (parser) => parser.finalize()],
  'ToolCallParser, Morph': [() => new ToolCallParser({ protocol: morphXmlProtocol(), tools }), (parser, text) => parser.text(text), (parser) => parser.write({ type: 'finish' })],
}

describe('text after the end', () => {
  for (const [name, [make, read, end]] of Object.entries(PARSERS)) {
    test(`${name} refuses it, whatever was open`, () => {
      for (const front of FRONTS) {
        for (const late of LATE) {
          const parser = make()
          read(parser, front)
          end(parser)
          assert.throws(() => read(parser, late), { name: 'ParseError', code: 'finished' }, `${JSON.stringify(front)}, then ${JSON.stringify(late)}`)
          // A second end changes nothing, and the text was not read.
          end(parser)
          assert.throws(() => read(parser, late), { code: 'finished' })
        }
      }
    })
  }
  test('what follows the part that ends a stream passes as it is', async () => {
    const delta = (text) => ({ type: 'text-delta', id: '1', delta: text })
    const late = [delta('<tool_call>{"name": "f", "arguments": {}}</tool_call>'), { type: 'finish', finishReason: 'stop' }]
    const source = ReadableStream.from([delta('Hello'), { type: 'finish', finishReason: 'stop' }, ...late])
    const parts = []
    for await (const part of source.pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools }))) parts.push(part)
    assert.deepEqual(parts.slice(-2), late)
  })
  // As membrane's parser does after `flush`.
  test('the drop-in goes on', () => {
    const drop = new IncrementalXmlParser()
    drop.processChunk('Hello')
    drop.flush()
    assert.deepEqual(drop.processChunk('more').content.map(({ text }) => text), ['more'])
  })
})
