// What runs in Vitest: entries are imported, and a reply is read.
import { expect, test } from 'vitest'
import manifest from 'tokenweir/package.json'

for (const entry of Object.keys(manifest.exports).filter((entry) => !/[*]|\.(wasm|json)$/.test(entry)))
  test(`tokenweir${entry.slice(1)} is imported`, async () => expect(typeof (await import(/* @vite-ignore */ `tokenweir${entry.slice(1)}`))).toBe('object'))

test('a reply is read', async () => {
  const { visibleText } = await import('tokenweir')
  let shown = ''
  for await (const text of visibleText(['<think>hm</thi', 'nk>Hello'])) shown += text
  expect(shown).toBe('Hello')
})
