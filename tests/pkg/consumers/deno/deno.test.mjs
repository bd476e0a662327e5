// Deno, each entry in its own process. A plain import needs no permission.
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertRuns } from '../../support/programs.mjs'

const deno = fileURLToPath(new URL('../node_modules/.bin/deno', import.meta.url))
const command = fileURLToPath(new URL('../../scenario/command.mjs', import.meta.url))

test('import', { concurrency: 2 }, (t) => Promise.all(ENTRIES.map((entry) => t.test(entry, () => assertRuns(deno, ['run', '--no-prompt', command, entry])))))
