// `defineFormat` and `anyOf`: what is a format, and how a wrong one is named. tests/policy makes each row one that can't match.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { anyOf, defineFormat, formats } from 'tokenweir/formats'
import { parseReply } from 'tokenweir/tool-calls'

const call = { open: ['<call>'], body: 'json', close: ['</call>'] }
const keys = { name: ['name'], args: ['arguments'] }
const json = { id: 'mine', call, keys }
const params = { id: 'mine', call: { open: ['<f='], head: ['NAME', '>'], body: 'params', close: ['</f>'] }, params: { open: ['<p='], head: ['KEY', '>'], close: ['</p>'] } }

/** The message of the error for a row. */
function complaint(row) {
  try {
    defineFormat(row)
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error.stack))
    return error.message.replace(/^defineFormat:? ?/, '')
  }
  return 'none'
}

const isFrozen = (value) => typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))

describe('defineFormat', () => {
  test('returns frozen data, and leaves the row alone', () => {
    const row = structuredClone(json)
    const format = defineFormat(row)
    assert.deepEqual(format, json)
    assert.ok(isFrozen(format))
    assert.ok(!Object.isFrozen(row.call))
    row.call.open.push('<other>')
    assert.deepEqual(format.call.open, ['<call>'])
  })

  test('takes every row of the catalogue as it is', () => {
    for (const format of Object.values(formats)) assert.deepEqual(defineFormat(format), format)
  })

  test('takes the fields of another format, by its id or as it is', () => {
    for (const like of ['hermes', formats.hermes]) {
      const format = defineFormat({ id: 'mine', like, reasoning: null, drop: ['<eos>'] })
      assert.deepEqual(format.call, formats.hermes.call)
      assert.deepEqual(format.drop, ['<eos>'])
      for (const field of ['title', 'models', 'template', 'sample', 'source', 'reasoning', 'like']) assert.ok(!(field in format), field)
    }
    const { limits: _, ...write } = formats.harmony.write
    assert.deepEqual(defineFormat({ id: 'mine', like: 'harmony' }).write, write)
    assert.match(complaint({ id: 'mine', like: 'hermess' }), /like: there is no format "hermess"; is it "hermes"\?/)
    assert.match(complaint({ id: 'mine', like: { id: 5 } }), /like: id must be a name/)
  })

  for (const [what, row, expected] of [
    ['no object', 'hermes', 'takes a row, but got string "hermes"'],
    ['no id', { call, keys }, 'id must be given, but is undefined'],
    ['an id with spaces', { ...json, id: 'my format' }, 'id must be a name of letters, digits and single dots, colons or hyphens, but is string "my format"'],
    ['an unknown field', { ...json, tags: [] }, /^a format has no field "tags"; it has id, title, /],
    ['an unknown field inside', { ...json, call: { ...call, opne: [] } }, /^call has no field "opne"; it has open, head, /],
    ['an inherited field', { ...json, call: { ...call, toString: true } }, /^call has no field "toString"/],
    ['another type', { ...json, call: { ...call, requireClose: 'yes' } }, 'call.requireClose must be true or false, but is string "yes"'],
    ['a marker that is no list', { ...json, call: { ...call, open: '<call>' } }, 'call.open must be a list, but is string "<call>"'],
    ['an empty marker', { ...json, call: { ...call, open: ['<a>', ''] } }, 'call.open[1] must be a marker of 1 to 128 bytes, but is string ""'],
    ['a marker of 129 bytes', { ...json, drop: ['é'.repeat(64) + 'a'] }, /^drop\[0\] must be a marker of 1 to 128 bytes/],
    ['33 markers', { ...json, drop: Array.from({ length: 33 }, (_, at) => `<${at}>`) }, 'drop must have 0 to 32 items, but has 33'],
    ['an unknown body', { ...json, call: { ...call, body: 'xml' } }, /^call\.body must be "json" or "keyed" or .* but is string "xml"$/],
    ['an unknown piece', { ...params, call: { ...params.call, head: ['NAMES', '>'] } }, 'call.head[0] must be a literal text or one of NAME, KEY, ID, INDEX, TYPE, but is string "NAMES"'],
    ['an unknown attribute', { ...params, call: { ...params.call, head: [{ attributes: { name: 'TITLE' }, end: '>' }] } }, /^call\.head\[0\]\.attributes\.name must be "NAME" or /],
    ['a KEY in the head of a call', { ...params, call: { ...params.call, head: ['NAME', ' ', 'KEY', '>'] } }, 'call.head[2] has KEY, but only NAME, ID, INDEX, TYPE may be here'],
    ['a piece twice', { ...params, call: { ...params.call, head: ['NAME', ' ', 'NAME', '>'] } }, 'call.head[2] has NAME a second time'],
    ['two pieces without a text between', { ...params, call: { ...params.call, head: ['NAME', 'ID', '>'] } }, 'call.head[1] follows NAME directly, so that nothing says where that ends'],
    ['no NAME', { ...params, call: { ...params.call, head: ['>'] } }, 'call.head must have NAME for the body "params"'],
    ['no KEY', { ...params, params: { ...params.params, head: ['>'] } }, 'params.head must have KEY'],
    ['an unknown repair', { ...json, repairs: ['extra-closer', 'trailing-commas'] }, /^repairs\[1\] must be "extra-closer" or /],
    ['repairs of another body', { ...params, call: { ...params.call, tolerant: true } }, 'call.tolerant is for the bodies "json" and "elements", but call.body is string "params"'],
    ['repairs and two closers', { id: 'mine', call: { ...call, close: ['</call>', '</calls>'], tolerant: true } }, 'call.close must have one marker, as `call.tolerant` is true'],
    ['repairs and an opener of elements', { id: 'mine', call: { open: ['<call>'], head: ['NAME', '>'], body: 'elements', tolerant: true } }, 'call.open must be absent, as `call.tolerant` is true and the tag is the name of the tool'],
    ['repairs and keys', { ...json, call: { ...call, tolerant: true } }, 'keys must be absent, as `call.tolerant` is true'],
    ['repairs and a head', { id: 'mine', call: { ...call, head: ['x'], tolerant: true } }, 'call.head must be absent, as `call.tolerant` is true'],
    // What can never match: white space that is passed over, and markers that say two things.
    ['a closer of a text that begins with a line end', { id: 'mine', call: { open: ['<f='], head: ['NAME', '>'], body: 'text', close: ['</f>', '\n</f>'] } }, 'call.close[1] begins with white space, which is passed over before it, so that it is never found: string "\\n</f>"'],
    ['a closer of JSON that begins with a space', { ...json, call: { ...call, close: [' </call>'] } }, /^call\.close\[0\] begins with white space/],
    ['a closer of parameters that begins with a line end', { ...params, call: { ...params.call, close: ['\n</f>'] } }, /^call\.close\[0\] begins with white space/],
    ['a required closer that is white space', { ...json, call: { ...call, close: ['\n'], requireClose: true } }, /^call\.close\[0\] begins with white space/],
    ['a separator that begins with a line end', { ...json, call: { ...call, separator: ['\n;'] } }, /^call\.separator\[0\] begins with white space/],
    ['a parameter that begins with a line end', { ...params, params: { ...params.params, open: ['\n<p='] } }, /^params\.open\[0\] begins with white space/],
    ...['line', 'all', 'block'].map((trim) => [`a closer that begins with a line end after a value that is trimmed: ${trim}`, { ...params, params: { ...params.params, close: ['\n</p>'], trim } }, /^params\.close\[0\] begins with white space/]),
    ['arguments under the key of the name', { ...json, keys: { name: ['name', 'tool'], args: ['arguments', 'tool'] } }, 'keys.args[1] is a key of the name too: string "tool"'],
    ['an id under the key of the arguments', { ...json, keys: { ...keys, id: ['arguments'] } }, /^keys\.id\[0\] is a key of the name or the arguments too/],
    ['a section that ends as it begins', { ...json, section: { open: ['<s>'], close: ['<s>'] } }, /^section\.close\[0\] opens the section too/],
    ['a section that ends as a call begins', { ...json, section: { open: ['<s>'], close: ['</s>', '<call>'] } }, /^section\.close\[1\] opens a call too/],
    ['a parameter that begins as the call ends', { ...params, params: { ...params.params, open: ['</f>'] } }, /^params\.open\[0\] closes the call too/],
    ['reasoning that ends as it begins', { id: 'mine', reasoning: { open: ['**'], close: ['**'] } }, /^reasoning\.close\[0\] opens the reasoning too/],
    ['messages that begin as a call does', { ...json, messages: { open: ['<call>'], headEnd: ['>'], routes: [{ kind: 'text' }] } }, /^messages\.open\[0\] opens a call too/],
    ['a name before a body that has it', { ...json, call: { ...call, head: ['NAME', '>'] } }, 'call.head has NAME, but the body "json" has the name itself'],
    ['an opener that takes the brace of the body', { ...json, call: { ...call, open: ['<call>{'] } }, 'call.open[0] ends in "{", with which the body "json" begins: leave it out'],
    ['a head that takes the brace of the body', { id: 'mine', call: { open: ['<f='], head: ['NAME', '>{'], body: 'args' } }, 'call.head[1] ends in "{", with which the body "args" begins: leave it out'],
    ['no params', { id: 'mine', call: params.call }, 'params must have `open` and `close` for the body "params"'],
    ['params of another body', { ...json, params: params.params }, 'params is for the bodies "params", "elements" and "yaml", but call.body is string "json"'],
    ['no keys', { id: 'mine', call }, 'keys must be given for the body "json"'],
    ['keys of another body', { ...params, keys }, 'keys is for the body "json", but call.body is string "params"'],
    ['nothing that opens a call', { ...json, call: { body: 'json' } }, 'call.open must have a marker, unless `bare` says where a call stands without one'],
    ['a close that must be there and is not', { ...json, call: { open: ['<call>'], body: 'json', requireClose: true } }, 'call.requireClose needs a marker in `call.close`'],
    ['no quote', { id: 'mine', call: { open: ['<c>'], head: ['NAME'], body: 'brace' } }, 'call.quote must be given for the body "brace"'],
    ['a quote of another body', { ...json, call: { ...call, quote: '"' } }, 'call.quote is for the body "brace", but call.body is string "json"'],
    ['types by an attribute that is not there', { ...params, typing: 'attribute' }, 'typing is "attribute", but params.head has neither TYPE nor STRING'],
    ['fields of a call without one', { id: 'mine', keys }, 'keys needs `call`, which says how a call is written'],
    ['reasoning that nothing opens', { id: 'mine', reasoning: { open: [], close: ['</t>'] } }, 'reasoning.open must have a marker unless reasoning.prefilled is "always"'],
    ['reasoning that opens as a call does', { ...json, reasoning: { open: ['<call>'], close: ['</t>'] } }, 'reasoning.open[0] opens a call too: "<call>"'],
    ['a route to a call without one', { id: 'mine', messages: { open: ['<m>'], headEnd: ['>'], routes: [{ kind: 'calls' }] } }, 'messages.routes[0].kind is "calls", which needs `call`'],
    ['a name of a text', { id: 'mine', messages: { open: ['<m>'], headEnd: ['>'], routes: [{ name: ['to='], kind: 'text' }] } }, 'messages.routes[0].name is for the kind "call", but the kind is "text"'],
    ['an unknown placeholder', { ...json, write: { call: '<call>{arguments}</call>' } }, /^write\.call has \{arguments\}, but only \{name\}, /],
    ['a placeholder without its template', { ...params, write: { call: '<f={name}>{params}</f>' } }, 'write.param must be given for {params}'],
    ['one side of a frame', { ...json, write: { section: ['<calls>'] } }, 'write.section must be two strings, but is an array of 1'],
  ]) {
    test(`refuses ${what}`, () => {
      if (typeof expected === 'string') assert.equal(complaint(row), expected)
      else assert.match(complaint(row), expected)
    })
  }

  test('takes a format for reasoning alone, one that starts inside it, and one for nothing', () => {
    assert.equal(complaint({ id: 'a', reasoning: { open: ['<t>'], close: ['</t>'] } }), 'none')
    assert.equal(complaint({ id: 'a', reasoning: { open: [], close: ['</t>'], prefilled: 'always' } }), 'none')
    assert.equal(complaint({ id: 'a' }), 'none')
  })

  test('a line end as the closer of a value ends it before the end of the call, whatever follows', () => {
    const call = { open: ['@call '], head: ['NAME', '\n'], body: 'params', close: ['@end'] }
    const params = { open: ['| '], head: ['KEY', ' = '], close: ['\n'] }
    const weather = '@call weather\n| city = Porto\n| days = 3\n@end'
    const expected = ['weather', { city: 'Porto', days: '3' }]
    for (const more of [{}, { call: { ...call, requireClose: true } }, { params: { ...params, closer: 'first' } }, { params: { ...params, closer: 'last' } }]) {
      const format = defineFormat({ id: 'lines', call, params, ...more })
      for (const [rest, ...others] of [[''], ['\n'], ['\n@call now\n@end', ['now', {}]], [` @call now\n@end`, ['now', {}]], ['\n\nDone.'], [`\n${weather}`, expected]]) {
        const { toolCalls, problems } = parseReply(weather + rest, { format })
        assert.deepEqual(toolCalls.map(({ toolName, args }) => [toolName, args]), [expected, ...others], JSON.stringify([more, rest]))
        assert.deepEqual(problems, [])
      }
    }
  })

  test('never throws anything but a TypeError', () => {
    for (const value of [undefined, null, 5, [], () => {}, Symbol('a'), { id: null }, { id: 'a', call: [] }, { id: 'a', call: { body: 'args', open: ['a'], head: [null] } }, { id: 'a', messages: { open: ['a'], headEnd: ['b'], routes: [null] } }]) {
      assert.notEqual(complaint(value), 'none')
    }
  })
})

describe('the catalogue', () => {
  test('is frozen, and each format has its id and a title', () => {
    assert.ok(isFrozen(formats))
    for (const [id, format] of Object.entries(formats)) {
      assert.equal(format.id, id)
      assert.equal(typeof format.title, 'string', id)
    }
  })

  test('has the same formats one by one', async () => {
    for (const [id, format] of Object.entries(formats)) {
      const exported = Object.entries(await import(`tokenweir/formats/${id}`))
      assert.equal(exported.length, 1, id)
      assert.deepEqual(exported[0][1], format)
      assert.ok(isFrozen(exported[0][1]))
    }
  })
})

test('docs/formats.md is what the build makes of the rows: `cargo xtask formats` writes it', () => {
  const [written, built] = ['docs/formats.md', 'target/pkg-src/formats.md'].map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
  assert.equal(written, built)
})

test('docs/formats.md says which formats are read only with tools', () => {
  const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8')
  const said = page.split('\n').filter((line) => /^\|.*\bneeds tools\b/.test(line)).map((line) => line.split('`')[1])
  const found = Object.values(formats).filter((format) => format.call !== undefined && parseReply(format.sample, { format: withYaml(format) }).toolCalls.length === 0)
  assert.deepEqual(said, found.map(({ id }) => id))
})

describe('anyOf', () => {
  test('puts formats together', () => {
    const mine = defineFormat(json)
    const either = anyOf('hermes', mine)
    assert.deepEqual(either, { anyOf: [formats.hermes, mine] })
    assert.ok(isFrozen(either))
  })

  test('refuses none, nine, one twice, and what is no format', () => {
    assert.throws(() => anyOf(), { name: 'TypeError', message: 'anyOf takes 1 to 8 formats, but got 0' })
    assert.throws(() => anyOf(...Object.keys(formats).slice(0, 9)), { name: 'TypeError', message: 'anyOf takes 1 to 8 formats, but got 9' })
    assert.throws(() => anyOf('hermes', formats.hermes), { name: 'TypeError', message: 'anyOf: the format "hermes" is there twice' })
    assert.throws(() => anyOf('nothing at all'), { name: 'TypeError', message: 'anyOf: there is no format "nothing at all"; `formats` of tokenweir/formats has all of them' })
    assert.throws(() => anyOf(anyOf('hermes')), { name: 'TypeError', message: /^anyOf: a format has no field "anyOf"/ })
    assert.throws(() => anyOf('__proto__'), TypeError)
  })
})
