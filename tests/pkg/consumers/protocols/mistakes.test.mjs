// What clients make of streams with the mistakes that gateways make. So the checks of the other files are not empty: each of
// these would be found there, since a client fails, or has something else than what was written.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AG_UI, askOpenAI, COMPATIBLE, handwritten, loopOver, OPENAI, readUI, refusedByAgUi, runAgent, served, UI, unknownFields } from './clients.mjs'

const chunk = (delta, finish_reason = null) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })
const call = (index, id, args = '{"city":"Porto"}') => ({ tool_calls: [{ index, id, type: 'function', function: { name: 'weather', arguments: args } }] })
const ROLE = chunk({ role: 'assistant', content: '' })
const END = chunk({}, 'stop')
const CALLED = chunk({}, 'tool_calls')
const DONE = 'data: [DONE]'

/** By mistake: the stream, what OpenAI's SDK has, what AI SDK's loop has. */
const COMPLETIONS = {
  none: [[ROLE, chunk({ content: 'Hi' }), END, { ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }, DONE], ({ text, reason, usage }) => text === 'Hi' && reason === 'stop' && usage.total_tokens === 3, ({ text, reason, usage }) => text === 'Hi' && reason === 'stop' && usage.totalTokens === 3],
  'no role': [[chunk({ content: 'Hi' }), END, DONE], failed, ({ text }) => text === 'Hi'],
  'no reason': [[ROLE, chunk({ content: 'Hi' }), DONE], failed, ({ errors, reason }) => errors.length > 0 && reason === 'error'],
  'no [DONE]': [[ROLE, chunk({ content: 'Hi' }), END], ({ text }) => text === 'Hi', ({ text }) => text === 'Hi'],
  'a usage chunk without choices': [[ROLE, chunk({ content: 'Hi' }), END, { ...chunk({}), choices: undefined, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }, DONE], failed, hasError],
  'two calls with one index': [[ROLE, chunk(call(0, 'a', '{}')), chunk(call(0, 'b', '{}')), CALLED, DONE], ({ calls }) => calls.length === 1 && calls[0][3] === '{}{}', ({ ran }) => ran.length === 2],
  'a first index of 1': [[ROLE, chunk(call(1, 'a')), CALLED, DONE], failed, ({ ran }) => ran.length === 1],
  'no type of a call': [[ROLE, chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: '{}' } }] }), CALLED, DONE], failed, ({ ran }) => ran.length === 1],
  'arguments as a value': [[ROLE, chunk(call(0, 'a', { city: 'Porto' })), CALLED, DONE], ({ calls }) => calls[0][3] !== '{"city":"Porto"}', hasError],
  'an error': [[ROLE, chunk({ content: 'Hi' }), { error: { message: 'Busy', type: 'overloaded', code: 'overloaded', param: null } }, DONE], ({ error }) => error?.code === 'overloaded', hasError],
  'calls with the reason stop': [[ROLE, chunk(call(0, 'a')), END, DONE], ({ calls, reason }) => calls.length === 1 && reason === 'stop', ({ ran }) => ran.length === 1],
  'a comment as data': [[ROLE, 'data: : ping', END, DONE], failed, hasError],
  'a call cut off that looks whole': [[ROLE, chunk(call(0, 'a', '{"city":"Po"}')), CALLED, DONE], ({ done }) => done.length === 1, ({ ran }) => ran[0] === 'Po'],
}

function failed({ error }) {
  return error !== undefined
}
function hasError({ errors }) {
  return errors.length > 0
}

describe('chat completions', () => {
  for (const [mistake, [lines, openai, loop]] of Object.entries(COMPLETIONS)) {
    for (const [name, OpenAI] of Object.entries(OPENAI)) {
      test(`${name}: ${mistake}`, async (t) => {
        const { url } = await served(t, () => handwritten(lines))
        const found = await askOpenAI(OpenAI, url)
        assert.ok(openai(found), JSON.stringify({ ...found, error: found.error && String(found.error) }))
      })
    }
    for (const [name, client] of Object.entries(COMPATIBLE)) {
      test(`${name}: ${mistake}`, async (t) => {
        const { url } = await served(t, () => handwritten(lines), () => handwritten(COMPLETIONS.none[0]))
        const { parts, ...found } = await loopOver(client, url)
        assert.ok(loop(found), JSON.stringify(found))
      })
    }
  }
})

const input = { type: 'tool-input-start', toolCallId: 'a', toolName: 'weather', dynamic: true }
const available = { ...input, type: 'tool-input-available', input: { city: 'Porto' } }
const text = (...events) => [{ type: 'start' }, { type: 'start-step' }, ...events, { type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }, DONE]

/** By mistake: the stream, and what the readers have. */
const UI_STREAMS = {
  none: [text({ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'Hi' }, { type: 'text-end', id: '1' }, input, available, { type: 'tool-output-available', toolCallId: 'a', output: null, dynamic: true }), ({ parts, errors }) => errors.length === 0 && parts[1].state === 'output-available'],
  'a delta without its start': [text({ type: 'text-delta', id: '1', delta: 'Hi' }), hasError],
  'input without its start': [text({ type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{' }), hasError],
  'dynamic unlike at the start': [text(input, { ...available, dynamic: false }), ({ parts }) => parts.length === 2],
  'output of no call': [text({ type: 'tool-output-available', toolCallId: 'x', output: 1 }), hasError],
  'no output': [text(input, available, { type: 'tool-output-available', toolCallId: 'a', dynamic: true }), ({ errors, parts }) => errors.length > 0 || parts[0].output === undefined],
  'an unknown type': [text({ type: 'reset-step' }), ({ errors }, version) => version === 'ai 7' || errors.length > 0],
  'an input that is text': [text(input, { ...available, input: '{"city":"Porto"}' }), ({ parts }) => typeof parts[0].input === 'string'],
  'a mere end in a call': [[{ type: 'start' }, { type: 'start-step' }, input, { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"city":"Po' }], ({ errors, parts }) => errors.length === 0 && parts[0].state === 'input-streaming'],
}

describe('the UI message stream', () => {
  for (const [mistake, [lines, check]] of Object.entries(UI_STREAMS)) {
    for (const [version, ai] of Object.entries(UI)) {
      test(`${version}: ${mistake}`, async () => {
        const { parts, errors } = await readUI(ai, handwritten(lines))
        assert.ok(check({ parts, errors }, version), JSON.stringify({ parts, errors: errors.map(String) }))
      })
    }
  }
  test('fields that 6.0.0 refuses', () => {
    assert.deepEqual(unknownFields([{ type: 'abort', reason: 'x' }, { type: 'reset-step' }, { type: 'finish', usage: {} }, { type: 'text-start', id: '1' }]), ['abort.reason', 'reset-step', 'finish.usage'])
  })
})

const STARTED = { type: 'RUN_STARTED', threadId: 'thread', runId: 'run' }
const FINISHED = { type: 'RUN_FINISHED', threadId: 'thread', runId: 'run' }
const MESSAGE = [{ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' }, { type: 'TEXT_MESSAGE_END', messageId: 'm' }]
const CALL = [{ type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 'weather', parentMessageId: 'm' }, { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta: '{"city":"Porto"}' }, { type: 'TOOL_CALL_END', toolCallId: 'a' }]
const hasFailed = ({ failures }) => failures.length > 0
const roles = ({ messages }) => messages.map(({ role }) => role).join()

/** By mistake: the stream, and what the clients have. */
const RUNS = {
  none: [[STARTED, ...MESSAGE, ...CALL, FINISHED], (run) => roles(run) === 'assistant' && run.failures.length === 0 && run.toRun.length === 1],
  'no RUN_STARTED': [[...MESSAGE, FINISHED], hasFailed],
  'no RUN_FINISHED': [[STARTED, ...MESSAGE], ({ failures, finished }) => failures.length === 0 && finished === undefined],
  'a message that is open at the end': [[STARTED, ...MESSAGE.slice(0, 2), FINISHED], hasFailed],
  'a call that is open at the end': [[STARTED, ...CALL.slice(0, 2), FINISHED], hasFailed],
  'events after RUN_ERROR': [[STARTED, { type: 'RUN_ERROR', message: 'Busy' }, FINISHED], hasFailed],
  'a code that is null': [[STARTED, { type: 'RUN_ERROR', message: 'Busy', code: null }], () => refusedByAgUi([{ type: 'RUN_ERROR', message: 'Busy', code: null }]).length > 0],
  '[DONE]': [[STARTED, ...MESSAGE, FINISHED, DONE], hasFailed],
  'carriage returns': [[`data: ${JSON.stringify(STARTED)}\r\n\r\ndata: ${JSON.stringify(FINISHED)}\r\n\r\n`], hasFailed],
  'a call without a parent': [[STARTED, ...MESSAGE, { ...CALL[0], parentMessageId: undefined }, ...CALL.slice(1), FINISHED], (run) => roles(run) === 'assistant,assistant'],
  'text after a call under a new id': [[STARTED, ...MESSAGE, ...CALL, ...MESSAGE.map((event) => ({ ...event, messageId: 'n' })), FINISHED], (run) => roles(run) === 'assistant,assistant'],
  'a cut call without a result': [[STARTED, CALL[0], { ...CALL[1], delta: '{"city":"Po' }, CALL[2], FINISHED], ({ toRun }) => toRun.length === 1],
  'a result without text': [[STARTED, ...CALL, { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'a', content: { a: 1 } }, FINISHED], hasFailed],
}

describe('AG-UI', () => {
  for (const [mistake, [lines, check]] of Object.entries(RUNS)) {
    for (const [name, HttpAgent] of Object.entries(AG_UI)) {
      test(`${name}: ${mistake}`, async (t) => {
        const { url } = await served(t, () => handwritten(lines))
        const { seen, ...run } = await runAgent(t, HttpAgent, url)
        assert.ok(check(run), JSON.stringify({ ...run, failures: run.failures.map((failure) => failure.message) }))
      })
    }
  }
})
