// "Programs that run unchanged" of docs/internals/segments.md: each row has a program that uses all that it names, and what that
// prints is the same wherever the text that it reads is cut.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { format } from 'node:util'
import { test } from 'node:test'
import * as autobyteus from 'tokenweir/autobyteus'
import { everyCut } from './support/cuts.mjs'
import { joinedSegments } from './support/segment-reading.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const page = readFileSync(new URL('../../docs/internals/segments.md', import.meta.url), 'utf8')
const section = /^## Programs that run unchanged\n([^]*?)^## /m.exec(page)[1]
const rows = section.split(/^(?=\d+\. )/m).slice(1)

/** The program of a row with the names of the package, and what it says that it prints. */
function programOf(row) {
  const [code, said] = [...row.matchAll(/^ {3}```(?:js|text)\n([^]*?)^ {3}```$/gm)].map(([, text]) => text.replace(/^ {3}/gm, ''))
  const [, names] = /^import \{ (.*) \} from 'tokenweir\/autobyteus'\n/.exec(code)
  assert.doesNotMatch(code.slice(code.indexOf('\n')), /\bimport\b/)
  return { names: names.split(', '), code: code.slice(code.indexOf('\n')), said }
}

/** What a program prints. */
function printed({ names, code }, values) {
  const lines = []
  new Function('console', ...names, code)({ log: (...given) => lines.push(format(...given)) }, ...names.map((name) => values[name]))
  return `${lines.join('\n')}\n`
}

test('there are rows, and nothing is claimed elsewhere', () => {
  assert.ok(rows.length >= 5)
  assert.doesNotMatch(section, /^- `new /m)
})

for (const [at, row] of rows.entries()) {
  const program = programOf(row)

  test(`row ${at + 1}: its program uses all that it names`, () => {
    const claims = [...row.slice(0, row.indexOf('```')).matchAll(/`([^`]+)`/g)].flatMap(([, claim]) => claim.split(/[^\w$]+/)).filter((name) => name !== '')
    for (const name of claims) assert.match(program.code + program.names.join(), new RegExp(`\\b${name}\\b`), name)
  })

  test(`row ${at + 1}: what it prints`, () => {
    assert.equal(printed(program, autobyteus), program.said)
  })
}

test('the programs that feed a text print the same wherever it is cut', () => {
  let texts = 0
  for (const row of rows) {
    const program = programOf(row)
    const [, text] = /parser\.feed\('([^']*)'\)/.exec(program.code) ?? []
    if (text === undefined) continue
    texts++
    for (const [how, chunks] of everyCut(text, seed, { two: 0, pairs: 20 })) {
      class Cut extends autobyteus.StreamingParser {
        feed(whole) {
          if (whole !== text) return super.feed(whole)
          // Contents joined: a program that prints each of them prints the pieces.
          return joinedSegments(chunks.flatMap((chunk) => super.feed(chunk)))
        }
      }
      assert.equal(printed(program, { ...autobyteus, StreamingParser: Cut }), program.said, `${text}: ${how}`)
    }
  }
  assert.ok(texts >= 3)
})
