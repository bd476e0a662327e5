// Without WebAssembly, each entry fails with one sentence that says so: at the
// import, or when a parser is created.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRIES } from '../../scenario/imports.mjs'
import { execute } from '../../support/programs.mjs'

const imports = new URL('../../scenario/imports.mjs', import.meta.url)

for (const entry of ENTRIES) {
  test(`Node without WebAssembly: ${entry}`, async () => {
    const program = `import('${imports}')
      .then(({ runEntry }) => runEntry('${entry}'))
      .then(() => console.log('nothing was thrown'), (error) => console.log(JSON.stringify([error instanceof Error, error.message])))`
    const { stdout, stderr } = await execute(process.execPath, ['--no-expose-wasm', '--eval', program])
    assert.equal(stderr, '')
    const [isError, message] = JSON.parse(stdout)
    assert.ok(isError)
    assert.match(message, /^[^\n]*\bWebAssembly\b[^\n]*$/)
    // V8's own message.
    assert.doesNotMatch(message, /is not defined/)
  })
}
