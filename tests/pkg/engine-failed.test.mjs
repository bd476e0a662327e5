// Failures of the WebAssembly, which should not happen: the call throws `engine-failed`,
// and so does every later call of any parser; nothing hangs, and no wrong event is
// emitted. Each failure has its own program.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const program = join(dirname(fileURLToPath(import.meta.url)), 'support/failing-engine.mjs')

/** The message of each call, by name. */
async function after(how, victim) {
  const { stdout } = await run(process.execPath, [program, how, victim], { timeout: 60_000 })
  return JSON.parse(stdout)
}

const PARSERS = ['BlockParser', 'IncrementalXmlParser', 'StreamingJSONParser', 'StreamingParser', 'StreamingResponseHandler', 'calls of an API', 'ToolCallParser']
const WHOLE = [
  'visibleText', 'BlockParser, the end', 'StreamingJSONParser, the end', 'StreamingParser, the end', 'StreamingResponseHandler, the end', 'ToolCallParser, the end', 'a tool call that is too long',
  'character references', 'hasUnclosedXmlBlock', 'parsePartial', 'parseSegments', 'arguments in elements', 'parseToolCalls', 'RJSON.parse', 'RXML.parse', 'RXML.parse, the end', 'coerceBySchema',
]
/** What ends all the same where the engine doesn't get on: it is called once. */
const ONCE = ['StreamingJSONParser, the end', 'StreamingResponseHandler, the end']
const REASONS = { trap: 'unreachable', stuck: 'it reads at one place for ever' }

for (const [how, reason] of Object.entries(REASONS)) {
  describe(`an engine that fails (${how}) is not called again`, () => {
    for (const victim of [...PARSERS, ...WHOLE]) {
      if (how === 'stuck' && ONCE.includes(victim)) continue
      test(victim, async () => {
        const said = await after(how, victim)
        assert.ok(Object.keys(said).length > 80)
        for (const [call, answer] of Object.entries(said)) assert.ok(answer.startsWith(`engine-failed: the WebAssembly of tokenweir failed (${reason})`), `${call}: ${answer}`)
      })
    }
  })
}

test('a machine whose bytes were overwritten is rejected too', async () => {
  for (const [call, answer] of Object.entries(await after('bytes', 'BlockParser'))) assert.match(answer, /^engine-failed: .*please report it.*load tokenweir anew/, call)
})
