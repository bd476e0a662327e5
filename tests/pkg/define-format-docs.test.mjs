// The guide to formats names every field that a row may have.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { formats } from 'tokenweir/formats'

test('each field of the formats is in docs/define-format.md', () => {
  const page = readFileSync(new URL('../../docs/define-format.md', import.meta.url), 'utf8')
  const words = new Set(page.match(/[a-zA-Z]+/g))
  const missing = new Set()
  for (const format of Object.values(formats))
    for (const [field, value] of Object.entries(format)) {
      if (!words.has(field)) missing.add(field)
      if (!['call', 'write', 'params', 'keys', 'section', 'reasoning', 'elements', 'messages'].includes(field)) continue
      for (const part of Object.keys(value)) if (!words.has(part)) missing.add(`${field}.${part}`)
    }
  assert.deepEqual([...missing], [])
})
