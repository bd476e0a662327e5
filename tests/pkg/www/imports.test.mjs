// What the demo's programs import: the package by its public names, Preact, and
// what they share with the rest of the repository.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const repository = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), '../..')
const ALLOWED = [/^tokenweir(\/(args|blocks|edits|fields|membrane|segments|tool-calls|formats|ai-sdk-tool-parser))?$/, /^(preact|preact\/hooks|@preact\/signals|marked)$/, /^case:/, /^\.\.\/\.\.\/examples\/streams\/[\w-]+\.(xml|txt)$/, /^\.\.\/\.\.\/\.\.\/bench\/straightforward\.mjs$/]

test('the demo uses the package by its public names alone', () => {
  const root = join(repository, 'www/src')
  const programs = readdirSync(root, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
  assert.ok(programs.length > 30)
  let outside = 0
  for (const program of programs) {
    for (const [, from] of readFileSync(join(root, program), 'utf8').matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)) {
      if (/^\.\.?\/(\.\.\/)?[\w/-]+$/.test(from) || /^\.\/samples\/[\w-]+\.(xml|txt)$/.test(from)) continue
      outside++
      assert.ok(ALLOWED.some((allowed) => allowed.test(from)), `www/src/${program} imports ${from}`)
    }
  }
  assert.ok(outside > 20)
})
