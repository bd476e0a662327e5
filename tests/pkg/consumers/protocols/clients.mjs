// The clients of each protocol, in each of their majors, and a server that answers them on a real socket.
import { HttpAgent } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import * as ai6 from 'ai'
import * as ai5 from 'ai-v5'
import * as ai7 from 'ai-v7'
import { createOpenAICompatible as compatible2 } from 'ai-compatible-v6'
import { createOpenAICompatible as compatible3 } from 'ai-compatible-v7'
import { HttpAgent as OldHttpAgent } from 'ag-ui-client-v0'
import { EventSchemas as OldEventSchemas } from 'ag-ui-core-v0'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import OpenAI6 from 'openai'
import OpenAI7 from 'openai-v7'
import { all } from '../../support/sources.mjs'

export const OPENAI = { 'openai 6': OpenAI6, 'openai 7': OpenAI7 }
export const COMPATIBLE = { '@ai-sdk/openai-compatible 2': { ai: ai6, create: compatible2 }, '@ai-sdk/openai-compatible 3': { ai: ai7, create: compatible3 } }
export const UI = { 'ai 5': ai5, 'ai 6': ai6, 'ai 7': ai7 }
export const AG_UI = { '@ag-ui/client 0.0.59': OldHttpAgent, '@ag-ui/client 1.0': HttpAgent }
const AG_UI_SCHEMAS = [OldEventSchemas, EventSchemas]

/** A function of the tools in these tests, as each client takes it. */
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const FUNCTIONS = [{ type: 'function', function: { name: 'weather', description: 'The weather of a city', parameters: CITY } }]

/**
 * Serves these answers in turn, each `(question) => Response`, the last one again and again. Returns the URL, the questions
 * that came, and the text of what was answered.
 */
export async function served(t, ...answers) {
  const [asked, sent] = [[], []]
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const text of request.setEncoding('utf8')) body += text
    asked.push(JSON.parse(body))
    const at = asked.length - 1
    const answer = await answers[Math.min(at, answers.length - 1)](asked[at])
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    sent[at] = ''
    const decoder = new TextDecoder()
    const kept = answer.body.pipeThrough(new TransformStream({
      transform(bytes, controller) {
        sent[at] += decoder.decode(bytes, { stream: true })
        controller.enqueue(bytes)
      },
    }))
    // A client that leaves destroys the response.
    await pipeline(Readable.fromWeb(kept), response).catch(() => {})
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${server.address().port}`, asked, sent }
}

/** Waits until something is so. */
export async function until(isSo) {
  for (let turn = 0; turn < 2000; turn++) {
    if (isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`not within 10 seconds: ${isSo}`)
}

/** A response of server-sent events, as somebody else writes them: data, or a line as it is. */
export const handwritten = (lines, headers = {}) =>
  new Response(lines.map((line) => (typeof line === 'string' ? line : `data: ${JSON.stringify(line)}`)).map((line) => `${line}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream', ...headers } })

/** The JSON of a sent text; a comment is no event. */
export const eventsIn = (text) => text.split('\n\n').flatMap((block) => (block.startsWith('data: {') ? [JSON.parse(block.slice('data: '.length))] : []))

/** What OpenAI's SDK reads: the message of `chat.completions.stream`, its calls, and what it throws. */
export async function askOpenAI(OpenAI, url, { stream = true, ...more } = {}) {
  const client = new OpenAI({ baseURL: url, apiKey: 'key', maxRetries: 0 })
  const body = { model: 'm', messages: [{ role: 'user', content: '?' }], tools: FUNCTIONS, ...more }
  const done = []
  try {
    if (!stream) return said(await client.chat.completions.create(body), done)
    const reading = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } })
    reading.on('tool_calls.function.arguments.done', ({ name, arguments: args }) => done.push([name, args]))
    return said(await reading.finalChatCompletion(), done)
  } catch (error) {
    return { error, done }
  }
}

function said({ choices: [{ message, finish_reason: reason }], usage, ...rest }, done) {
  const calls = (message.tool_calls ?? []).map(({ id, type, function: { name, arguments: args } }) => [id, type, name, args])
  return { text: message.content, message, calls, reason, usage, done, rest }
}

/** What AI SDK's loop over a server with chat completions does: its parts by type, the calls that ran, and how it ends. */
export async function loopOver({ ai, create }, url) {
  const ran = []
  const weather = ai.tool({ inputSchema: ai.jsonSchema(CITY), execute: ({ city }) => ran.push(city) && `${city}: rain` })
  const result = ai.streamText({ model: create({ name: 'server', baseURL: url, includeUsage: true }).chatModel('m'), tools: { weather }, prompt: '?', stopWhen: ai.stepCountIs(4), maxRetries: 0, onError() {} })
  const parts = await all(result.fullStream)
  const errors = parts.flatMap(({ type, error }) => (type === 'error' ? [error] : []))
  const invalid = parts.filter(({ type, invalid }) => type === 'tool-call' && invalid)
  if (parts.some(({ type }) => type === 'finish-step') === false) return { parts, ran, errors, invalid }
  return { parts, ran, errors, invalid, text: await result.text, thinking: await result.reasoningText, reason: await result.finishReason, usage: await result.totalUsage, steps: (await result.steps).length }
}

/** What `readUIMessageStream` makes of a response: each state of the message, the last one, and the errors, those of the schema included. */
export async function readUI(ai, response) {
  const errors = []
  const states = []
  const events = ai.parseJsonEventStream({ stream: response.body, schema: ai.uiMessageChunkSchema }).pipeThrough(new TransformStream({
    transform(part, controller) {
      if (part.success) controller.enqueue(part.value)
      else errors.push(part.error)
    },
  }))
  try {
    for await (const message of ai.readUIMessageStream({ stream: events, onError: (error) => errors.push(error), terminateOnError: true })) states.push(message)
  } catch (error) {
    if (!errors.includes(error)) errors.push(error)
  }
  return { message: states.at(-1), states, errors, parts: (states.at(-1)?.parts ?? []).filter(({ type }) => type !== 'step-start') }
}

/** Of AI SDK 6.0.0, whose schemas refuse other fields. */
const UI_FIELDS = {
  start: ['messageId', 'messageMetadata'],
  'start-step': [],
  'finish-step': [],
  finish: ['finishReason', 'messageMetadata'],
  abort: [],
  error: ['errorText'],
  'text-start': ['id'],
  'text-delta': ['id', 'delta'],
  'text-end': ['id'],
  'reasoning-start': ['id'],
  'reasoning-delta': ['id', 'delta'],
  'reasoning-end': ['id'],
  'tool-input-start': ['toolCallId', 'toolName', 'dynamic', 'providerExecuted'],
  'tool-input-delta': ['toolCallId', 'inputTextDelta'],
  'tool-input-available': ['toolCallId', 'toolName', 'input', 'dynamic', 'providerExecuted'],
  'tool-input-error': ['toolCallId', 'toolName', 'input', 'errorText', 'dynamic', 'providerExecuted'],
  'tool-output-available': ['toolCallId', 'output', 'dynamic', 'providerExecuted'],
  'tool-output-error': ['toolCallId', 'errorText', 'dynamic', 'providerExecuted'],
}

/** The fields of UI events that AI SDK 6.0.0 doesn't know. */
export const unknownFields = (events) => events.flatMap(({ type, ...fields }) => (UI_FIELDS[type] ? Object.keys(fields).filter((name) => !UI_FIELDS[type].includes(name)).map((name) => `${type}.${name}`) : [type]))

/** What an AG-UI client has after a run: its messages, the tools it would run, and what failed. */
export async function runAgent(t, HttpAgent, url) {
  // It reports there too.
  const silent = t.mock.method(console, 'error', () => {})
  const agent = new HttpAgent({ url, threadId: 'thread', initialMessages: [{ id: 'u', role: 'user', content: '?' }] })
  const seen = []
  const failures = []
  let finished
  const run = agent.runAgent({ runId: 'run', tools: FUNCTIONS.map(({ function: tool }) => tool) }, {
    onEvent: ({ event }) => void seen.push(event),
    onRunErrorEvent: ({ event }) => void failures.push(event),
    onRunFailed: ({ error }) => void failures.push(error),
    onRunFinishedEvent: ({ event }) => void (finished = event),
  })
  await run.catch((error) => failures.push(error))
  silent.mock.restore()
  const messages = agent.messages.slice(1)
  const answered = messages.flatMap(({ role, toolCallId }) => (role === 'tool' ? [toolCallId] : []))
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls)
  return { messages, seen, failures, finished, calls, toRun: calls.filter(({ id }) => !answered.includes(id)).map(({ function: { name, arguments: args } }) => [name, args]) }
}

/** What the schemas of AG-UI's versions say of events. */
export const refusedByAgUi = (events) => events.flatMap((event) => AG_UI_SCHEMAS.flatMap((schema) => schema.safeParse(event).error?.issues.map(({ path }) => `${event.type}.${path.join('.')}`) ?? []))
