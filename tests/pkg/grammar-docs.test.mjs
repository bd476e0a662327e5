// The requests of docs/constrain.md: each program is run against a server that checks its request by the server's
// published shape and the grammar in it by a judge, and answers as a model that is held to it.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { formats, writeCalls } from 'tokenweir/formats'
import { GrammarError, gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import ts from 'typescript'
import { readGbnf } from './support/gbnf.mjs'

const page = readFileSync(new URL('../../docs/constrain.md', import.meta.url), 'utf8')

/** What a model writes that looks for tea. */
const answer = (format, reasoning) => writeCalls([{ toolName: 'look', input: { q: 'tea' } }], { format, ...(reasoning === undefined ? {} : { reasoning }) })

/** The kinds of nodes of xgrammar's structural tags that are made, with the fields that each must have. */
const NODES = {
  const_string: { value: 'string' },
  json_schema: { json_schema: 'object' },
  any_text: { excludes: 'object' },
  grammar: { grammar: 'string' },
  sequence: { elements: 'object' },
  or: { elements: 'object' },
  optional: { content: 'object' },
  star: { content: 'object' },
  plus: { content: 'object' },
  repeat: { min: 'number', max: 'number', content: 'object' },
  tag: { begin: 'string', content: 'object', end: 'string' },
  tags_with_separator: { tags: 'object', separator: 'string', at_least_one: 'boolean', stop_after_first: 'boolean' },
}

function checkTag(tag) {
  assert.deepEqual(Object.keys(tag), ['type', 'format'])
  assert.equal(tag.type, 'structural_tag')
  const check = (node) => {
    const { type, ...fields } = node
    assert.ok(Object.hasOwn(NODES, type), type)
    for (const [field, kind] of Object.entries(NODES[type])) assert.equal(typeof fields[field], kind, `${type}.${field}`)
    for (const field of Object.keys(fields)) assert.ok(field in NODES[type] || (type === 'json_schema' && field === 'excludes'), `${type}.${field}`)
    if (type === 'grammar') readGbnf(fields.grammar)
    for (const inner of [fields.elements, fields.tags, fields.content].flat()) if (inner !== undefined) check(inner)
  }
  check(tag.format)
}

const SERVERS = {
  vLLM: {
    url: 'http://localhost:8000/v1/chat/completions',
    fields: ['model', 'messages', 'response_format', 'skip_special_tokens'],
    reply({ response_format: tag, messages }) {
      checkTag(tag)
      assert.ok(messages[0].content.includes('"name": "look"'))
      return { choices: [{ message: { content: answer('qwen3-coder') } }] }
    },
  },
  'llama.cpp': {
    url: 'http://localhost:8080/completion',
    fields: ['prompt', 'grammar'],
    reply({ prompt, grammar }) {
      assert.ok(prompt.endsWith('<think>\n'))
      const content = answer('hermes', 'Tea.').slice('<think>\n'.length)
      assert.ok(readGbnf(grammar).accepts(content))
      return { content }
    },
  },
}

describe('the requests of docs/constrain.md', () => {
  const parts = page.split(/^## /m).slice(1).map((part) => [part.slice(0, part.indexOf('\n')), /^```ts\n([^]*?)^```$/m.exec(part)?.[1]])
  const programs = parts.filter(([name, code]) => code !== undefined && name !== 'All fields')

  test('there is one for a structural tag, and one for GBNF', () => assert.deepEqual(programs.map(([name]) => name), Object.keys(SERVERS)))

  for (const [name, code] of programs) {
    test(name, async () => {
      const { url, fields, reply } = SERVERS[name]
      const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'constrain-'))
      const { fetch } = globalThis
      let requests = 0
      const answered = (body) => {
        requests += 1
        assert.deepEqual(Object.keys(body), fields)
        return reply(body)
      }
      try {
        const file = join(folder, 'program.mjs')
        writeFileSync(file, ts.transpileModule(code, { compilerOptions: { module: 'esnext', target: 'es2022' } }).outputText)
        globalThis.fetch = async (asked, { method, body }) => {
          assert.deepEqual([asked, method], [url, 'POST'])
          return Response.json(answered(JSON.parse(body)))
        }
        const calls = await (await import(pathToFileURL(file).href)).ask('Is there tea?')
        assert.deepEqual(calls.map(({ toolName, args }) => ({ toolName, args })), [{ toolName: 'look', args: { q: 'tea' } }])
        assert.equal(requests, 1)
      } finally {
        globalThis.fetch = fetch
        rmSync(folder, { recursive: true })
      }
    })
  }
})

/** The fields in which servers take grammars, and what each is, by their documentation: vLLM 0.33, SGLang 0.5.23, llama.cpp, web-llm 0.2.86. */
const FIELDS = {
  vLLM: { response_format: 'tag', 'structured_outputs.structural_tag': 'text', 'structured_outputs.grammar': 'gbnf' },
  SGLang: { response_format: 'tag', ebnf: 'gbnf', 'sampling_params.structural_tag': 'text', 'sampling_params.ebnf': 'gbnf' },
  'llama.cpp': { grammar: 'gbnf' },
  'web-llm': { 'response_format.structural_tag': 'web', 'response_format.grammar': 'gbnf' },
  'vLLM with guidance': { 'structured_outputs.grammar': 'lark' },
  'SGLang with --grammar-backend llguidance': { ebnf: 'lark' },
  'llama.cpp with LLAMA_LLGUIDANCE': { grammar: 'lark' },
}

const KINDS = {
  tag: checkTag,
  text: (text) => checkTag(JSON.parse(text)),
  gbnf: (text) => assert.ok(readGbnf(text).accepts(answer('hermes'))),
  // Its judge is in Python: tests/oracles/grammar.mjs.
  lark(text) {
    assert.match(text, /^%llguidance \{\}\nstart: /)
    assert.ok(text.includes('%json {"type":"object","properties":{"q":{"type":"string"}},"required":["q"],"additionalProperties":false}'))
  },
  web(tag) {
    checkTag(tag)
    assert.equal(tag.format.type, 'grammar')
    assert.ok(readGbnf(tag.format.grammar).accepts(answer('hermes')))
  },
}

test('all fields of docs/constrain.md', async () => {
  const [, code] = /^## All fields$[^]*?^```ts\n([^]*?)^```$/m.exec(page)
  const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'constrain-'))
  try {
    const file = join(folder, 'fields.mjs')
    writeFileSync(file, ts.transpileModule(code, { compilerOptions: { module: 'esnext', target: 'es2022' } }).outputText)
    const { fields } = await import(pathToFileURL(file).href)
    const found = Object.entries(fields).map(([server, requests]) => [server, requests.map((request) => {
      const [[field, value]] = Object.entries(request)
      if (value.type === 'structural_tag' && value.format !== undefined) return [field, value]
      if (typeof value === 'string') return [field, value]
      const { type, ...inner } = value
      const [[name, grammar]] = Object.entries(inner)
      assert.ok(type === undefined || type === name)
      return [`${field}.${name}`, grammar]
    })])
    assert.deepEqual(found.map(([server, requests]) => [server, requests.map(([field]) => field)]), Object.entries(FIELDS).map(([server, known]) => [server, Object.keys(known)]))
    for (const [server, requests] of found) for (const [field, grammar] of requests) KINDS[FIELDS[server][field]](grammar)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('docs/formats.md says which formats have a grammar', () => {
  const table = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8')
  const rows = [...table.matchAll(/^\| `([^`]+)` \|.*\| (.*?) ?\|$/gm)]
  const said = rows.map(([, id, reading]) => [id, reading.split('; ').find((flag) => flag.includes('grammar')) ?? ''])
  const tools = (type) => ({ f: { type: 'object', properties: { a: { type } }, required: ['a'] } })
  const has = (make, id, type) => {
    try {
      return make(id, tools(type), { toolChoice: 'required' }) !== undefined
    } catch (error) {
      if (error instanceof GrammarError) return false
      throw error
    }
  }
  const found = Object.keys(formats).map((id) => {
    const [strings, others] = ['string', 'integer'].map((type) => [structuralTagFor, gbnfFor, larkFor].filter((make) => has(make, id, type)).length)
    assert.ok([strings, others].every((kinds) => kinds === 0 || kinds === 3), `${id} has some of its grammars`)
    return [id, strings === 0 ? 'no grammar' : others === 0 ? 'grammar of strings' : '']
  })
  const byId = ([one], [other]) => (one < other ? -1 : 1)
  assert.deepEqual(said.sort(byId), found.sort(byId))
})
