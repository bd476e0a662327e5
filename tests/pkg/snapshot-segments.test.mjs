// Segments are saved at every place between two code units, and restored in another process.
import { env } from 'node:process'
import { after, describe, test } from 'node:test'
import { StreamingParser } from 'tokenweir/segments'
import { configOf, segmentCaseFiles } from './support/segment-cases.mjs'
import { judge, judgeChunks } from './support/snapshot-judge.mjs'
import { AT_ONCE, Pool } from './support/snapshot-pool.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const pool = new Pool()
after(() => pool.end())

for (const [file, cases] of segmentCaseFiles()) {
  describe(file, AT_ONCE, () => {
    for (const each of cases) {
      test(each.name, async () => {
        const config = configOf(each)
        await judge(pool, 'StreamingParser', { ...config, spans: true }, each.input, seed, each.name)
        await judge(pool, 'StreamingResponseHandler', config, each.input, seed, each.name)
        const events = new StreamingParser(config).feedAndFinalize(each.input).map((event) => JSON.stringify(event))
        await judgeChunks(pool, 'ToolInvocationAdapter', {}, events, () => true, each.name)
      })
    }
  })
}

test('tool states of a program, and events of AutoByteus', async () => {
  const toolStates = { send_mail: { segmentType: 'mail', contentArg: 'body', startWhen: ['to'] }, write_file: null }
  const text = 'Hi <tool name="send_mail"><arguments><arg name="to">ann</arg><arg name="cc">bo</arg><arg name="body">\nHello\n</arg></arguments></tool> and <tool name="write_file"><arg name="path">a</arg></tool>'
  await judge(pool, 'StreamingParser', { strategy: 'xml', toolStates, spans: true }, text, seed, 'states')
  await judge(pool, 'StreamingResponseHandler', { strategy: 'xml', toolStates, eventStyle: 'autobyteus' }, text, seed, 'autobyteus')
})

test('calls of an API, with reasoning and content between them', async () => {
  const text = (content) => content
  const call = (index, more) => `json ${JSON.stringify({ toolCalls: [{ index, ...more }] })}`
  const pieces = (index, json) => json.split('').map((argumentsDelta) => call(index, { argumentsDelta }))
  const chunks = [
    'json {"reasoning":"hm"}', 'json {"reasoning":"hm"}', text('Look: <run_ba'), text('sh>ls</run_bash>'),
    call(0, { callId: 'a', name: 'write_file' }), ...pieces(0, '{"path": "/a.py", "mode": 1, "content": "x = \\"1\\"\\n\\ud83d\\ude42"}'),
    call(1, { callId: 'b', name: 'add' }), call(2, { argumentsDelta: '{"a"' }), ...pieces(1, ' {"a": [1, "}"]} x'), call(2, { name: 'late', argumentsDelta: ': 1}' }), call(3, { name: 'now' }), 'end',
    call(4, { name: 'patch_file', argumentsDelta: '{"patch": "@@", "pa' }),
  ]
  for (const config of [{}, { spans: true }, { acceptUnterminated: true }]) await judgeChunks(pool, 'StreamingResponseHandler', config, chunks, () => true, `calls ${JSON.stringify(config)}`)
})
