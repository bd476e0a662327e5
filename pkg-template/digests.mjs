// Writes dist/SHA256SUMS: the digests of each WebAssembly, as a file or as the module that has it as text, and above them
// what they were made with. docs/verify.md says how to compare them.
//
//     node pkg-template/digests.mjs pkg/dist
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { argv, env } from 'node:process'

const [dist] = argv.slice(2)
const files = readdirSync(dist, { recursive: true }).map((name) => name.replaceAll('\\', '/')).filter((name) => /(\.wasm|\/start-inline-[\w-]+\.js)$/.test(name)).sort()
const digest = (name) => createHash('sha256').update(readFileSync(join(dist, name))).digest('hex')
const rustc = execFileSync(env.RUSTC ?? 'rustc', ['--version'], { encoding: 'utf8' }).trim()
const { version } = createRequire(import.meta.url)('binaryen/package.json')
writeFileSync(join(dist, 'SHA256SUMS'), [`# ${rustc}, binaryen ${version}`, ...files.map((name) => `${digest(name)}  ${name}`), ''].join('\n'))
