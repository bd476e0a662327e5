// No event ends in half a character, unless the stream does: every parser, with surrogate pairs cut everywhere.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser, IncrementalXmlParser, NativeBlocks, VisibleTextStream, readReply, visibleText } from 'tokenweir/blocks'
import { StreamingJSONParser } from 'tokenweir/fields'
import { formats, writeCalls } from 'tokenweir/formats'
import { StreamingParser } from 'tokenweir/segments'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { random } from './support/cuts.mjs'

const A = '🌦'
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

const BLOCKS = [
  `a${A}b${A}${A}`,
  `${A}<thinking>h${A}m</thinking>${A}x`,
  `<function_calls><invoke name="r${A}"><parameter name="c${A}">l${A}s ${A}</parameter><parameter name="d">{"a${A}": "b${A}"}</parameter></invoke></function_calls>${A}`,
  `<function_calls>${A}<invoke name="r">${A}<parameter name="c">l</parameter>${A}</invoke>${A}</function_calls>${A}`,
  `<function_results><result>o${A}</result></function_results><${A}b>\`${A}<thinking>\`${A}&#x1F326;${A}&amp;${A}`,
  `<function_calls><invoke name="r">{"a": "b${A}\\u00e9${A}"}</invoke></function_calls> ${A}\n${A}zz${A}`,
]
const chat = (delta) => ({ choices: [{ index: 0, delta }] })
const native = (options, toDelta) => ({ texts: BLOCKS, make: () => new NativeBlocks(options), read: (parser, text, isFirst) => parser.openai(chat(toDelta(text, isFirst))).emissions, end: (parser) => parser.flush().emissions })
const blocks = (make) => ({ texts: BLOCKS, make, read: (parser, text) => parser.processChunk(text).emissions, end: (parser) => parser.flush().emissions })
const fields = (options) => ({
  texts: [`{"a${A}": "b${A}c", "l": ["${A}", {"x": "${A}${A}"}], b: '${A}', "u": "\\ud83c\\udf26x${A}"}`, `pro${A}se {"a": "${A}"} ${A}`],
  make: () => new StreamingJSONParser({}, options),
  read: (parser, text) => parser.parseChunk(text),
  end: (parser) => parser.finalize(),
})
const segments = (texts, options) => ({ texts, make: () => new StreamingParser(options), read: (parser, text) => parser.feed(text), end: (parser) => parser.finalize() })
const SEGMENTS = [`a${A} <write_file path="a${A}.txt">x${A}y</write_file>${A}`, `<run_bash>l${A}</run_bash>`, `<tool name="t${A}"><arguments><arg name="k${A}">v${A}</arg></arguments></tool>`, `<think>h${A}</think>${A}`]

/** What a row writes with such characters, in arguments and names as far as it can. */
function rowTexts(id, { reasoning }) {
  const texts = [`${A}a${A}`]
  for (const input of [{ [`c${A}`]: `l${A}s`, list: [`a${A}`] }, { c: `l${A}s` }]) {
    try {
      texts.push(`${A}a${A}${writeCalls([{ toolName: 'run', input }], { format: id })}${A}b${A}`)
      break
    } catch {
      // The row can't write it.
    }
  }
  if (reasoning !== undefined) texts.push(`${reasoning.open?.[0] ?? ''}h${A}m${reasoning.close?.[0]}${A}x`)
  return texts
}
const tools = [{ name: 'run', inputSchema: { type: 'object', properties: { c: { type: 'string' }, [`c${A}`]: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } } } }]
const rows = Object.entries(formats).filter(([, { call }]) => call?.body !== 'yaml')

const PARSERS = {
  BlockParser: blocks(() => new BlockParser()),
  'BlockParser with stop sequences': blocks(() => new BlockParser({ stopSequences: ['zz', `${A}q`] })),
  'BlockParser with stop sequences anywhere': blocks(() => new BlockParser({ stopSequences: ['zz'], stopIn: 'anywhere' })),
  'BlockParser with spans': blocks(() => new BlockParser({ spans: true })),
  'BlockParser with fences': blocks(() => new BlockParser({ fences: 'text', unopenedThinking: 'report' })),
  IncrementalXmlParser: blocks(() => new IncrementalXmlParser()),
  'NativeBlocks, text': native({}, (content) => ({ content })),
  'NativeBlocks, searched text': native({ tags: true, stopSequences: ['zz'] }, (content) => ({ content })),
  'NativeBlocks, thinking': native({}, (text) => ({ reasoning_content: text })),
  'NativeBlocks, searched thinking': native({ stopSequences: ['zz'], stopIn: 'anywhere' }, (text) => ({ reasoning_content: text })),
  'NativeBlocks, arguments': { ...native({}, (text, isFirst) => ({ tool_calls: [{ index: 0, ...(isFirst ? { id: `c${A}` } : {}), function: { ...(isFirst ? { name: `n${A}` } : {}), arguments: text } }] })), texts: [JSON.stringify({ [`k${A}`]: `v${A}` })] },
  StreamingJSONParser: fields({}),
  'StreamingJSONParser with spans': fields({ spans: true }),
  StreamingParser: segments(SEGMENTS, {}),
  'StreamingParser with spans': segments(SEGMENTS, { spans: true }),
  'StreamingParser, JSON': segments([`{"tool": {"function": "f", "parameters": {"a${A}": "b${A}"}}}${A}`], { strategyOrder: ['json_tool'] }),
}

const isHalf = (text) => /[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/.test(text)

function* strings(value, path = '') {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) yield* strings(inner, `${path}.${key}`)
}

function* cuts(text, next) {
  yield text.split('')
  for (let at = 1; at < text.length; at++) if (/[\uDC00-\uDFFF]/.test(text[at])) yield [text.slice(0, at), '', text.slice(at)]
  for (let round = 0; round < 5; round++) yield text.split(new RegExp(`(?<=^[^]{${next(text.length)}})`))
}

function assertWhole(events, of) {
  for (const [path, text] of strings(events)) assert.ok(!isHalf(text), `${path} of ${JSON.stringify(of)} is ${JSON.stringify(text)} (SEED=${seed})`)
}

/** Everything that a parser emits for chunks. */
function* read({ make, read, end }, chunks) {
  const parser = make()
  for (const [at, chunk] of chunks.entries()) yield read(parser, chunk, at === 0)
  yield end(parser)
}

describe('no event ends in half a character', () => {
  for (const [name, parser] of Object.entries(PARSERS)) {
    test(name, () => {
      const next = random(seed)
      for (const text of parser.texts) for (const chunks of cuts(text, next)) for (const events of read(parser, chunks)) assertWhole(events, chunks)
    })
  }
  for (const [id, row] of rows) {
    test(`row ${id}, as text and as parts`, () => {
      const next = random(seed)
      const ways = {
        make: () => [new ToolCallParser({ format: id, tools }), new ToolCallParser({ format: id, tools })],
        read: ([texts, parts], delta) => [...texts.text(delta), ...parts.write({ type: 'text-delta', id: '1', delta })],
        end: ([texts, parts]) => [...texts.finish(), ...parts.finish()],
      }
      for (const text of rowTexts(id, row)) for (const chunks of cuts(text, next)) for (const events of read(ways, chunks)) assertWhole(events, chunks)
    })
  }
  test('readReply, visibleText and VisibleTextStream', async () => {
    const next = random(seed)
    for (const text of BLOCKS) {
      for (const chunks of cuts(text, next)) {
        for (const source of [chunks, chunks.map((content) => chat({ content }))]) {
          for await (const event of readReply(source)) assertWhole(event, chunks)
          for await (const shown of visibleText(source)) assertWhole(shown, chunks)
        }
        for await (const shown of ReadableStream.from(chunks).pipeThrough(new VisibleTextStream())) assertWhole(shown, chunks)
      }
    }
  })
  test('halves that the stream has stay where they are', () => {
    for (const text of ['\uD83C', 'a\uD83C', '\uD83C\uD83C', '\uD83Ca\uDF26', '\uD83C\uD83C\uD83Cb', '<thinking>\uD83C', '\uDF26\uD83C<', '\uD83C\uD83C\uDF26\uDF26']) {
      for (const name of ['BlockParser', 'BlockParser with spans', 'BlockParser with stop sequences', 'IncrementalXmlParser', 'NativeBlocks, text']) {
        for (const chunks of [[text], text.split(''), ['', ...text.split('').flatMap((unit) => [unit, ''])]]) {
          const shown = [...read(PARSERS[name], chunks)].flat().map((emission) => (emission.kind === 'content' ? emission.text : emission.kind === 'markup' ? emission.text : '')).join('')
          const expected = name.startsWith('NativeBlocks') || name.endsWith('spans') ? text : text.replace('<thinking>', '')
          assert.equal(shown, expected, `${name}: ${JSON.stringify(chunks)}`)
        }
      }
    }
  })
})
