// Numbers of the border are named once, in Rust: the build writes them to
// generated/ops.ts. What decodes them in TypeScript has none of its own.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'

const sources = new URL('../pkg-template/src/', import.meta.url)
const generated = new URL('../target/pkg-src/src/generated/', import.meta.url)

/** What a number by hand looks like. */
const PATTERNS = [
  // Part of a record's word, or of what a call returns.
  /\b(word|packed)\)?\s*(?:&|>>>?|===|!==|<=?|>=?)\s*(?:0x)?\d/,
  // An op, a mode or a fault.
  /\bcase (?:0x)?\d/,
  /\b(?:kind|op|mode|flags|fault|element|reason)\)?\s*(?:&|===|!==|<=?|>=?)\s*(?:0x)?\d/,
]

/** The lines of a source that have a number by hand, without comments. */
function numbersIn(text) {
  const constants = [...text.matchAll(/^(?:export )?const (\w+)(?:: number)? = (?:0x)?[\d_]+;?$/gm)].map(([, name]) => name)
  // A constant that is compared with such a part, or is one of its cases.
  const compared = constants.map((name) => new RegExp(`\\bcase ${name}:|\\b(?:word|packed|kind|op|mode|flags)\\)?\\s*(?:&|===|!==|>>>?)\\s*${name}\\b`))
  return text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && [...PATTERNS, ...compared].some((pattern) => pattern.test(line)))
}

const decoding = readdirSync(sources, { recursive: true }).filter((path) => path.endsWith('.ts') && /from '[./]+(?:generated\/ops|wasm\/\w+)\.js'/.test(readFileSync(new URL(path, sources), 'utf8')))

test('what decodes has no number of its own', () => {
  assert.ok(decoding.length > 20, `${decoding.length} files decode`)
  for (const path of decoding) {
    assert.deepEqual(numbersIn(readFileSync(new URL(path, sources), 'utf8')), [], path)
  }
})

test('a number by hand is found', () => {
  for (const line of ['switch (word & 0xff) {', 'const kind = packed >>> 11', 'case 3:', 'if (mode === 2) {', 'if ((flags & 4) !== 0) {', 'const PROSE = 1\nif (mode === PROSE) {', 'const TEXT = 0x10\ncase TEXT:']) {
    assert.equal(numbersIn(line).length, 1, line)
  }
  for (const line of ['// case 3:', 'const LONGEST = 16', 'if (depth === 0) {', 'case BlockOp.Text:', 'word & BlockBits.OpMask']) {
    assert.deepEqual(numbersIn(line), [], line)
  }
})

test('numbers are numbers in what tsc writes', () => {
  const ops = readFileSync(new URL('ops.ts', generated), 'utf8')
  const enums = [...ops.matchAll(/^export const enum (\w+)/gm)].map(([, name]) => name)
  assert.ok(enums.length > 30, `${enums.length} enums`)
  const compiled = new URL('../target/pkg-src/js/', import.meta.url)
  for (const path of readdirSync(compiled, { recursive: true }).filter((path) => path.endsWith('.js'))) {
    const text = readFileSync(new URL(path, compiled), 'utf8')
    for (const [name] of text.matchAll(/(?<=import \{[^}]*)\b\w+\b(?=[^}]*\} from '[./]+generated\/ops\.js')/g)) assert.ok(!enums.includes(name), `${path} imports ${name}`)
  }
})
