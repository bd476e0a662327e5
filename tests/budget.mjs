// How heavy the house may be: what a reader has to carry. The limits only get lower, but for what is new: answers, guards and AG-UI have 2,100 lines, `useChat` in React 150, the types of attributes 30; tests of the pages, the figures and what a stranger checks 700.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ENTRIES } from '../pkg-template/entries.mjs'
import { root } from './steps.mjs'

const WINGS = createRequire(import.meta.url)('./wings.cjs')

/** What is counted, the most that there may be, and how far below that the limit is to be lowered. */
const LIMITS = {
  'lines of TypeScript, engine and parsers': [() => linesIn('pkg-template/src', isLower), 19_950, 500],
  'lines of TypeScript': [() => linesIn('pkg-template/src'), 39_950, 600],
  'files of TypeScript': [() => filesIn('pkg-template/src').length, 451, 10],
  'lines of Rust in src, with their tests': [() => linesIn('src'), 29_950, 600],
  'lines of tests, all of them': [() => filesIn('tests', isOurs).reduce((sum, path) => sum + textOf(path).split('\n').length - 1, 0), 66_900, 1_500],
  entries: [() => Object.keys(ENTRIES).length + 1, 18, 1],
}

/** Throws if there are more, or so many fewer that the limit should be lower. */
export function checkBudget() {
  for (const [what, [count, most, slack]] of Object.entries(LIMITS)) {
    const found = count()
    console.log(`${what}: ${found}, at most ${most}`)
    if (found > most) throw new Error(`${what}: ${found} are more than ${most}`)
    if (found < most - slack) throw new Error(`${what}: only ${found}: lower the limit in tests/budget.mjs`)
  }
}

function isLower(name) {
  return [...Object.keys(WINGS.engine), ...Object.keys(WINGS.parsers)].includes(name.replace(/(?:[/\\].*|\.ts)$/, ''))
}

function isOurs(name) {
  return !/(?:^|[/\\])(?:node_modules|dist|dist-[\w-]+|target|docs-[\w-]+)[/\\]/.test(name)
}

function filesIn(folder, isCounted = () => true) {
  const names = readdirSync(join(root, folder), { recursive: true })
  return names.filter((name) => /\.(?:rs|ts|mts|tsx|mjs|cjs|js)$/.test(name) && isCounted(name)).map((name) => join(root, folder, name))
}

/** Lines of code in a folder: no empty one, and none that is only a comment. */
function linesIn(folder, isCounted) {
  return filesIn(folder, isCounted).reduce((sum, path) => {
    const code = textOf(path).replace(/^\s*\/\*[^]*?\*\/\s*$/gm, '')
    return sum + code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
  }, 0)
}

function textOf(path) {
  return readFileSync(path, 'utf8')
}
