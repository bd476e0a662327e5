// With `import` and with `require`, each entry in its own process, in the running Node.
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertRuns } from '../support/programs.mjs'
import { byEntry } from './by-entry.mjs'

for (const command of ['command.mjs', 'command.cjs']) {
  const path = fileURLToPath(new URL(command, import.meta.url))
  test(`${command}, Node ${process.version}`, { concurrency: 2 }, async (t) => {
    await Promise.all(Object.keys(byEntry).map((entry) => t.test(entry, () => assertRuns(process.execPath, [path, entry]))))
  })
}
