// What an editor offers: the paths of a schema in `.on(…)`, and the names of tools.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formats } from 'tokenweir/formats'
import ts from 'typescript'
import { strict } from './support/public-items.mjs'

/** The place of the cursor in a program. */
const CURSOR = '‸'

/** Below the tests, so that it resolves the package as they do; it need not be there. */
const file = fileURLToPath(new URL('./completed.mts', import.meta.url))
let text = ''
let version = 0
const service = ts.createLanguageService({
  ...ts.sys,
  getCompilationSettings: () => ({ ...strict, noUnusedLocals: false, types: [] }),
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : '0'),
  getScriptSnapshot: (name) => (name === file ? ts.ScriptSnapshot.fromString(text) : ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name)) : undefined),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
})

/** The words that are offered at the cursor. */
function offered(code) {
  const at = code.indexOf(CURSOR)
  text = code.replace(CURSOR, '')
  version++
  const entries = service.getCompletionsAtPosition(file, at, {})?.entries ?? []
  // What stands there so far is offered too.
  return entries.map(({ name }) => name).filter((name) => name !== '').sort()
}

const fields = (schema, path) => `import { parseFields } from 'tokenweir/fields'\nimport { z } from 'zod'\n${schema}\nparseFields('', schema).on('${path}', () => {})`
const SCHEMAS = {
  'a shape': "const schema = { title: 'str', stops: [{ place: 'str', hours: 'int' }] } as const",
  'a JSON schema': "const schema = { type: 'object', properties: { title: { type: 'string' }, stops: { type: 'array', items: { type: 'object', properties: { place: { type: 'string' }, hours: { type: 'integer' } }, required: ['place', 'hours'] } } } } as const",
  'Zod': 'const schema = z.object({ title: z.string(), stops: z.array(z.object({ place: z.string(), hours: z.number() })) })',
}

for (const [what, schema] of Object.entries(SCHEMAS)) {
  test(`the paths of ${what} are offered, with wildcards`, () => {
    assert.deepEqual(offered(fields(schema, CURSOR)), ['stops', 'stops[*]', 'stops[*].hours', 'stops[*].place', 'title'])
  })

  test(`an index of ${what} is a path, and its value has a type`, () => {
    const found = (path, use) => {
      offered(fields(schema, path).replace('() => {}', `(event) => event.eventType === 'done' && event.value.${use}()`) + CURSOR)
      return service.getSemanticDiagnostics(file).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    }
    assert.deepEqual(found('stops[12].hours', 'toFixed'), [])
    assert.deepEqual(found('stops[12].hours', 'trim'), ["Property 'trim' does not exist on type 'number'."])
  })
}

test('the ids of formats are offered', () => {
  const ids = Object.keys(formats).sort()
  assert.deepEqual(offered(`import { parseReply } from 'tokenweir/tool-calls'\nparseReply('', { format: '${CURSOR}' })`), [...ids, 'none'].sort())
  assert.deepEqual(offered(`import { writeCalls } from 'tokenweir/formats'\nwriteCalls([], { format: '${CURSOR}' })`), ids)
  assert.deepEqual(offered(`import { createToolMiddleware } from 'tokenweir/ai-sdk'\ncreateToolMiddleware({ format: '${CURSOR}' })`), ids)
})

test('the names of tools are offered', () => {
  const code = (compared) => `import { parseReply } from 'tokenweir/tool-calls'
import { z } from 'zod'
const tools = { weather: { inputSchema: z.object({ city: z.string() }) }, add: { inputSchema: z.object({ a: z.number() }) } }
for (const call of parseReply('', { format: 'hermes', tools }).toolCalls) if (!call.dynamic && ${compared}) console.log(call.args)`
  assert.deepEqual(offered(code(`call.toolName === '${CURSOR}'`)), ['add', 'weather'])
  assert.deepEqual(offered(code(`call.toolName === 'add' && call.args.${CURSOR}`)), ['a'])
})
