// Each of examples/*.mjs ends well and prints something.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url))
const examples = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

test('there are examples', () => assert.ok(examples.length > 0, folder))

for (const example of examples) {
  test(`examples/${example}`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [example], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
    assert.equal(status, 0, stderr)
    assert.equal(stderr, '')
    assert.ok(stdout.length > 0, 'it printed nothing')
  })
}
