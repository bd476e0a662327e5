// The JSON reader in Rust compared with the crates serde_json and json5, on documents
// that tests/json/oracle.rs generates.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'

/** A comment or a string. */
const PIECE = /\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/g

export const rust = {
  name: 'rust',
  count: 200_000,

  /** The differences among `count` documents. */
  find(seed, count) {
    const lines = tests({ ORACLE_SEED: String(seed), ORACLE_COUNT: String(count) })
    const { documents } = lines.pop()
    return { documents, differences: lines }
  },

  /** The results for documents, in order. */
  complete(documents) {
    if (documents.length === 0) return []
    const folder = mkdtempSync(join(tmpdir(), 'tokenweir-oracle-'))
    try {
      const path = join(folder, 'documents.jsonl')
      writeFileSync(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
      return tests({ ORACLE_TEXTS: path }).slice(0, -1).map(({ document, ours, theirs }) => ({ ...document, ours, theirs }))
    } finally {
      rmSync(folder, { recursive: true })
    }
  },

  compare: ({ ours, theirs }) => ({ ours, theirs }),

  rules: {
    'open-comment': ({ judge, text }, { theirs }) => judge === 'json5' && theirs === 'refused' && /\/\*(?:(?!\*\/)[^])*$/.test(text),
    // A string of the crate can't contain it.
    'lone-surrogate': ({ judge, text }, { theirs }) => judge === 'json5' && theirs === 'refused' && /\\u[dD][89a-fA-F]/.test(text.replace(/\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|[^u])/g, '')),
    'zero-digit': ({ judge, text }, { theirs }) => judge === 'json5' && theirs === 'refused' && /\\0\d/.test(text),
    'odd-name': ({ judge, text }, { theirs }) => judge === 'json5' && theirs === 'refused' && /[^\s\x00-\x7f]|\\u/.test(text.replace(PIECE, '')),
    'raw-control': ({ judge, text }, { ours }) => judge === 'json5' && ours === 'refused' && hasRawControl(text),
  },
}

/** Runs the test; returns what it says. */
function tests(variables) {
  const args = ['test', '--quiet', '--test', 'json', '--', '--ignored', '--exact', 'oracle::fresh_documents', '--nocapture']
  const { status, stdout } = spawnSync('cargo', args, { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8', env: { ...env, ...variables }, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`\`cargo ${args.join(' ')}\` failed:\n${stdout}`)
  return stdout.split('\n').filter((line) => line.startsWith('oracle ')).map((line) => JSON.parse(line.slice('oracle '.length)))
}

/** Whether a string contains a control character that is not a newline. */
function hasRawControl(text) {
  return [...text.matchAll(PIECE)].some(([piece]) => /^["']/.test(piece) && /[\0-\t\v\f\x0e-\x1f]/.test(piece))
}
