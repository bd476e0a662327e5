// Failures of the WebAssembly, which should not happen: the call throws `engine-failed`,
// and so does every later call of a parser that reads by the same WebAssembly; nothing hangs, and no wrong event is
// emitted. Each failure has its own program.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const program = join(dirname(fileURLToPath(import.meta.url)), 'support/failing-engine.mjs')

/** The message of each call, by name; and how often an instance was called that had failed. */
async function after(how, victim, byte = 0) {
  const { stdout } = await run(process.execPath, [program, how, victim, String(byte)], { timeout: 60_000 })
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
        const { said, late } = await after(how, victim)
        assert.ok(Object.keys(said).length > 80)
        assert.equal(late, 0)
        const isRefused = (answer) => answer.startsWith(`engine-failed: the WebAssembly of tokenweir failed (${reason})`)
        // What reads by another WebAssembly goes on.
        for (const [call, answer] of Object.entries(said)) assert.ok(answer === 'nothing' || isRefused(answer), `${call}: ${answer}`)
        for (const call of ['failing', ...(PARSERS.includes(victim) ? ['again', 'end', `new ${victim}`] : [victim])]) assert.ok(isRefused(said[call]), `${call}: ${said[call]}`)
        for (const [call, answer] of Object.entries(said)) if (call.startsWith(`${victim} `)) assert.ok(isRefused(answer), `${call}: ${answer}`)
      })
    }
  })
}

// No byte makes a machine fail today; what hangs or throws anything else fails here.
test('a machine whose bytes were overwritten goes on, or it fails and nothing is called again', async () => {
  for (const byte of [0x01, 0x02, 0x03, 0x07, 0x10, 0x55, 0x7f, 0x80, 0xaa, 0xff])
    for (const [call, answer] of Object.entries((await after('bytes', 'BlockParser', byte)).said))
      if (answer !== 'nothing') assert.match(answer, /^engine-failed: .*please report it.*load tokenweir anew/, `${byte}, ${call}`)
})
