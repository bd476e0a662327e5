// Figures in pages are those of docs/figures.json, and these are what is measured: `npm run docs:figures` writes both.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { faultsIn, figures, measured, pages, times, withFigures, withTables } from '../../pkg-template/figures.mjs'

const values = figures()
const { figures: timed, tables } = times()

for (const page of pages()) {
  test(`${basename(page)} says the figures of the files`, () => {
    const text = readFileSync(page, 'utf8')
    assert.deepEqual(faultsIn(text, { ...values, ...timed }), [])
    assert.equal(withTables(text, tables), text)
  })
}

test('the page of benchmarks has no time that was not measured with the others', () => {
  const text = readFileSync(pages().find((page) => basename(page) === 'benchmarks.md'), 'utf8')
  const places = [...text.matchAll(/<!--(?:table|figure):([^\s>]+)-->/g)].map(([, key]) => key)
  assert.deepEqual(places.sort(), [...Object.keys(tables), ...Object.keys(timed)].sort())
  const unmarked = text.replace(/<!--table:[^]*?\n<!---->/g, '').replace(/<!--figure:.*?<!---->/g, '')
  assert.deepEqual(unmarked.match(/(?<!`)\bx[\d,.]+\b|\b[\d,.]+ (?:ns|µs|ms)\b/g), null)
})

test('a table is written where it is marked', () => {
  const text = '<!--table:a-->\n\n| old |\n\n<!---->\n<!--table:b-->\n| c |\n<!---->'
  assert.equal(withTables(text, { a: ['| a |', '| 1 |'] }), '<!--table:a-->\n\n| a |\n| 1 |\n\n<!---->\n<!--table:b-->\n| c |\n<!---->')
})

test('the figures of the file are those that are measured: if not, npm run docs:figures', async () => {
  const now = await measured()
  assert.deepEqual(Object.keys(values), Object.keys(now))
  // Another version of Node compresses to a few bytes more or less, and that may be one KB when it is rounded up.
  const isClose = (name) => (name.startsWith('kb.') ? Math.abs(values[name] - now[name]) <= 1 : name.startsWith('package.') ? Math.abs(values[name] - now[name]) < 0.11 : values[name] === now[name])
  assert.deepEqual(Object.keys(now).filter((name) => !isClose(name)).map((name) => `${name} is ${now[name]}, not ${values[name]}`), [])
})

test('each figure is written where it is marked, with a comma for thousands', () => {
  const text = '<!--figure:a-->1<!---->, <!--figure:b-->2<!----> KB, <!--figure:c-->3<!---->'
  assert.equal(withFigures(text, { a: 12_345, b: 0.5 }), '<!--figure:a-->12,345<!---->, <!--figure:b-->0.5<!----> KB, <!--figure:c-->3<!---->')
})

for (const [what, text, ...found] of [
  ['another figure', 'it has <!--figure:a-->2<!---->', 'a is 1, not 2'],
  ['an unknown one', 'it has <!--figure:b-->1<!---->', 'there is no figure b'],
  ['one that is not closed, and one with spaces', 'it has <!--figure:a-->1 and <!--figure: a -->1<!---->', 'a figure is not closed, or its name has spaces'],
  ['one at the beginning of a line', 'It has\n<!--figure:a-->1<!---->', 'a line that begins with a comment is HTML, not Markdown'],
  ['one in code', '```js\nf(<!--figure:a-->1<!---->)\n```\n', 'a figure stands in a block of code'],
  ['one without a mark', 'It has 107 formats, eleven providers and 36 of the 68 KB', '"107 formats" is not marked as a figure', '"eleven providers" is not marked as a figure', '"36 of the 68 KB" is not marked as a figure'],
  ['nothing else', 'It has <!--figure:a-->1<!----> formats, eight formats\n```\n107\n```\n'],
]) {
  test(`the judge finds ${what}`, () => assert.deepEqual(faultsIn(text, { a: 1 }), found))
}
