// An import touches nothing of the platform: what it lacks is missed where it is used, and not by a program that only
// imports. Jest with jsdom has no `TextEncoder`, for example.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = dirname(createRequire(import.meta.url).resolve('tokenweir/package.json'))
const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const entries = Object.keys(exports).filter((entry) => !/[*]|\.(wasm|json)$/.test(entry))

const CLASSES = ['AbortController', 'AbortSignal', 'Blob', 'DOMException', 'Event', 'EventTarget', 'Headers', 'MessageChannel', 'ReadableStream', 'Request', 'Response', 'TextDecoder', 'TextDecoderStream', 'TextEncoder', 'TextEncoderStream', 'TransformStream', 'URL', 'URLSearchParams', 'WebAssembly', 'WritableStream']
const FUNCTIONS = ['atob', 'btoa', 'clearTimeout', 'fetch', 'queueMicrotask', 'setTimeout', 'structuredClone']
const OBJECTS = ['Buffer', 'crypto', 'navigator', 'performance', 'process']

/** A program whose platform throws, as soon as the module of an entry asks for anything of it. */
const PROGRAM = `
  const [names, entries] = JSON.parse(process.argv[1])
  let isImporting = ''
  for (const name of names) {
    const value = globalThis[name]
    const get = () => {
      // Node's own modules load modules.
      if (isImporting && !/^    at (?:\\S+ )?\\(?node:/.test(new Error().stack.split('\\n')[2])) throw new Error(isImporting + ' touches ' + name)
      return value
    }
    Object.defineProperty(globalThis, name, { configurable: true, get })
  }
  // Its peer dependency touches what it likes.
  await import('react')
  for (const entry of entries) {
    isImporting = entry
    await import(entry)
    isImporting = ''
  }
  console.log(entries.length)
`

for (const [what, kind] of [['ES modules', '--input-type=module'], ['CommonJS', '--input-type=commonjs']]) {
  test(`no entry touches the platform: ${what}`, () => {
    const program = kind.endsWith('commonjs') ? `(async () => {${PROGRAM.replaceAll('await import(', 'require(')}})()` : PROGRAM
    const names = [...CLASSES, ...FUNCTIONS, ...OBJECTS]
    const given = entries.map((entry) => `tokenweir${entry.slice(1)}`)
    const { stdout, stderr } = spawnSync(process.execPath, [kind, '--eval', program, JSON.stringify([names, given])], { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.equal(Number(stdout), entries.length)
  })
}

test('what an import touches is named', () => {
  const program = PROGRAM.replace('await import(entry)', 'new TextEncoder()')
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, JSON.stringify([CLASSES, ['a']])], { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' })
  assert.match(stderr, /a touches TextEncoder/)
})
