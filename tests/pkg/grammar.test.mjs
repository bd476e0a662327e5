// tokenweir/grammar: what it takes, what it refuses, and the shapes of what it gives.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { anyOf, defineFormat, formats, writeCalls } from 'tokenweir/formats'
import { GrammarError, gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import { z } from 'zod'
import { readGbnf } from './support/gbnf.mjs'

/** The formats with calls that a grammar can have. */
const HELD = Object.keys(formats).filter((id) => !['yaml-xml', 'kimi-think-lens', 'anthropic-thinking'].includes(id))

const object = (properties, required = [], more = {}) => ({ type: 'object', properties, required, ...more })
const LOOK = { look: object({ q: { type: 'string' } }, ['q']) }
const call = (name, args) => `<tool_call>\n{"name": "${name}", "arguments": ${typeof args === 'string' ? args : JSON.stringify(args).replaceAll('":', '": ').replaceAll(',"', ', "')}}\n</tool_call>`

/** Which of some replies a grammar of hermes accepts. */
function accepted(tools, options, replies) {
  const judge = readGbnf(gbnfFor('hermes', tools, options))
  return replies.map((reply) => judge.accepts(reply))
}

describe('tools', () => {
  test('in every shape in which parseReply takes them', () => {
    const schema = object({ q: { type: 'string' } }, ['q'], { additionalProperties: false })
    const shapes = [
      { look: schema },
      { look: { inputSchema: schema } },
      { look: { inputSchema: { jsonSchema: schema } } },
      { look: { inputSchema: z.object({ q: z.string() }) } },
      [{ name: 'look', inputSchema: schema }],
      [{ type: 'function', function: { name: 'look', parameters: schema } }],
    ]
    const [first, ...others] = shapes.map((tools) => gbnfFor('hermes', tools))
    for (const other of others) assert.equal(other, first)
  })

  test('a schema that is not of an object is any object, and so is a missing one', () => {
    for (const tools of [['look'], { look: {} }, { look: { type: 'string' } }, { look: { inputSchema: true } }, [{ type: 'function', function: { name: 'look' } }]])
      assert.deepEqual(accepted(tools, { toolChoice: 'required' }, [call('look', '{"a": [1, null]}'), call('look', '{}'), call('look', '3')]), [true, true, false])
  })

  test('what is no tool, an unknown format and a wrong option are named', () => {
    assert.throws(() => gbnfFor('hermes', [3]), /^TypeError: gbnfFor: tools\[0\] must be a tool's name or definition/)
    assert.throws(() => gbnfFor('hermis', LOOK), /^TypeError: gbnfFor: there is no format "hermis"/)
    assert.throws(() => gbnfFor('hermes', LOOK, { strictly: true }), /^TypeError: gbnfFor has no option "strictly"/)
    assert.throws(() => gbnfFor('hermes', LOOK, { target: 'xgrammar' }), /^TypeError: gbnfFor has no option "target"/)
    assert.throws(() => structuralTagFor('hermes', LOOK, { target: 'vllm' }), /target must be "xgrammar" or "web-llm"/)
    assert.throws(() => gbnfFor('hermes', LOOK, { toolChoice: 'any' }), /toolChoice must be "auto", "required", "none" or \{ tool: name \}/)
    assert.throws(() => gbnfFor('hermes', LOOK, { toolChoice: { tool: 'find' } }), /^TypeError: gbnfFor: toolChoice\.tool must be one of the tools, but there is no "find"/)
    assert.throws(() => gbnfFor('hermes', { look: { inputSchema: 3 } }), TypeError)
  })
})

describe('the choice', () => {
  const one = call('look', { q: 'a' })
  const replies = ['', 'Hello', one, `${one}\n${one}`, `Hello\n${one}`, `${one} Bye`, 'Hello <tool_call>']

  for (const [options, fits] of [
    [{}, [true, true, true, true, true, true, false]],
    [{ text: 'before' }, [true, true, true, true, true, false, false]],
    [{ text: 'none' }, [true, false, true, true, false, false, false]],
    [{ parallel: false }, [true, true, true, false, true, true, false]],
    [{ toolChoice: 'required' }, [false, false, true, true, false, false, false]],
    [{ toolChoice: 'required', text: 'before' }, [false, false, true, true, true, false, false]],
    [{ toolChoice: { tool: 'look' } }, [false, false, true, false, false, false, false]],
    [{ toolChoice: 'none' }, [true, true, false, false, false, false, false]],
  ])
    test(JSON.stringify(options), () => assert.deepEqual(accepted(LOOK, options, replies), fits))

  test('without tools there are no calls', () => assert.deepEqual(accepted([], { toolChoice: 'required' }, replies), [true, true, false, false, false, false, false]))

  test('one tool of several', () => {
    const tools = { ...LOOK, find: LOOK.look }
    assert.deepEqual(accepted(tools, { toolChoice: { tool: 'find' } }, [call('find', { q: 'a' }), one]), [true, false])
  })

  test('how strict: names with any object, or the frame alone', () => {
    const texts = [one, call('look', { n: 1 }), call('other', { q: 'a' }), call('look', '3')]
    assert.deepEqual(accepted(LOOK, { toolChoice: 'required', strict: 'schema' }, texts), [true, false, false, false])
    assert.deepEqual(accepted(LOOK, { toolChoice: 'required', strict: 'names' }, texts), [true, true, false, false])
    assert.deepEqual(accepted(LOOK, { toolChoice: 'required', strict: 'free' }, texts), [true, true, true, false])
    const wire = [{ type: 'function', function: { name: 'look', parameters: LOOK.look, strict: false } }]
    assert.deepEqual(accepted(wire, { toolChoice: 'required' }, texts), [true, true, false, false])
  })

  test('reasoning', () => {
    const thought = `<think>\nhm\n</think>\n\n${one}`
    const rest = thought.slice('<think>\n'.length)
    const texts = [one, thought, rest]
    for (const [reasoning, fits] of [['none', [true, false, false]], ['optional', [true, true, false]], ['required', [false, true, false]], ['open', [false, false, true]]])
      assert.deepEqual(accepted(LOOK, { toolChoice: 'required', reasoning }, texts), fits, reasoning)
  })
})

describe('schemas', () => {
  /** Which values a part of a schema lets through, as the only argument. */
  const values = (schema, texts, more = {}) => accepted({ f: object({ v: schema }, ['v'], more) }, { toolChoice: 'required' }, texts.map((text) => call('f', `{"v": ${text}}`)))

  test('types, and lists of them', () => {
    assert.deepEqual(values({ type: 'integer' }, ['1', '-5', '1.0', '01', 'true']), [true, true, false, false, false])
    assert.deepEqual(values({ type: 'number' }, ['1', '1.5', '1e+21', '1.', '.5']), [true, true, true, false, false])
    assert.deepEqual(values({ type: ['string', 'null'] }, ['"a"', 'null', '1']), [true, true, false])
    assert.deepEqual(values({ enum: ['a', 1, null] }, ['"a"', '1', 'null', '"b"']), [true, true, true, false])
    assert.deepEqual(values({ const: { x: [1, 'a'] } }, ['{"x": [1, "a"]}', '{"x": [1]}']), [true, false])
    assert.deepEqual(values({ type: 'string', enum: ['a', 1] }, ['"a"', '1']), [true, false])
  })

  test('strings, with their length', () => {
    assert.deepEqual(values({ type: 'string' }, ['""', String.raw`"\n\"\\\u00e9\ud800"`, '"\n"', String.raw`"\a"`, '"</tool_call>"']), [true, true, false, false, true])
    assert.deepEqual(values({ type: 'string', minLength: 1, maxLength: 2 }, ['""', '"a"', String.raw`"\n💩"`, '"abc"', String.raw`"\ud83d\ude00"`]), [false, true, true, false, false])
    assert.deepEqual(values({ type: 'string', maxLength: 1234 }, [`"${'a'.repeat(1234)}"`, `"${'a'.repeat(1235)}"`]), [true, false])
    assert.deepEqual(values({ type: 'string', minLength: 1234 }, [`"${'a'.repeat(1234)}"`, `"${'a'.repeat(1233)}"`]), [true, false])
  })

  test('arrays', () => {
    assert.deepEqual(values({ type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 }, ['[]', '[1]', '[1, 2]', '[1, 2, 3]', '["a"]']), [false, true, true, false, false])
    assert.deepEqual(values({ type: 'array' }, ['[]', '[1, "a", {"b": []}]']), [true, true])
    assert.deepEqual(values({ type: 'array', maxItems: 0 }, ['[]', '[1]']), [true, false])
  })

  test('objects: in the schema\'s order, and others only where it says so', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'null' } }, required: ['b'] }
    const texts = ['{"b": ""}', '{"a": 1, "b": ""}', '{"b": "", "a": 1}', '{"a": 1}', '{"b": "", "c": null}', '{"b": "", "d": 1}', '{"b": "", "a": "x"}']
    assert.deepEqual(values(schema, texts), [true, true, false, false, true, false, false])
    assert.deepEqual(values({ ...schema, additionalProperties: true }, texts), [true, true, false, false, true, true, false])
    assert.deepEqual(values({ ...schema, additionalProperties: { type: 'string' } }, ['{"b": "", "d": 1}', '{"b": "", "d": "1"}', '{"b": "", "ab": "1"}', String.raw`{"b": "", "\u0061": "1"}`]), [false, true, true, false])
    assert.deepEqual(values({ type: 'object', properties: {} }, ['{}', '{"a": 1}']), [true, false])
    assert.deepEqual(values({ type: 'object' }, ['{}', '{"a": {"b": 1}}']), [true, true])
    assert.deepEqual(values({ type: 'object', required: ['a'] }, ['{}', '{"a": {"b": 1}}']), [false, true])
  })

  test('choices and references', () => {
    assert.deepEqual(values({ anyOf: [{ type: 'integer' }, { type: 'string' }] }, ['1', '"a"', 'null']), [true, true, false])
    assert.deepEqual(values({ type: 'object', properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, ['{}', '{"a": 1}', '{"b": 1}']), [false, true, true])
    assert.deepEqual(values({ allOf: [{ type: 'string' }], description: 'a' }, ['1', '"a"']), [false, true])
    const $defs = { node: object({ next: { $ref: '#/$defs/node' } }), 'a/b': { type: 'integer' } }
    assert.deepEqual(values({ $ref: '#/$defs/node' }, ['{"next": {"next": {}}}', '{"next": 1}'], { $defs }), [true, false])
    assert.deepEqual(values({ $ref: '#/$defs/a~1b' }, ['1', '"a"'], { $defs }), [true, false])
    assert.deepEqual(accepted({ f: object({ v: { $ref: '#' } }) }, { toolChoice: 'required' }, [call('f', '{"v": {"v": {}}}'), call('f', '{"v": 1}')]), [true, false])
  })

  test('what is not held is a warning with its place, once', () => {
    const warnings = []
    const tools = {
      f: object({ v: { type: 'string', pattern: '^a', description: 'x', default: 'a' }, 'a/b': { not: {} }, w: { $ref: 'https://example.com/x.json' } }, [], { $schema: 'x', title: 'y', minProperties: 1 }),
      g: object({ v: { allOf: [{ type: 'string' }, { minLength: 2 }] } }),
    }
    gbnfFor('hermes', tools, { onWarning: (warning) => warnings.push(warning) })
    assert.deepEqual(warnings.map(({ tool, path, keyword }) => [tool, path, keyword]), [['f', '', 'minProperties'], ['f', '/properties/v', 'pattern'], ['f', '/properties/a~1b', 'not'], ['f', '/properties/w', '$ref'], ['g', '/properties/v', 'allOf']])
    assert.equal(warnings[1].message, 'the grammar of "f" doesn\'t check "pattern" of /properties/v')
  })

  test('what engines hold themselves stays in the nodes that they compile, without a warning', () => {
    const warned = (make, v, format = 'hermes', more = {}) => {
      const warnings = []
      const made = make(format, { f: object({ v, ...more }) }, { onWarning: ({ keyword }) => warnings.push(keyword) })
      return [warnings.join(), typeof made === 'string' ? made : JSON.stringify(made)]
    }
    for (const [schema, dropped] of [
      [{ type: 'integer', minimum: 1 }, ''],
      [{ type: ['integer', 'null'], exclusiveMinimum: -3, maximum: 4 }, ''],
      [{ type: 'string', pattern: '^(?:[a-z]{2,3}-)?\\d+$' }, ''],
      [{ type: 'string', format: 'uuid' }, ''],
      [{ type: 'integer', minimum: 1.5 }, 'minimum'],
      [{ type: 'integer', minimum: 5, maximum: 4 }, 'minimum,maximum'],
      [{ type: 'integer', minimum: 2 ** 53 }, 'minimum'],
      [{ type: 'integer', multipleOf: 5 }, 'multipleOf'],
      [{ type: 'number', minimum: 0 }, 'minimum'],
      [{ type: ['string', 'integer'], minimum: 0 }, 'minimum'],
      [{ minimum: 0 }, 'minimum'],
      [{ type: 'string', format: 'date' }, 'format'],
      [{ type: 'string', format: 'ipv4' }, 'format'],
      [{ type: 'string', format: 'uuid', pattern: '^a$' }, 'format,pattern'],
      ...['a', '^a', '^a|b$', '^.$', '^[^a]$', '^\\s$', '^"$', '^\\\\$', '^é$', '^[é]$', '^\\p{L}$', '^(?=a)a$', '^a*?$', '^[a&&b]$', '^[[a]$', '^(a{99}){99}$', '^(a$', '^[z-a]$', '^a{2,1}$', '^\\b$', '^(a)\\1$', 5].map((pattern) => [{ type: 'string', pattern }, 'pattern']),
    ]) {
      for (const make of [structuralTagFor, larkFor]) {
        const [warnings, text] = warned(make, schema)
        assert.equal(warnings, dropped, `${make.name} ${JSON.stringify(schema)}`)
        const kept = Object.entries(schema).filter(([keyword]) => !dropped.split(',').includes(keyword))
        for (const [keyword, value] of dropped === '' ? kept : []) assert.ok(text.includes(`${JSON.stringify(keyword)}:${JSON.stringify(value)}`), `${keyword} in ${text}`)
      }
      const all = Object.keys(schema).filter((keyword) => keyword !== 'type').join()
      for (const [make, format] of [[gbnfFor, 'hermes'], [structuralTagFor, 'qwen3-coder'], [larkFor, 'pythonic'], [structuralTagFor, 'gemma4']]) assert.equal(warned(make, schema, format)[0], all)
      assert.equal(warned((format, tools, options) => structuralTagFor(format, tools, { ...options, target: 'web-llm' }), schema)[0], all)
    }
    // A tool's schema that xgrammar doesn't hold exactly is no node.
    assert.equal(warned(structuralTagFor, { type: 'integer', minimum: 1 }, 'hermes', { w: { type: 'string', maxLength: 3 } })[0], 'minimum')
    assert.equal(warned(larkFor, { type: 'integer', minimum: 1 }, 'hermes', { w: { type: 'string', maxLength: 3 } })[0], '')
  })

  test('too deep, too large, and nothing', () => {
    let deep = { type: 'integer' }
    for (let level = 0; level < 70; level++) deep = { type: 'array', items: deep }
    const large = object(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`p${at}`, { type: 'integer' }])))
    for (const schema of [object({ v: deep }), large, object({ v: false }, ['v']), object({ v: { $ref: '#/$defs/a' } }, ['v'], { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })])
      assert.throws(() => gbnfFor('hermes', { f: schema }), (error) => error instanceof GrammarError && error.feature === 'schema' && error.format === 'hermes')
  })
})

describe('what has no grammar', () => {
  const nested = { f: object({ v: object({ a: { type: 'integer' } }, ['a']) }, ['v']) }
  for (const [format, tools, options, feature] of [
    ['yaml-xml', LOOK, {}, 'yaml'],
    ['kimi-think-lens', LOOK, {}, 'calls'],
    ['mistral-v3', LOOK, { reasoning: 'required' }, 'reasoning'],
    ['harmony', LOOK, { reasoning: 'open' }, 'reasoning'],
    ['cline', nested, {}, 'types'],
    ['minimax-m3', { f: object({ v: { type: 'object' } }) }, {}, 'types'],
    ['qwen3-coder', { 'a<b': LOOK.look }, {}, 'names'],
    ['qwen3-coder', { f: object({ 'a>b': { type: 'string' } }) }, {}, 'names'],
    ['functiongemma', { f: object({ v: { enum: ['<escape>'] } }) }, {}, 'markers'],
    [anyOf('hermes', 'kimi-k2'), LOOK, {}, 'anyOf'],
  ])
    test(`${format.id ?? format}: ${feature}`, () => {
      for (const make of [gbnfFor, structuralTagFor])
        assert.throws(() => make(format, tools, options), (error) => {
          assert.ok(error instanceof GrammarError, String(error))
          assert.equal(error.feature, feature)
          assert.equal(error.name, 'GrammarError')
          assert.ok(error.message.includes(JSON.stringify(error.format)) && error.message.includes(feature), error.message)
          return true
        })
    })

  test('a value with markers has one where CDATA is read', () => {
    const [tools, calls] = [{ f: object({ v: { enum: ['a\n</parameter>\n</function>'] } }) }, [{ toolName: 'f', input: { v: 'a\n</parameter>\n</function>' } }]]
    assert.ok(readGbnf(gbnfFor('qwen3-coder', tools, { toolChoice: 'required' })).accepts(writeCalls(calls, { format: 'qwen3-coder' })))
  })

  test('a text of the same without calls', () => assert.ok(gbnfFor('kimi-think-lens', LOOK, { toolChoice: 'none' }).startsWith('root ::= ')))
})

describe('a format of one\'s own', () => {
  const mine = defineFormat({
    id: 'mine',
    call: { open: ['[call '], head: ['NAME', ']'], body: 'params', close: ['[/call]'] },
    params: { open: ['[arg '], head: ['KEY', ']'], close: ['[/arg]'] },
    write: { call: '[call {name}]{params}[/call]', param: '[arg {key}]{value}[/arg]', before: '\n' },
  })

  test('is derived from its templates', () => {
    const judge = readGbnf(gbnfFor(mine, { f: object({ a: { type: 'string' }, n: { type: 'integer' } }, ['n']) }))
    assert.deepEqual(['[call f][arg n]1[/arg][/call]', 'so\n[call f][arg a]x[y][/arg][arg n]1[/arg][/call]', '[call f][arg a]x[/arg]y[/arg][arg n]1[/arg][/call]', '[call f][/call]', '[call g][arg n]1[/arg][/call]'].map((text) => judge.accepts(text)), [true, true, false, false, false])
  })

  test('no marker begins in a text and ends in what follows it', () => {
    const format = defineFormat({ ...mine, id: 'aab', call: { open: ['aab'], head: ['NAME', ']'], body: 'params', close: ['!'] }, write: { ...mine.write, call: 'aab{name}]{params}!', before: '' } })
    const judge = readGbnf(gbnfFor(format, { f: object({}) }, { toolChoice: 'required', text: 'before' }))
    // In `aaabf]!` the marker is found at the second place: the text is `a`.
    assert.deepEqual(['aabf]!', 'aaabf]!', 'baabf]!'].map((text) => judge.accepts(text)), [true, true, true])
  })
})

describe('structural tags', () => {
  test('JSON by a schema is a node with the tool\'s own schema, text one without the markers', () => {
    const tag = structuralTagFor('functionary-v31', { f: { description: 'x', inputSchema: object({ a: { type: 'string', description: 'y' } }, ['a']) } }, { parallel: false })
    assert.deepEqual(tag, {
      type: 'structural_tag',
      format: {
        type: 'sequence',
        elements: [
          { type: 'any_text', excludes: ['<function='] },
          { type: 'optional', content: { type: 'sequence', elements: [{ type: 'const_string', value: '<function=f>' }, { type: 'json_schema', json_schema: object({ a: { type: 'string', description: 'y' } }, ['a']) }, { type: 'const_string', value: '</function>' }, { type: 'any_text', excludes: ['<function='] }] } },
        ],
      },
    })
  })

  test('definitions go along, and what the engine would not hold is a grammar', () => {
    const $defs = { n: { type: 'integer' }, unused: { type: 'string' } }
    const nodeOf = (schema) => JSON.stringify(structuralTagFor('functionary-v31', { f: schema }, { text: 'before' }))
    const own = { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: { type: 'integer' } } }
    assert.ok(nodeOf(object({ a: { $ref: '#/$defs/n' } }, [], { $defs })).includes(JSON.stringify({ type: 'json_schema', json_schema: own })))
    for (const schema of [object({ a: { type: 'string', maxLength: 3 } }), object({ a: {} }, [], { additionalProperties: true }), object({ a: { const: { b: 1 } } })]) assert.ok(!nodeOf(schema).includes('json_schema'))
  })

  test('for web-llm it is one grammar', () => {
    for (const id of ['hermes', 'qwen3-coder', 'deepseek-v3.2']) assert.equal(structuralTagFor(id, LOOK, { target: 'web-llm' }).format.type, 'grammar')
  })

  test('plain JSON', () => {
    for (const id of HELD) {
      const tag = structuralTagFor(id, LOOK)
      assert.deepEqual(JSON.parse(JSON.stringify(tag)), tag)
    }
  })
})

describe('Lark', () => {
  test('begins with the line that says what it is; JSON by a schema is closed at each depth', () => {
    const tools = { f: { inputSchema: object({ a: object({ b: { type: 'string', description: 'x' } }) }) } }
    const text = larkFor('functionary-v31', tools, { toolChoice: { tool: 'f' } })
    assert.equal(text, `%llguidance {}\nstart: "<function=f>" json "</function>"\njson: %json ${JSON.stringify({ type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } }, required: [], additionalProperties: false } }, required: [], additionalProperties: false })}`)
  })

  test('a text is one terminal with what ends it', () => {
    const text = larkFor('functionary-v31', { f: object({}) }, { toolChoice: 'required', text: 'before' })
    assert.match(text, /^free\[lazy\]: TEXT "<function=f>"$/m)
    assert.match(text, /^TEXT: \/\(\?s:\.\*\)\/ & ~\/\(\?s:\.\*\)\(\?:<function=\)\(\?s:\.\*\)\/$/m)
  })

  test('what has no grammar is refused', () => {
    assert.throws(() => larkFor('yaml-xml', LOOK), GrammarError)
    assert.throws(() => larkFor('hermes', LOOK, { target: 'xgrammar' }), /^TypeError: larkFor has no option "target"/)
  })

  test('as many formats as have the others', () => {
    for (const id of HELD) assert.ok(larkFor(id, LOOK).length > 50, id)
  })
})

test('the same bytes in any process', () => {
  const code = "import { gbnfFor, structuralTagFor } from 'tokenweir/grammar'\nconst tools = { f: { type: 'object', properties: { a: { type: 'string', maxLength: 3 }, b: { type: 'integer' } } } }\nconsole.log(['hermes', 'qwen3-coder', 'gemma4'].map((id) => gbnfFor(id, tools) + JSON.stringify(structuralTagFor(id, tools))).join())"
  const [one, other] = [1, 2].map(() => spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: import.meta.dirname }).stdout)
  assert.ok(one.length > 1000)
  assert.equal(one, other)
})

describe('size and time', () => {
  const properties = { path: { type: 'string' }, text: { type: 'string', minLength: 1 }, count: { type: 'integer' }, mode: { enum: ['a', 'b'] }, tags: { type: 'array', items: { type: 'string' } }, deep: object({ on: { type: 'boolean' }, x: { type: 'number' } }) }
  const tools = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`tool_${at}`, object({ ...properties, [`own_${at}`]: { type: 'string' } }, ['path'])]))

  for (const [what, make, count, bound] of [
    ['a GBNF for 10 tools of 7 arguments has at most 40 KB', gbnfFor, 10, 40_000],
    ['a tag for 100 tools has at most 120 KB: what is equal is one rule', (...given) => JSON.stringify(structuralTagFor(...given)), 100, 120_000],
  ])
    test(what, (t) => {
      const sizes = Object.keys(formats).flatMap((id) => {
        try {
          return [[id, make(id, tools(count)).length]]
        } catch (error) {
          if (error instanceof GrammarError) return []
          throw error
        }
      })
      const [[id, most]] = sizes.sort(([, one], [, other]) => other - one)
      t.diagnostic(`the largest is ${id} with ${most} bytes, qwen3-coder has ${Object.fromEntries(sizes)['qwen3-coder']}`)
      assert.ok(most <= bound, `${id}: ${most}`)
    })

  test('a text may have any part of a marker, where there are many, too', () => {
    const tools = { f: object({ q: { type: 'string' }, more: { type: 'array', items: { type: 'string' } } }) }
    for (const [id, text] of [['deepseek-v3.2', '<｜DSML｜parame'], ['anthropic-xml', '</function_call'], ['kimi-k3', '<|open|>argumen'], ['qwen3-coder', '</paramete']]) {
      const judge = readGbnf(gbnfFor(id, tools, { toolChoice: 'required' }))
      for (const input of [{ q: text }, { q: `${text} b` }, { more: [text, `a${text}b`] }]) assert.ok(judge.accepts(writeCalls([{ toolName: 'f', input }], { format: id })), `${id} ${JSON.stringify(input)}`)
    }
  })

  test('a tag for 4 tools takes some milliseconds, and 100 tools less than a second', (t) => {
    for (const [make, count, id] of [[structuralTagFor, 4, 'hermes'], [gbnfFor, 4, 'hermes'], ...['hermes', 'qwen3-coder'].flatMap((id) => [structuralTagFor, gbnfFor, larkFor].map((make) => [make, 100, id]))]) {
      const times = Array.from({ length: 9 }, () => {
        const start = performance.now()
        make(id, tools(count))
        return performance.now() - start
      })
      const least = Math.min(...times)
      t.diagnostic(`${make.name} of ${id} for ${count} tools: ${least.toFixed(2)} ms`)
      assert.ok(least < count * 10, `${least} ms`)
    }
  })
})
