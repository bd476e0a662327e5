// What runs in Jest's jsdom, which has no TextEncoder: entries are imported there, and read where a program brings one.
const { readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { TextDecoder, TextEncoder } = require('node:util')

const { exports: entries } = JSON.parse(readFileSync(join(dirname(require.resolve('tokenweir/package.json')), 'package.json'), 'utf8'))

for (const entry of Object.keys(entries).filter((entry) => !/[*]|\.(wasm|json)$/.test(entry))) {
  test(`tokenweir${entry.slice(1)} is imported`, () => {
    expect(typeof globalThis.TextEncoder).toBe('undefined')
    expect(typeof require(`tokenweir${entry.slice(1)}`)).toBe('object')
  })
}

test('a reply is read', async () => {
  Object.assign(globalThis, { TextDecoder, TextEncoder })
  const { visibleText } = require('tokenweir')
  let shown = ''
  for await (const text of visibleText(['<think>hm</thi', 'nk>Hello'])) shown += text
  expect(shown).toBe('Hello')
})
