// Bun, each entry in its own process.
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { byEntry } from '../../scenario/by-entry.mjs'
import { assertRuns } from '../../support/programs.mjs'

const bun = fileURLToPath(new URL('../node_modules/.bin/bun', import.meta.url))

for (const command of ['command.mjs', 'command.cjs']) {
  const path = fileURLToPath(new URL(`../../scenario/${command}`, import.meta.url))
  test(command, { concurrency: 2 }, (t) => Promise.all(Object.keys(byEntry).map((entry) => t.test(entry, () => assertRuns(bun, ['run', path, entry])))))
}
