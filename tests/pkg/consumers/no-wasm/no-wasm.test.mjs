// Where there is no WebAssembly, an import fails with one sentence that says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { execute } from '../../support/programs.mjs'
import { HELPFUL_ERROR } from '../support/awaited.mjs'

const TRY = `import('tokenweir').then(() => console.log('nothing was thrown'), (error) => console.log(JSON.stringify([error instanceof Error, error.message])))`

test('Node without WebAssembly', HELPFUL_ERROR, async () => {
  const { stdout } = await execute(process.execPath, ['--no-expose-wasm', '--eval', TRY], { cwd: import.meta.dirname ?? new URL('.', import.meta.url).pathname })
  const [isError, message] = JSON.parse(stdout)
  assert.ok(isError)
  assert.match(message, /^[^\n]*\bWebAssembly\b[^\n]*$/)
  // V8's own sentence.
  assert.doesNotMatch(message, /is not defined/)
})
