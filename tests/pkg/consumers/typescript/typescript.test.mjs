// Strict TypeScript programs, with each module resolution and several versions
// of the compiler. `skipLibCheck` is off, so that our own declarations are checked too.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { execute } from '../../support/programs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true, noImplicitOverride: true, isolatedModules: true, skipLibCheck: false, skipDefaultLibCheck: true }

/** By their names: the ending of the program, and the options. */
const SETTINGS = {
  'node16, import': ['mts', { module: 'node16', moduleResolution: 'node16', verbatimModuleSyntax: true }],
  // Since TypeScript 5.8 CommonJS may require ES modules there, as Node does.
  'nodenext, require': ['cts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  nodenext: ['mts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  node10: ['ts', { module: 'commonjs', moduleResolution: 'node10' }],
  bundler: ['ts', { module: 'esnext', moduleResolution: 'bundler', verbatimModuleSyntax: true }],
  'bundler, preserve': ['ts', { module: 'preserve' }],
  'bundler, for a Worker': ['ts', { module: 'esnext', moduleResolution: 'bundler', customConditions: ['workerd', 'worker'] }],
  'bundler, for the edge': ['ts', { module: 'esnext', moduleResolution: 'bundler', customConditions: ['edge-light'] }],
  'bundler, with the types of Node and not of the browser': ['ts', { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022'], types: ['node'] }],
  'bundler, with the types of a worker': ['ts', { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022', 'WebWorker', 'WebWorker.AsyncIterable'] }],
}

const newest = import.meta.resolve('typescript/bin/tsc')
/** The oldest that is promised. */
const oldest = import.meta.resolve('typescript-oldest/bin/tsc')
const PROGRAMS = [...Object.entries(SETTINGS).map(([name, settings]) => [name, newest, settings]), ['nodenext, TypeScript 5.0', oldest, SETTINGS.nodenext]]

for (const [name, compiler, [extension, options]] of PROGRAMS) {
  test(name, async () => {
    const project = mkdtempSync(join(here, 'project-'))
    writeFileSync(join(project, `consumer.${extension}`), readFileSync(join(here, 'consumer.ts')))
    const compilerOptions = { target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], noEmit: true, ...strict, ...options }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`consumer.${extension}`] }))
    const { error, stdout } = await execute(process.execPath, [fileURLToPath(compiler), '--project', project])
    assert.equal(error, null, stdout)
  })
}
