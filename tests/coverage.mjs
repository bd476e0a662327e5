// Prints which lines and branches of src/ the Rust tests reach, by room.
//
//     npm run coverage                 the table
//     npm run coverage -- --missing    also each line that is not reached
//
// src/wasm is left out: it compiles only for wasm32, where tests/wasm*.rs and the
// package's tests run it. Tests inside src/ don't count as lines. There are fewer
// cuts and random texts than in `cargo test`: a line is either reached or not.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { setupOrExit } from '../pkg-template/setup.mjs'
import { root, run } from './steps.mjs'

const { values } = parseArgs({ options: { missing: { type: 'boolean' } } })
const report = join(root, 'target/coverage.lcov')
const PROGRAMS = ['conformance', 'splits', 'properties', 'json', 'field', 'segment', 'edit', 'tool_call', 'format', 'border']
/** Tests that count steps on long texts, and tests of the tests. */
const SKIPPED = ['linear::', 'bad_parsers_are_caught', 'a_forgetful_parser_is_caught']

setupOrExit({ coverage: true })
// Only nightly counts branches.
run('cargo', ['+nightly', 'llvm-cov', '--branch', '--lcov', '--output-path', report, '--ignore-filename-regex', '/(tests|examples|pkg-template)/',
  '--lib', ...PROGRAMS.flatMap((program) => ['--test', program]), '--', ...SKIPPED.flatMap((test) => ['--skip', test])], { env: { THIN: env.THIN ?? '100' } })
const files = readFileSync(report, 'utf8').split('end_of_record').map(fileOf).filter(Boolean)
printTable(files)
if (values.missing) printMissing(files)

/** The lcov data of a file, up to its tests. */
function fileOf(text) {
  const path = /^SF:(.+)$/m.exec(text)?.[1]
  if (!path) return undefined
  const source = readFileSync(path, 'utf8').split('\n')
  const tests = source.indexOf('#[cfg(test)]')
  const isCode = ({ line }) => tests < 0 || line <= tests
  const rows = (pattern, row) => [...text.matchAll(pattern)].map(([, line, ...more]) => ({ line: Number(line), ...row(more) })).filter(isCode)
  return {
    path: relative(root, path).replaceAll('\\', '/'),
    source,
    lines: rows(/^DA:(\d+),(\d+)/gm, ([count]) => ({ isReached: count !== '0' })),
    branches: rows(/^BRDA:(\d+),\d+,\d+,(\S+)$/gm, ([count]) => ({ isReached: count !== '-' && count !== '0' })),
  }
}

function printTable(files) {
  const room = ({ path }) => (path.split('/').length > 2 ? path.split('/').slice(0, 2).join('/') : 'src')
  const rooms = [...new Set(files.map(room))].sort()
  const share = (rows) => {
    const reached = rows.filter(({ isReached }) => isReached).length
    return rows.length === 0 ? '-' : `${reached} of ${rows.length} (${((100 * reached) / rows.length).toFixed(1)} %)`
  }
  const row = (name, files) => console.log(`| ${name} | ${share(files.flatMap(({ lines }) => lines))} | ${share(files.flatMap(({ branches }) => branches))} |`)
  console.log('\n| room | lines | branches |\n| --- | --- | --- |')
  for (const name of rooms) row(`\`${name}\``, files.filter((file) => room(file) === name))
  row('all', files)
}

function printMissing(files) {
  for (const { path, source, lines, branches } of files) {
    const missing = (rows, what) => {
      for (const line of new Set(rows.filter(({ isReached }) => !isReached).map(({ line }) => line))) console.log(`${path}:${line}: ${what}: ${source[line - 1].trim()}`)
    }
    missing(lines, 'line')
    missing(branches, 'branch')
  }
}
