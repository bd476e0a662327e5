// Every file that CONTRIBUTING.md, ARCHITECTURE.md and docs/internals name is there.
//
// CONTRIBUTING.md names files from the root of the repository. The others name them from
// the folder that they speak of (`row.ts`, `xml/state.rs`), some by a pattern
// (`native/*.ts`): one file has to fit. Papers and what the build makes are not looked for.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, test } from 'node:test'

const repository = resolve(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), '../..')

/** Folders that are made, or not ours. */
const SKIPPED = ['.git', 'node_modules', 'target'].concat(join(repository, 'pkg'))

/** The papers, and what the build makes. */
const NOT_HERE = /^(spec|seeds|facts|dist|pkg|generated)\//

const files = filesOf(repository).map((path) => relative(repository, path).split(sep).join('/'))
const folders = new Set(files.flatMap((path) => path.split('/').slice(0, -1).map((_, at, names) => names.slice(0, at + 1).join('/'))))

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.includes(name) && !SKIPPED.includes(join(folder, name)))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(join(folder, entry.name)) : [join(folder, entry.name)]))
}

/** The names of files in a text. */
function named(text) {
  return [...new Set([...text.matchAll(/[\w*.][\w*./-]*\.(?:rs|[cm]?[jt]s|toml|jsonl?|md|html|py)\b(?!\()/g)].map(([path]) => path.replace(/^(\.\.\/)+/, '')))].filter((path) => !NOT_HERE.test(path))
}

/** Whether a file exists whose path is, or ends with, a name. */
function isThere(name, { fromRoot }) {
  const pattern = name.split('*').map((part) => part.replace(/[.\\]/g, '\\$&')).join('[^/]*')
  return files.some((path) => new RegExp(fromRoot ? `^${pattern}$` : `(^|/)${pattern}$`).test(path))
}

/** The folders that a text names in code: with a slash, and nothing that ends a file's name. */
function namedFolders(text) {
  return [...text.matchAll(/`((?:src|tests|pkg-template|examples)\/[\w/-]+)`/g)].map(([, path]) => path.replace(/\/$/, ''))
}

describe('CONTRIBUTING.md', () => {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8')
  // `types.ts` and `options.ts` are those of any parser.
  const names = named(text).filter((name) => !['types.ts', 'options.ts'].includes(name))

  test('names many files', () => assert.ok(names.length > 60, `${names.length}`))

  test('names files that are there', () => assert.deepEqual(names.filter((name) => !isThere(name, { fromRoot: true })), []))

  test('names folders that are there', () => {
    const names = namedFolders(text)
    assert.ok(names.length >= 10)
    assert.deepEqual(names.filter((name) => !folders.has(name)), [])
  })
})

describe('ARCHITECTURE.md and docs/internals', () => {
  const map = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8')
  const pages = readdirSync(join(repository, 'docs/internals')).map((name) => `docs/internals/${name}`)
  const texts = new Map([['ARCHITECTURE.md', map], ...pages.map((path) => [path, readFileSync(join(repository, path), 'utf8')])])

  test('the map is short', () => assert.ok(Buffer.byteLength(map) <= 15_000, `${Buffer.byteLength(map)} bytes`))

  test('the map leads to each page', () => assert.deepEqual(pages.filter((path) => !map.includes(`](${path})`)), []))

  test('names many files', () => assert.ok(new Set([...texts.values()].flatMap(named)).size > 100))

  for (const [path, text] of texts) {
    test(`${path} names files that are there`, () => assert.deepEqual(named(text).filter((name) => !isThere(name, { fromRoot: false })), []))
  }
})

describe('the judge', () => {
  test('finds missing files', () => {
    assert.deepEqual(named('see `src/nothing.rs`, rows.ts and spec/block.md; not 1.5 or e.g. this'), ['src/nothing.rs', 'rows.ts'])
    for (const name of ['src/nothing.rs', 'ags.rs', 'nothing/*.ts']) assert.ok(!isThere(name, { fromRoot: false }), name)
    assert.ok(!isThere('tags.rs', { fromRoot: true }))
    for (const name of ['block/tags.rs', 'tags.rs', 'native/*.ts']) assert.ok(isThere(name, { fromRoot: false }), name)
    assert.deepEqual(namedFolders('`src/nothing` and `tests/cases/block`'), ['src/nothing', 'tests/cases/block'])
    assert.ok(!folders.has('src/nothing') && folders.has('tests/cases/block'))
  })
})
