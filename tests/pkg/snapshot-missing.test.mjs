// What saves and restores is imported by `tokenweir/snapshot` alone: without it a program doesn't carry it, and an error
// says what to import.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { rollup } from 'rollup'

const here = dirname(fileURLToPath(import.meta.url))
const manifestPath = createRequire(import.meta.url).resolve('tokenweir/package.json')
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
const folder = dirname(manifestPath)
const dir = mkdtempSync(join(here, 'dist-snapshot-'))
after(() => rmSync(dir, { recursive: true }))

/** How a program loads names of an entry, and an entry for what it does. */
const KINDS = {
  mjs: { names: (names, entry) => `import { ${names} } from '${entry}'\n`, alone: (entry) => `import '${entry}'\n` },
  cjs: { names: (names, entry) => `const { ${names} } = require('${entry}')\n`, alone: (entry) => `require('${entry}')\n` },
}

/** Runs a program in a process of its own, which has imported nothing else; gives what it prints, as JSON. */
async function run(kind, code) {
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${kind === 'mjs' ? 'module' : 'commonjs'}`, '--eval', code], { cwd: here })
  return JSON.parse(stdout)
}

/** Each parser, with what makes one and what restores it. */
const PARSERS = {
  'tokenweir/blocks': ['BlockParser', 'BlockStream', 'VisibleTextStream'],
  'tokenweir/membrane': ['IncrementalXmlParser'],
  'tokenweir': ['NativeBlocks'],
  'tokenweir/fields': ['FieldStream', 'StreamingJSONParser'],
  'tokenweir/segments': ['StreamingParser', 'StreamingResponseHandler', 'ToolInvocationAdapter'],
  'tokenweir/tool-calls': ['ToolCallParser'],
}

describe('without it, snapshot and restore throw what says what to import', () => {
  for (const [kind, { names, alone }] of Object.entries(KINDS)) {
    for (const [entry, classes] of Object.entries(PARSERS)) {
      test(`${entry}, ${kind}`, async () => {
        const code = `${names(classes.join(', '), entry)}const thrown = {}
const get = (call, act) => {
  try { act(); thrown[call] = 'nothing' } catch ({ name, code, message }) { thrown[call] = { name, code, message } }
}
for (const Class of [${classes}]) {
  const parser = new Class(...(Class.name === 'ToolCallParser' ? [{ format: 'hermes' }] : []))
  get(Class.name + '.snapshot', () => parser.snapshot())
  get(Class.name + '.restore', () => Class.restore({}))
}
console.log(JSON.stringify(thrown))`
        const thrown = await run(kind, code)
        assert.deepEqual(Object.keys(thrown), classes.flatMap((name) => [`${name}.snapshot`, `${name}.restore`]))
        for (const [call, { name, code, message }] of Object.entries(thrown)) {
          assert.equal(name, 'ParseError', call)
          assert.equal(code, 'snapshot-missing', call)
          assert.equal(message, `${call} needs what saves and restores parsers; add: import 'tokenweir/snapshot'`)
        }
        const found = await run(kind, `${alone('tokenweir/snapshot')}${code}`)
        assert.deepEqual(Object.values(found).map((each) => each.code ?? each), classes.flatMap(() => ['nothing', 'snapshot-version']))
      })
    }

    test(`toolCallStream, restoreToolCallStream and LlmStreamingResponseHandler, ${kind}`, async () => {
      const messages = await run(
        kind,
        `${names('hermesProtocol, restoreToolCallStream, toolCallStream', 'tokenweir/tool-calls')}${names('LlmStreamingResponseHandler', 'tokenweir/autobyteus')}
const messages = []
for (const act of [
  () => toolCallStream({ protocol: hermesProtocol(), tools: [] }).snapshot(),
  () => restoreToolCallStream({}, { protocol: hermesProtocol() }),
  () => new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true }).snapshot(),
]) {
  try { act() } catch ({ message }) { messages.push(message) }
}
console.log(JSON.stringify(messages))`,
      )
      assert.deepEqual(messages.map((message) => message.split(' needs ')[0]), ['toolCallStream.snapshot', 'restoreToolCallStream', 'LlmStreamingResponseHandler.snapshot'])
    })
  }
})

/** Programs that save nothing, by a name, and what the same ones do to save. */
const PROGRAMS = {
  BlockParser: ["import { BlockParser } from 'tokenweir/blocks'", 'new BlockParser()', 'processChunk', '<thinking>hm'],
  StreamingJSONParser: ["import { StreamingJSONParser } from 'tokenweir/fields'", 'new StreamingJSONParser()', 'parseChunk', '{"a": [1, '],
  parseFields: ["import { StreamingJSONParser, parseFields } from 'tokenweir/fields'\nglobalThis.parseFields = parseFields", 'new StreamingJSONParser()', 'parseChunk', '{"a'],
  StreamingParser: ["import { StreamingParser } from 'tokenweir/segments'", 'new StreamingParser()', 'feed', 'Look: <run_bash>l'],
  ToolCallParser: ["import { ToolCallParser } from 'tokenweir/tool-calls'", "new ToolCallParser({ format: 'hermes' })", 'text', '<tool_call>{"name": "a'],
}

/** Text of what saves and restores, which minifiers keep: messages of each of its files. */
const MACHINERY = ['where a chunk is read in part', 'the snapshot was changed or cut', 'is not declared as what it is', 'there is no such kind of value']

const bundlers = {
  async esbuild(program) {
    const { outputFiles } = await build({ stdin: { contents: program, resolveDir: here }, bundle: true, minify: true, format: 'esm', platform: 'node', write: false, logLevel: 'silent' })
    return outputFiles[0].text
  },
  async rollup(program) {
    // As its plugin for packages does.
    const hasSideEffects = (path) => manifest.sideEffects.some((pattern) => matches(relative(folder, path).split(sep).join('/'), pattern.slice(2)))
    const resolveId = (source, importer) => {
      if (source === 'program') return source
      const id = source.startsWith('.') ? join(importer, '..', source) : join(folder, manifest.exports[`.${source.slice('tokenweir'.length)}`].default)
      return { id, moduleSideEffects: hasSideEffects(id) }
    }
    const made = await rollup({ input: 'program', plugins: [{ name: 'package', resolveId, load: (id) => (id === 'program' ? program : readFileSync(id, 'utf8')) }] })
    const { output } = await made.generate({ format: 'es', inlineDynamicImports: true })
    return output[0].code
  },
}

/** A pattern has one star at most. */
function matches(path, pattern) {
  const [before, after = ''] = pattern.split('*')
  return pattern.includes('*') ? path.startsWith(before) && path.endsWith(after) : path === pattern
}

for (const [bundler, bundle] of Object.entries(bundlers)) {
  describe(`${bundler}: a program that saves nothing carries nothing of it, and one that imports it can save`, () => {
    for (const [name, [imports, make, feed, text]] of Object.entries(PROGRAMS)) {
      test(name, async () => {
        const program = `${imports}
const parser = ${make}
parser.${feed}(${JSON.stringify(text)})
let code
try {
  const snapshot = JSON.parse(JSON.stringify(parser.snapshot()))
  const again = JSON.parse(JSON.stringify(parser.constructor.restore(snapshot).snapshot()))
  code = JSON.stringify(again) === JSON.stringify(snapshot) ? snapshot.parser : 'another one'
} catch (error) {
  code = error.code ?? String(error)
}
console.log(JSON.stringify(code))`
        const without = await bundle(program)
        for (const part of MACHINERY) assert.ok(!without.includes(part), part)
        const whole = await bundle(`import 'tokenweir/snapshot'\n${program}`)
        for (const part of MACHINERY) assert.ok(whole.includes(part), part)
        assert.ok(whole.length > without.length + 8_000, `${whole.length - without.length} characters`)
        const outcomes = []
        for (const [index, code] of [without, whole].entries()) {
          const path = join(dir, `${bundler}-${name.replaceAll(' ', '-')}-${index}.mjs`)
          writeFileSync(path, code)
          outcomes.push(JSON.parse((await promisify(execFile)(process.execPath, [path])).stdout))
        }
        assert.equal(outcomes[0], 'snapshot-missing')
        assert.match(outcomes[1], /^(blocks|fields|segments|tool-calls)$/)
      })
    }
  })
}

test('the other entries of the package lead to none of it', () => {
  for (const [entry, target] of Object.entries(manifest.exports)) {
    const file = target.default
    if (file === undefined || /\*|\.wasm$|snapshot/.test(entry)) continue
    for (const path of filesOf(join(folder, file))) {
      const code = readFileSync(path, 'utf8')
      for (const part of MACHINERY) assert.ok(!code.includes(part), `${entry}: ${relative(folder, path)} has "${part}"`)
    }
  }
})

/** The file of an entry, and all that it leads to. */
function filesOf(path, seen = new Set()) {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const [, next] of readFileSync(path, 'utf8').matchAll(/\b(?:import|from)\s*\(?\s*["'](\.[^"'\n]+)["']/g)) filesOf(join(dirname(path), next), seen)
  return seen
}
