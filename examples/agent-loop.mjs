// The loop of an agent with a local model: ask, run the calls, send the results, until there are none.
//
//     node examples/agent-loop.mjs                                               the model is a recording
//     node examples/agent-loop.mjs http://localhost:8080 qwen3-8b                llama.cpp's llama-server
//
// First through the chat API, then with a prompt of text, as a model without a chat template needs it.
import { instructionsFor, loopMessages } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { z } from 'zod'
import { recordedServer } from './streams/llama-server.mjs'

const weather = { description: 'The weather of a city', inputSchema: z.object({ city: z.string() }) }
const tools = { weather }

/** @param {string} server @param {string} model @param {string} question */
async function chat(server, model, question) {
  /** @type {import('tokenweir/formats').LoopMessage[]} */
  const messages = [{ role: 'user', content: question }]
  for (;;) {
    const body = JSON.stringify({ model, stream: true, messages, tools: functions() })
    const response = fetch(`${server}/v1/chat/completions`, { method: 'POST', headers: JSON_TYPE, body })
    const reply = await readReply(response, { model, tools }).result()
    if (!['stop', 'tool-calls', undefined].includes(reply.finishReason)) throw new Error(`the reply ended by ${reply.finishReason}`)
    if (reply.toolCalls.length + reply.problems.length === 0) return reply.text
    messages.push(...loopMessages(reply, await run(reply.toolCalls)))
  }
}

/** @param {string} server @param {string} model @param {string} question */
async function raw(server, model, question) {
  const format = 'hermes'
  /** @param {import('tokenweir/formats').LoopMessage} message */
  const turn = ({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`
  const system = { role: 'system', content: instructionsFor(tools, { format }) ?? '' }
  let prompt = turn(system) + turn({ role: 'user', content: question })
  for (;;) {
    const body = JSON.stringify({ stream: true, prompt: `${prompt}<|im_start|>assistant\n`, stop: ['<|im_end|>'] })
    const response = fetch(`${server}/completion`, { method: 'POST', headers: JSON_TYPE, body })
    const reply = await readReply(response, { format, tools }).result()
    if (!['stop', 'tool-calls', undefined].includes(reply.finishReason)) throw new Error(`the reply ended by ${reply.finishReason}`)
    if (reply.toolCalls.length + reply.problems.length === 0) return reply.text
    prompt += loopMessages(reply, await run(reply.toolCalls), { format }).map(turn).join('')
  }
}

/** @param {readonly import('tokenweir').CallToRun<typeof tools>[]} calls */
async function run(calls) {
  return calls.map((call) => {
    console.log(`  ${call.toolName} ${call.input}`)
    const output = call.dynamic ? { error: `there is no tool ${call.toolName}` } : `${call.args.city}: rain, 12 °C`
    return { toolCallId: call.toolCallId, output }
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
const functions = () =>
  Object.entries(tools).map(([name, { description, inputSchema }]) => ({ type: 'function', function: { name, description, parameters: z.toJSONSchema(inputSchema) } }))

const [url, model = 'qwen3-8b'] = process.argv.slice(2)
const recorded = url === undefined ? await recordedServer() : undefined
for (const [how, ask] of Object.entries({ chat, raw })) {
  console.log(`${how}:`)
  console.log(await ask(url ?? recorded?.url ?? '', model, 'Is it warmer in Porto or in Oslo?'))
}
recorded?.close()
