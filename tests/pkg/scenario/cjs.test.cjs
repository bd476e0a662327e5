// By `require`, in the Node that runs it.
const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { test } = require('node:test')

test(`require, Node ${process.version}`, async () => {
  const { fieldScenario, scenario, segmentScenario, toolCallScenario } = await import('./scenario.mjs')
  assert.ok((await scenario(require('tokenweir'))) > 20)
  assert.ok((await scenario(require('tokenweir/blocks'))) > 20)
  assert.ok((await fieldScenario(require('tokenweir'))) > 20)
  assert.ok((await fieldScenario(require('tokenweir/fields'))) > 20)
  assert.ok((await segmentScenario(require('tokenweir'))) > 20)
  assert.ok((await segmentScenario(require('tokenweir/segments'))) > 20)
  for (const entry of ['tokenweir', 'tokenweir/tool-calls', 'tokenweir/ai-sdk']) assert.ok((await toolCallScenario(require(entry))) > 20)
  const schema = { type: 'object', properties: { a: { type: 'number' } } }
  assert.deepEqual([require('tokenweir/rjson').parse("{a:'x',}"), require('tokenweir/rxml').parse('<a>1</a>', schema), require('tokenweir/schema-coerce').coerceBySchema('{a:"1"}', schema)], [{ a: 'x' }, { a: 1 }, { a: 1 }])
})

test(`require of slim, Node ${process.version}`, async () => {
  const { fieldScenario, scenario, segmentScenario, toolCallScenario } = await import('./scenario.mjs')
  const slim = require('tokenweir/slim')
  slim.initSync(readFileSync(require.resolve('tokenweir/tokenweir.wasm')))
  assert.ok((await scenario(slim)) > 20)
  assert.ok((await fieldScenario(slim)) > 20)
  assert.ok((await segmentScenario(slim)) > 20)
  assert.ok((await toolCallScenario(slim)) > 20)
})
