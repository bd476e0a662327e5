// By `import`, in the Node that runs it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as everything from 'tokenweir'
import * as blocks from 'tokenweir/blocks'
import * as fields from 'tokenweir/fields'
import * as segments from 'tokenweir/segments'
import * as slim from 'tokenweir/slim'
import * as aiSdk from 'tokenweir/ai-sdk'
import * as rjson from 'tokenweir/rjson'
import * as rxml from 'tokenweir/rxml'
import { coerceBySchema } from 'tokenweir/schema-coerce'
import * as toolCalls from 'tokenweir/tool-calls'
import { fieldScenario, scenario, segmentScenario, toolCallScenario } from './scenario.mjs'

test(`import, Node ${process.version}`, async () => {
  assert.ok((await scenario(everything)) > 20)
  assert.ok((await scenario(blocks)) > 20)
  assert.ok((await fieldScenario(everything)) > 20)
  assert.ok((await fieldScenario(fields)) > 20)
  assert.ok((await segmentScenario(everything)) > 20)
  assert.ok((await segmentScenario(segments)) > 20)
  for (const entry of [everything, toolCalls, aiSdk]) assert.ok((await toolCallScenario(entry)) > 20)
  const schema = { type: 'object', properties: { a: { type: 'number' } } }
  assert.deepEqual([rjson.parse("{a:'x',}"), rxml.parse('<a>1</a>', schema), coerceBySchema('{a:"1"}', schema)], [{ a: 'x' }, { a: 1 }, { a: 1 }])
})

test(`import of slim, Node ${process.version}`, async () => {
  slim.initSync(readFileSync(fileURLToPath(import.meta.resolve('tokenweir/tokenweir.wasm'))))
  assert.ok((await scenario(slim)) > 20)
  assert.ok((await fieldScenario(slim)) > 20)
  assert.ok((await segmentScenario(slim)) > 20)
  assert.ok((await toolCallScenario(slim)) > 20)
})
