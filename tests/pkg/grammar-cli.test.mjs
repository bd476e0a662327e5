// `npx tokenweir grammar`: it writes what the functions give, and says what is wrong.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import { run } from './support/command-line.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tokenweir-grammar-cli-'))
after(() => rmSync(folder, { recursive: true }))
const tools = [{ name: 'look', inputSchema: { type: 'object', properties: { q: { type: 'string', pattern: 'a' } }, required: ['q'] } }]
const file = join(folder, 'tools.json')
writeFileSync(file, JSON.stringify(tools))

test('writes each notation, with the options of the functions', async () => {
  const options = { toolChoice: 'required', parallel: false, reasoning: 'optional' }
  for (const [as, expected] of [['gbnf', gbnfFor('hermes', tools, options)], ['lark', larkFor('hermes', tools, options)], ['tag', JSON.stringify(structuralTagFor('hermes', tools, options))]]) {
    const { stdout, stderr, code } = await run(['grammar', '--format', 'hermes', '--tools', file, '--as', as, '--tool-choice', 'required', '--no-parallel', '--reasoning', 'optional'])
    assert.deepEqual([stdout, code], [`${expected}\n`, 0])
    assert.equal(stderr, 'tokenweir: the grammar of "look" doesn\'t hold "pattern" of /properties/q\n')
  }
})

test('one tool, and none', async () => {
  const { stdout } = await run(['grammar', '--format', 'hermes', '--tools', file, '--tool-choice', 'look'])
  assert.equal(stdout, `${gbnfFor('hermes', tools, { toolChoice: { tool: 'look' } })}\n`)
  assert.equal((await run(['grammar', '--format', 'hermes'])).stdout, `${gbnfFor('hermes', [])}\n`)
})

test('what has no grammar and a wrong command line are errors', async () => {
  for (const [args, message] of [
    [['--format', 'yaml-xml', '--tools', file], /yaml/],
    [['--format', 'hermis'], /there is no format "hermis"/],
    [['--format', 'hermes', '--tools', file, '--tool-choice', 'find'], /there is no "find"/],
    [[], /--format/],
  ]) {
    const { stdout, stderr, code } = await run(['grammar', ...args])
    assert.deepEqual([stdout, code], ['', 2])
    assert.match(stderr, message)
  }
})
