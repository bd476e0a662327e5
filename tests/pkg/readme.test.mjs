// The code of the README and of docs/*.md runs and prints what it says: what the text block behind
// it shows, or what the comments behind `console.log` show.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const pages = {
  'the README': [join(dirname(createRequire(import.meta.url).resolve('tokenweir/package.json')), 'README.md'), 4],
  ...Object.fromEntries(readdirSync(docs).map((name) => [`docs/${name}`, [join(docs, name), 1]])),
}

test('there are docs beside the README', () => assert.ok(Object.keys(pages).length > 1))

for (const [page, [path, least]] of Object.entries(pages)) {
  const blocks = [...readFileSync(path, 'utf8').matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language, code]) => ({ language, code }))
  const programs = blocks.map((block, at) => ({ ...block, shown: blocks[at + 1]?.language === 'text' ? blocks[at + 1].code : '' })).filter(({ language }) => language === 'js')

  test(`${page} has programs`, () => assert.ok(programs.length >= least))

  for (const [index, { code, shown }] of programs.entries()) {
    test(`program ${index + 1} of ${page}`, () => {
      // Beside this file, so that it finds the package as this file does.
      const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'readme-'))
      try {
        const file = join(folder, 'program.mjs')
        writeFileSync(file, code)
        const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
        assert.equal(stderr, '')
        assert.equal(status, 0)
        const said = shown !== '' ? shown : commented(code)
        if (said !== '') assert.equal(stdout, said)
        assert.notEqual(stdout, '')
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }
}

/** What the comments behind `console.log` say that it prints. */
function commented(code) {
  return [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
}
