// Runs the scenarios of the named entry, with `import`, and prints the number of checks.
import process from 'node:process'
import { runEntry } from './imports.mjs'

console.log(String(await runEntry(process.argv[2])))
