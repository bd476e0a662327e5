// No event of native blocks ends in half a character, unless the stream does, with surrogate pairs cut everywhere. Of all other
// parsers tests/policy asks it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
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
const PARSERS = {
  BlockParser: blocks(() => new BlockParser()),
  'BlockParser with stop sequences': blocks(() => new BlockParser({ stopSequences: ['zz', `${A}q`] })),
  'BlockParser with spans': blocks(() => new BlockParser({ spans: true })),
  IncrementalXmlParser: blocks(() => new IncrementalXmlParser()),
  'NativeBlocks, text': native({}, (content) => ({ content })),
  'NativeBlocks, searched text': native({ tags: true, stopSequences: ['zz'] }, (content) => ({ content })),
  'NativeBlocks, thinking': native({}, (text) => ({ reasoning_content: text })),
  'NativeBlocks, searched thinking': native({ stopSequences: ['zz'], stopIn: 'anywhere' }, (text) => ({ reasoning_content: text })),
  'NativeBlocks, arguments': { ...native({}, (text, isFirst) => ({ tool_calls: [{ index: 0, ...(isFirst ? { id: `c${A}` } : {}), function: { ...(isFirst ? { name: `n${A}` } : {}), arguments: text } }] })), texts: [JSON.stringify({ [`k${A}`]: `v${A}` })] },
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
  for (const [name, parser] of Object.entries(PARSERS).filter(([name]) => name.startsWith('NativeBlocks'))) {
    test(name, () => {
      const next = random(seed)
      for (const text of parser.texts) for (const chunks of cuts(text, next)) for (const events of read(parser, chunks)) assertWhole(events, chunks)
    })
  }
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
