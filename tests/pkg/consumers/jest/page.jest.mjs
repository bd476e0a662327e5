// What runs in Jest's jsdom, which has no TextEncoder: entries are imported there, and read where a program brings one.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { TextDecoder, TextEncoder } from 'node:util'

const require = createRequire(import.meta.url)

const { exports: entries } = JSON.parse(readFileSync(join(dirname(require.resolve('tokenweir/package.json')), 'package.json'), 'utf8'))

for (const entry of Object.keys(entries).filter((entry) => !/[*]|\.(wasm|json)$/.test(entry))) {
  test(`tokenweir${entry.slice(1)} is imported`, async () => {
    expect(typeof globalThis.TextEncoder).toBe('undefined')
    expect(typeof (await import(`tokenweir${entry.slice(1)}`))).toBe('object')
  })
}

test('a reply is read', async () => {
  Object.assign(globalThis, { TextDecoder, TextEncoder })
  const { visibleText } = await import('tokenweir')
  let shown = ''
  for await (const text of visibleText(['<think>hm</thi', 'nk>Hello'])) shown += text
  expect(shown).toBe('Hello')
})
