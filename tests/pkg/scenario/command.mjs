// Runs the scenarios of the named entry, with `import`, and prints the number of checks.
import process from 'node:process'
import { runEntry } from './imports.mjs'
import { readWasm } from './read-wasm.mjs'
import { runSlimSync } from './slim.mjs'

const [entry] = process.argv.slice(2)
console.log(String(await (entry === 'tokenweir/slim' ? runSlimSync(readWasm()) : runEntry(entry))))
