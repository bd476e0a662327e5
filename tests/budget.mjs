// How many lines of TypeScript each wing may have, without comments and empty lines. The limits only get lower.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './steps.mjs'

const WINGS = createRequire(import.meta.url)('./wings.cjs')

const sources = join(root, 'pkg-template/src')

/** The most lines, and how far below the limit is to be lowered. */
const MOST = { 'engine and parsers': 21_400, all: 40_500 }
const SLACK = 600

/** Throws if there are more, or so many fewer that the limit should be lower. */
export function checkBudget() {
  const lower = [...Object.keys(WINGS.engine), ...Object.keys(WINGS.parsers)]
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.ts'))
  const ours = files.filter((name) => lower.includes(name.replace(/(?:[/\\].*|\.ts)$/, '')))
  const counted = { 'engine and parsers': sum(ours), all: sum(files) }
  for (const [what, most] of Object.entries(MOST)) {
    const lines = counted[what]
    console.log(`${what}: ${lines} lines of TypeScript, at most ${most}`)
    if (lines > most) throw new Error(`${what} have ${lines} lines: make it less than ${most}`)
    if (lines < most - SLACK) throw new Error(`${what} have only ${lines} lines: lower the limit in tests/budget.mjs`)
  }
}

function sum(files) {
  return files.reduce((all, name) => all + linesOf(readFileSync(join(sources, name), 'utf8')), 0)
}

/** Lines of code: no empty one, and none that is only a comment. */
function linesOf(text) {
  const code = text.replace(/^\s*\/\*[^]*?\*\/\s*$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}
