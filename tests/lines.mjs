// Lines of the package's sources have at most 120 characters. The formatter can't see to comments and
// strings; a regular expression can't be broken.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

const LONGEST = 120
const IS_PATTERN = /^\s*\/.*\/\w*,?$/

/** Throws if a line is longer. */
export function checkLines(folder = 'pkg-template/src') {
  const files = readdirSync(join(root, folder), { recursive: true }).filter((name) => /\.(ts|wat)$/.test(name))
  const long = files.flatMap((name) => {
    const lines = readFileSync(join(root, folder, name), 'utf8').split('\n')
    return lines.flatMap((line, at) => (line.length > LONGEST && !IS_PATTERN.test(line) ? [`${folder}/${name}:${at + 1}`] : []))
  })
  if (files.length < 300) throw new Error(`${folder} has only ${files.length} sources`)
  if (long.length > 0) throw new Error(`longer than ${LONGEST} characters: ${long.join(', ')}`)
}
