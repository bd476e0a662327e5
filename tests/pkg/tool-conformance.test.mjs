// Every case of tests/cases/tool_call through the package: by the parser at
// every cut, and by streams and whole texts; and that a parser which gets cuts
// wrong doesn't get past the judge.
//
// All texts are cut at every place, those of at most 90 units at every two, and
// all at seeded ones: support/tool-cases.mjs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { pieces } from './support/cuts.mjs'
import { caseOf, judgeTools, judgeWays, toolCaseFiles, toolNames } from './support/tool-cases.mjs'
import { withoutDeltas } from './support/tool-reading.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const files = toolCaseFiles()
const cases = files.flatMap(([, list]) => list)

for (const [file, list] of files) {
  describe(`${file} (SEED=${seed})`, () => {
    for (const each of list) test(each.name, () => judgeTools(each, { seed }))
  })

  describe(`${file}, in streams and whole (SEED=${seed})`, () => {
    for (const each of list) test(each.name, () => judgeWays(each, { seed }))
  })
}

test('there are cases, each with a unique name', () => {
  assert.ok(cases.length >= 250)
  for (const [file, list] of files) assert.equal(new Set(list.map(({ name }) => name)).size, list.length, file)
})

test('each tool has a case, each reason to fail and each repair', () => {
  const used = new Set(cases.flatMap(({ tools = [] }) => tools))
  const base = ['get_weather', 'add', 'tags', 'write_file', 'nested']
  assert.deepEqual(toolNames().filter((name) => !used.has(name) && !base.includes(name)), [])
  const reasons = new Set(cases.flatMap(({ errors = [] }) => errors.map((line) => line.split(' ')[0])))
  assert.deepEqual([...reasons].sort(), ['call-too-long', 'malformed-nested-tool-call', 'malformed-tool-call-body', 'missing-arguments', 'missing-opener', 'unfinished-tool-call', 'unresolved-tool-name'])
  const repairs = new Set(cases.flatMap(({ repairs: lines = [] }) => lines.flatMap((line) => line.split(': ')[1].split(' '))))
  assert.deepEqual([...repairs].sort(), REPAIRS)
})

test('the calls of cases are JSON, and their errors lie in their texts', () => {
  for (const each of cases) {
    const { input, parts, errors } = caseOf(each)
    const calls = parts.split('\n').filter((line) => line.startsWith('call '))
    for (const line of calls) assert.equal(typeof JSON.parse(line.replace(/^call (?:"(?:[^"\\]|\\.)*"|\S+) /, '')), 'object', each.name)
    for (const line of errors.split('\n').filter((text) => text !== '')) assert.ok(input.includes(JSON.parse(line.replace(/^\S+ (?:"(?:[^"\\]|\\.)*"|\S+) /, ''))), `${each.name}: ${line}`)
  }
})

const REPAIRS = [
  'args', 'bare-word', 'comment', 'encoded-arguments', 'end-closes', 'extra-closer', 'fence', 'input', 'kept-escape', 'leading-zero', 'list', 'missing-close-tag', 'missing-closer', 'missing-end-tag', 'parameters',
  'python-word', 'raw-control', 'repeated-argument', 'single-quotes', 'stray-close-tag', 'stray-think', 'tool', 'trailing-comma', 'unescaped-quote', 'unknown-member', 'unquoted-key',
]

describe('the judge', () => {
  const CASE = {
    name: 'a-text',
    protocol: 'hermes',
    input: 'a < b <tool_call>{"name":"write_file","arguments":{"path":"a","content":"x</tool_call>\\n"}}</tool_call>.<tool_call>{name:"add",x:1,,}</tool_call> <tool_c',
    parts: `text "a < b "
call write_file {"path":"a","content":"x</tool_call>\\n"}
text "."
start add
end
text "<tool_call>{name:\\"add\\",x:1,,}</tool_call> <tool_c"
`,
    errors: ['malformed-tool-call-body add "<tool_call>{name:\\"add\\",x:1,,}</tool_call>"'],
  }
  const REPAIRED = { name: 'a-text', protocol: 'hermes', input: "<tool_call>{'name':'add'}</tool_call>", parts: 'call add {}', repairs: ['add: single-quotes'] }
  const INVALID = { name: 'a-text', protocol: 'hermes', input: '<tool_call>{,}</tool_call>', options: { onMalformed: 'invalid-call' }, parts: 'invalid unknown "{,}"', errors: ['malformed-tool-call-body - *'] }

  /** Changes the parts. */
  const changing = (change) =>
    class extends ToolCallParser {
      text(chunk) {
        return change(super.text(chunk))
      }
      write(part) {
        return change(super.write(part))
      }
      finish() {
        return change(super.finish())
      }
    }

  /** Knows nothing of the chunks before. */
  class Forgetful {
    #arg
    #parser
    #isOver = false
    constructor(arg) {
      this.#arg = arg
    }
    text(chunk) {
      if (this.#isOver) return []
      return new ToolCallParser(this.#arg).text(chunk)
    }
    write(part) {
      this.#parser ??= new ToolCallParser(this.#arg)
      return this.#parser.write(part)
    }
    finish() {
      this.#isOver = true
      return []
    }
  }

  /** Ends everything open with each chunk, as a parser without state would. */
  class Hasty {
    #arg
    #isOver = false
    constructor(arg) {
      this.#arg = arg
    }
    text(chunk) {
      if (this.#isOver) return []
      const parser = new ToolCallParser(this.#arg)
      return [...parser.text(chunk), ...parser.finish()]
    }
    write(part) {
      return part.type === 'text-delta' ? this.text(part.delta) : part.type === 'finish' && !this.#isOver ? [part] : []
    }
    finish() {
      this.#isOver = true
      return []
    }
  }

  /** Takes tags for text too. */
  const Leaking = changing((parts) => parts.flatMap((part) => (part.type === 'tool-call' ? [{ type: 'text-start', id: `${part.toolCallId}t` }, { type: 'text-delta', id: `${part.toolCallId}t`, delta: '</tool_call>' }, { type: 'text-end', id: `${part.toolCallId}t` }, part] : [part])))

  /** Loses pending text at the end. */
  class Losing extends ToolCallParser {
    finish() {
      return super.finish().filter(({ type }) => type !== 'text-delta')
    }
    write(part) {
      return part.type === 'finish' ? super.write(part).filter(({ type }) => type !== 'text-delta') : super.write(part)
    }
  }

  const isDelta = ({ type }) => type === 'tool-input-delta'
  const Parsers = {
    forgetful: Forgetful,
    hasty: Hasty,
    leaking: Leaking,
    losing: Losing,
    'parser without ends of texts': changing((parts) => parts.filter(({ type }) => type !== 'text-end')),
    'parser without ends of arguments': changing((parts) => parts.filter(({ type }) => type !== 'tool-input-end')),
    'parser that starts arguments twice': changing((parts) => parts.flatMap((part) => (part.type === 'tool-input-start' ? [part, part] : [part]))),
    'parser of empty deltas': changing((parts) => parts.flatMap((part) => (part.type === 'text-delta' ? [part, { ...part, delta: '' }] : [part]))),
    'parser that splits deltas in two': changing((parts) => parts.flatMap((part) => (isDelta(part) && part.delta.length > 1 ? [{ ...part, delta: part.delta.slice(0, 1) }, { ...part, delta: part.delta.slice(1) }] : [part]))),
    'parser that loses a delta': changing((parts) => parts.filter((part) => !isDelta(part))),
    'parser of other input': changing((parts) => parts.map((part) => (part.type === 'tool-call' ? { ...part, input: '{}' } : part))),
    'parser of other names': changing((parts) => parts.map((part) => (part.type === 'tool-call' ? { ...part, toolName: 'add' } : part))),
    'parser of other ids': changing((parts) => parts.map((part) => (part.type === 'tool-call' ? { ...part, toolCallId: 'x' } : part))),
    'parser of one id': changing((parts) => parts.map((part) => (part.id === undefined ? part : { ...part, id: 'x' }))),
    'parser with more keys': changing((parts) => parts.map((part) => ({ ...part, more: true }))),
    'parser that splits texts': changing((parts) => parts.flatMap((part) => (part.type === 'text-delta' && part.delta === '.' ? [part, { type: 'text-end', id: part.id }, { type: 'text-start', id: `${part.id}2` }] : [part]))),
    'parser that makes the call twice': changing((parts) => parts.flatMap((part) => (part.type === 'tool-call' ? [part, part] : [part]))),
    'parser without calls': changing((parts) => parts.filter(({ type }) => type !== 'tool-call')),
    'parser without errors': class extends ToolCallParser {
      constructor({ options: { onError, ...options }, ...arg }) {
        super({ ...arg, options })
      }
    },
    'parser that emits errors twice': class extends ToolCallParser {
      constructor({ options: { onError, ...options }, ...arg }) {
        super({ ...arg, options: { ...options, onError: (...args) => [1, 2].forEach(() => onError(...args)) } })
      }
    },
    'parser of other errors': class extends ToolCallParser {
      constructor({ options: { onError, ...options }, ...arg }) {
        super({ ...arg, options: { ...options, onError: (message, metadata) => onError(message, { ...metadata, toolCall: metadata.toolCall.slice(1) }) } })
      }
    },
    'parser that continues after the end': class extends ToolCallParser {
      finish() {
        const parts = super.finish()
        return parts.length > 0 ? parts : [{ type: 'text-start', id: 'late' }, { type: 'text-end', id: 'late' }]
      }
    },
  }

  test('lets the parser pass', () => {
    for (const each of [CASE, REPAIRED, INVALID]) judgeTools(each)
  })

  for (const [how, Parser] of Object.entries(Parsers)) {
    test(`stops a ${how}`, () => assert.throws(() => judgeTools(CASE, { Parser }), { name: 'Error', message: /^a-text, / }))
  }

  test('stops a parser without repairs', () => {
    const Parser = class extends ToolCallParser {
      constructor({ options: { onRepair, ...options }, ...arg }) {
        super({ ...arg, options })
      }
    }
    assert.throws(() => judgeTools(REPAIRED, { Parser }), /^Error: a-text, whole:/)
  })

  for (const [what, change] of Object.entries({
    'another text': { parts: CASE.parts.replace('"."', '","') },
    'another input': { parts: CASE.parts.replace('"path":"a"', '"path":"b"') },
    'another name': { parts: CASE.parts.replace('call write_file', 'call write') },
    'a call less': { parts: CASE.parts.replace(/^call .*\n/m, '') },
    'a failed call less': { parts: CASE.parts.replace('start add\nend\n', '') },
    'more of a failed call': { parts: CASE.parts.replace('start add\n', 'start add\ndelta "{"\n') },
    'no errors': { errors: [] },
    'another reason': { errors: CASE.errors.map((line) => line.replace('malformed-tool-call-body', 'unfinished-tool-call')) },
    'another segment': { errors: CASE.errors.map((line) => line.replace('</tool_call>', '')) },
    'repairs': { repairs: ['write_file: list'] },
    'another form': { protocol: 'morph' },
    'other tags': { own: { toolCallStart: '<call>' } },
  })) {
    test(`stops a case that states ${what}`, () => assert.throws(() => judgeTools({ ...CASE, ...change }), /^Error: a-text, whole:/))
    test(`stops streams of a case that states ${what}`, () => assert.rejects(() => judgeWays({ ...CASE, ...change }), /^Error: a-text, readProtocolStream, whole:/))
  }

  test('bad parsers fail as many cases as they must', () => {
    // Whole and unit by unit finds them all.
    const few = function* (text) {
      yield ['whole', [text]]
      yield ['unit by unit', pieces(text, 1)]
    }
    const failing = (Parser) => cases.filter((each) => {
      try {
        judgeTools(each, { Parser, cuts: few })
        return false
      } catch {
        return true
      }
    }).length
    const withCalls = cases.filter((each) => /^call /m.test(each.parts)).length
    const withParts = cases.filter((each) => each.parts !== '').length
    assert.equal(failing(ToolCallParser), 0)
    assert.ok(failing(Forgetful) >= withParts)
    assert.ok(failing(Hasty) >= withCalls)
    assert.ok(failing(Leaking) >= withCalls)
    assert.ok(failing(Losing) >= 60)
  })

  test('lines without deltas are those of complete texts', () => {
    assert.equal(withoutDeltas('text "a"\nstart x\ndelta "{"\nend\ntext "b"\ncall y {"a":1}\ninvalid "z z" "c"'), 'text "ab"\nbare y "{\\"a\\":1}"\nbare "z z" "c"')
  })
})
