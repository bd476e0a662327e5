// The regular expressions that the page compares with, and the count of what was taken back.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { build } from 'esbuild'

const root = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), '../..')

/** The exports of a module of the page. */
async function load(path) {
  const { outputFiles } = await build({ entryPoints: [join(root, 'www/src/naive', path)], bundle: true, format: 'esm', write: false })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
}

const { naiveFor, stripped } = await load('strip.ts')
const { TakenBack } = await load('taken-back.ts')

const CHOICE = { frontEnd: 'blocks', thinking: [], strategy: 'xml', protocol: 'hermes', tools: ['a.b', 'get'], markers: [] }

for (const [name, choice, text, shown] of [
  ['a closed tag', {}, 'a<think>b</think>c', 'ac'],
  ['a tag that is not closed', {}, 'a<thinking>b</thin', 'a'],
  ['half a tag', {}, 'a<thin', 'a<thin'],
  ['a tag of its own', { thinking: ['plan'] }, 'a<plan>b</plan>c', 'ac'],
  ['a file', { frontEnd: 'segments' }, 'a<write_file path="x">b</write_file>c', 'ac'],
  ['JSON tools', { frontEnd: 'segments', strategy: 'json' }, 'a\n{"tool": {"b": 1}}\nc {"note": 1}\n{"tool": {"b"', 'a\n\nc {"note": 1}\n'],
  ['a sentinel', { frontEnd: 'segments', strategy: 'sentinel' }, 'a[[SEG_START {}]]b[[SEG_END]]c', 'ac'],
  ['strings', { frontEnd: 'fields' }, '{"a": "x\\n\\u00e9 \\"y\\"", "b": "z', 'x\né "y"\nz'],
  ['half an escape', { frontEnd: 'fields' }, '{"a": "x\\u00', 'x\\u00'],
  ['a patch', { frontEnd: 'edits' }, 'a\n*** Begin Patch\n-b\n*** End Patch\nc\n<<<<<<< SEARCH\nd', 'a\n\nc\n'],
  ['a call', { frontEnd: 'tool-calls' }, 'a<tool_call>{}</tool_call>c', 'ac'],
  ['a call by its name', { frontEnd: 'tool-calls', protocol: 'morph' }, 'a<a.b>1</a.b><axb>c', 'a<axb>c'],
  ['markers', { frontEnd: 'formats', markers: [{ open: ['[T]', '(t'], close: ['[/T]', ''] }] }, 'a[T]b[/T]c(td', 'ac'],
]) {
  test(`the regex reads ${name}`, () => assert.equal(stripped(naiveFor({ ...CHOICE, ...choice }), text), shown))
}

test('a format without markers has no regex', () => assert.equal(naiveFor({ ...CHOICE, frontEnd: 'formats' }), undefined))

test('what differs from the first difference on was taken back', () => {
  const taken = new TakenBack()
  for (const text of ['a', 'a<th', 'a', 'abc', 'abd!']) taken.show(text)
  assert.equal(taken.count, 4)
  assert.deepEqual(taken.gone, [{ at: 1, text: '<th' }, { at: 2, text: 'c' }])
  taken.show('')
  assert.deepEqual(taken.gone.map(({ at }) => at), [0, 0, 0])
})
