// Every public item of every entry has a description, and an example that compiles, runs
// and prints the documented output.
//
// An example is asked of each exported declaration, and of each public method and
// accessor of a class; for a property, or a member of an interface, a description does.
// The example of a class, function, constant or method prints something; that of a type
// may be a value alone. Code is only in examples, so that all of it is run.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { castsIn } from './support/casts.mjs'
import { readComment, tryExamples } from './support/doc-examples.mjs'
import { publicItems, typesOf } from './support/public-items.mjs'

const here = fileURLToPath(import.meta.url)
const manifest = createRequire(import.meta.url).resolve('tokenweir/package.json')
const { exports } = JSON.parse(readFileSync(manifest, 'utf8'))
/** The formats: each is an entry. */
const ids = readdirSync(join(dirname(manifest), 'dist/esm/formats')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))
const withAll = ['tokenweir']
const paths = Object.keys(exports).flatMap((path) => (path.includes('*') ? ids.map((id) => path.replace('*', id)) : [path]))
const names = paths.map((path) => `tokenweir${path.slice(1)}`).filter((name) => !/\.(wasm|json)$/.test(name))
const entries = [...names.filter((name) => !withAll.includes(name)), ...withAll]

const items = publicItems(entries.map((name) => typesOf(name, here))).map((item) => ({ ...item, ...readComment(item.comment) }))
const examples = items.flatMap(({ name, kind, file, examples }) => examples.filter(Boolean).map((example) => ({ name: `${entries[file]} ${name}`, kind, ...example })))

/** The missing parts, by name. */
function missing(items) {
  const silent = items.filter(({ words }) => words === '').map(({ name }) => `${name} has no description`)
  const unshown = items.filter(({ kind, examples }) => kind !== 'property' && examples.length === 0).map(({ name }) => `${name} has no example`)
  const unrun = items.filter(({ words }) => words.includes('```')).map(({ name }) => `${name} has code outside of an example`)
  const unreadable = items.filter(({ examples }) => examples.includes(undefined)).map(({ name }) => `${name} has an example that is not a ts block, with or without a text block after it`)
  return [...silent, ...unshown, ...unrun, ...unreadable]
}

describe('public items', () => {
  test('there are as many as are known, and no fewer', () => {
    assert.ok(items.length >= 600, `${items.length} items`)
  })

  for (const [at, entry] of entries.entries()) {
    test(`all of ${entry} are described, with an example`, () => {
      assert.deepEqual(missing(items.filter(({ file }) => file === at)), [])
    })
  }
})

describe('examples', () => {
  const outcomes = tryExamples(examples.map(({ code }) => code))

  for (const [at, { name, kind, code, said }] of examples.entries()) {
    test(name, () => {
      const { complaints, printed, thrown } = outcomes[at]
      assert.deepEqual(complaints, [])
      assert.equal(thrown, undefined)
      assert.equal(printed, said)
      if (kind !== 'type') assert.notEqual(printed, '')
      assert.match(code, /from 'tokenweir/)
      assert.deepEqual(castsIn(code), [])
    })
  }
})

describe('the checks themselves', () => {
  test('find missing parts', () => {
    const found = publicItems([fileURLToPath(new URL('./types/half-documented.d.ts', import.meta.url))]).map((item) => ({ ...item, ...readComment(item.comment) }))
    assert.deepEqual(missing(found), ['Silent has no description', 'Bare.member has no description', 'Silent has no example', 'Silent.method has no example', 'Bare has no example', 'Bare has code outside of an example', 'half has an example that is not a ts block, with or without a text block after it'])
  })

  test('find wrong types, wrong output and errors', () => {
    const [wrongType, wrongOutput, failing] = tryExamples(["const a: number = 'text'\nconsole.log(a)", 'console.log(2) // 3', "throw new Error('no')"])
    assert.deepEqual(wrongType.complaints, ["Type 'string' is not assignable to type 'number'."])
    assert.deepEqual([wrongOutput.complaints, wrongOutput.printed], [[], '2\n'])
    assert.match(failing.thrown, /Error: no/)
  })

  test('read the output of an example', () => {
    const comment = "/**\n * Adds.\n *\n * @throws never\n * @example\n * ```ts\n * console.log('a // b') // a // b\n * ```\n * @example\n * ```ts\n * f()\n * ```\n * ```text\n * 1\n * ```\n */"
    assert.deepEqual(readComment(comment), { words: 'Adds.', examples: [{ code: "console.log('a // b') // a // b\n", said: 'b\n' }, { code: 'f()\n', said: '1\n' }] })
    assert.deepEqual(readComment('/** Adds. @example inside */'), { words: 'Adds. @example inside', examples: [] })
  })
})
