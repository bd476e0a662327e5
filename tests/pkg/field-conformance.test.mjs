// Every case of tests/cases/field through the package, at every cut, and that
// a parser that mishandles cuts fails.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StreamingJSONParser } from 'tokenweir/fields'
import { fieldCaseFiles, judgeFields } from './support/field-cases.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const files = fieldCaseFiles()

for (const [file, cases] of files) {
  describe(`${file} (SEED=${seed})`, () => {
    for (const each of cases) test(each.name, () => judgeFields(each, { seed }))
  })
}

test('there are cases, each with a unique name', () => {
  assert.ok(files.length > 0)
  for (const [file, cases] of files) assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, file)
})

test('each rule has a case that is named after it, and a case where it is rejected', () => {
  const cases = (name) => files.find(([file]) => file === name)[1]
  const rules = new Set([...cases('json5.toml'), ...cases('tolerance.toml')].flatMap(({ rules = [] }) => rules))
  const refused = cases('strict.toml').map(({ source }) => /^internals, fields: strict: (.*)$/.exec(source)?.[1]).filter(Boolean)
  assert.equal(rules.size, 19)
  for (const rule of rules) assert.ok(refused.some((name) => name.startsWith(rule)), rule)
})

describe('the judge', () => {
  const CASE = {
    name: 'a-document',
    input: 'See [1]: {"text":"a\\ud83d\\ude00\\n🙂","n":[12,-3.5e1],"o":{"t":true},"e":""} [2]',
    data: '{"text":"a😀\\n🙂","n":[12,-35],"o":{"t":true},"e":""}',
    events: `text = "a😀\\n🙂" 18..35
n[0] = 12 42..44
n[1] = -35 45..51
n []
o.t = true 62..66
o {}
e = ""
`,
  }

  /** Changes the events of each chunk. */
  const changing = (change) =>
    class extends StreamingJSONParser {
      parseChunk(chunk) {
        return change(super.parseChunk(chunk), chunk)
      }
    }

  /** Drops an escape that a chunk ends in. */
  class Forgetful extends StreamingJSONParser {
    parseChunk(chunk) {
      return super.parseChunk(chunk.replace(/\\[^"]*$/, ''))
    }
  }

  /** Takes the end of a chunk for the end of a number. */
  class Hasty extends StreamingJSONParser {
    #text = ''
    parseChunk(chunk) {
      const isSplit = /\d$/.test(this.#text) && /^[\d.e]/.test(chunk)
      this.#text += chunk
      return super.parseChunk(isSplit ? ` ${chunk}` : chunk)
    }
  }

  const bad = {
    forgetful: Forgetful,
    hasty: Hasty,
    'parser that says done first': changing((events) => [...events].sort((a, b) => Number(b.isComplete) - Number(a.isComplete))),
    'parser that says done twice': changing((events) => events.flatMap((event) => (event.eventType === 'done' ? [event, event] : [event]))),
    'parser that says no done': changing((events) => events.filter((event) => event.path !== 'o.t' || event.eventType !== 'done')),
    'parser that emits parents first': changing((events) => [...events].sort((a, b) => a.path.length - b.path.length)),
    'parser that loses a delta': changing((events) => events.filter(({ delta }) => delta !== '\n')),
    'parser of other spans': changing((events) => events.map((event) => (event.span === undefined ? event : { ...event, span: [event.span[0], event.span[1] + 1] }))),
    'parser that copies its tree': changing((events) => events.map((event) => ({ ...event, fullData: structuredClone(event.fullData) }))),
    'parser with more keys': changing((events) => events.map((event) => ({ ...event, more: true }))),
    'parser that loses markup': changing((events) => events.filter(({ eventType, text }) => eventType !== 'markup' || text.length > 1)),
    'parser that halves a pair': changing((events) =>
      events.flatMap((event) => {
        if (event.delta !== '🙂') return [event]
        const middle = event.span && event.span[0] + 1
        return [
          { ...event, value: event.value.slice(0, -1), delta: event.delta[0], ...(event.span && { span: [event.span[0], middle] }) },
          { ...event, delta: event.delta[1], ...(event.span && { span: [middle, event.span[1]] }) },
        ]
      }),
    ),
  }

  test('lets the parser pass', () => judgeFields(CASE))

  for (const [how, Parser] of Object.entries(bad)) {
    test(`stops a ${how}`, () => assert.throws(() => judgeFields(CASE, { Parser }), { name: 'Error', message: /^a-document, / }))
  }

  test('lets forgetful and hasty parsers read a text that is not cut', () => {
    // What stops them is the cuts, and nothing else.
    for (const Parser of [Forgetful, Hasty]) assert.throws(() => judgeFields(CASE, { Parser }), /^Error: a-document, unit by unit:/)
  })

  for (const [what, events] of Object.entries({
    'another value': CASE.events.replace('12 ', '13 '),
    'another path': CASE.events.replace('o.t', 'o.u'),
    'another place': CASE.events.replace('42..44', '42..45'),
    'another order': CASE.events.replace('o.t = true 62..66\no {}', 'o {}\no.t = true 62..66'),
    'a line less': CASE.events.replace('n []\n', ''),
    'a line more': `${CASE.events}f = 1 80..81\n`,
    'another end': CASE.events.replace('o {}', 'o {} cut'),
    'a reset': `reset\n${CASE.events}`,
  })) {
    test(`stops a case that states ${what}`, () => assert.throws(() => judgeFields({ ...CASE, events }), /^Error: a-document, whole:/))
  }

  for (const [what, more] of Object.entries({ 'other data': { data: CASE.data.replace('12', '13') }, 'another order of data': { data: '{"n":[12,-35],"text":"a😀\\n🙂","o":{"t":true},"e":""}' }, 'other rules': { rules: ['comment'] } })) {
    test(`stops a case that states ${what}`, () => assert.throws(() => judgeFields({ ...CASE, ...more }), /^Error: a-document, whole:/))
  }
})
