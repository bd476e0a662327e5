// The middleware of the AI SDK, by the real `ai`: a stream of text goes in, the SDK's parts come out.
import { createToolMiddleware, hermesToolMiddleware } from 'tokenweir/ai-sdk'
import { answering, majors } from '../../pkg/support/ai-sdk.mjs'
import { valueOf } from '../json.mjs'
import { TOOLS } from '../tools.mjs'
import rows from './rows.mjs'

const [, major] = majors
const { wrapLanguageModel } = major.ai
const row = (id) => rows.find(({ name }) => name === `row ${id}`)

/** What a wrapped model streams. */
async function stream(middleware, pieces, tools, { reason = 'stop' } = {}) {
  const problems = []
  const repairs = []
  const options = { onError: (_, { dropReason, code } = {}) => problems.push(code ?? dropReason), onRepair: (rules) => repairs.push(...rules) }
  const scripted = answering(major, [''])
  scripted.doStream = async () => ({
    stream: ReadableStream.from([
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: 't' },
      ...pieces.map((delta) => ({ type: 'text-delta', id: 't', delta })),
      { type: 'text-end', id: 't' },
      { type: 'finish', usage: major.usage, finishReason: major.reason(reason) },
    ]),
  })
  const model = wrapLanguageModel({ model: scripted, middleware })
  const given = tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }))
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }]
  const result = { text: '', reasoning: '', calls: [], problems, repairs }
  for await (const part of (await model.doStream({ prompt, tools: given, providerOptions: { toolCallMiddleware: options } })).stream) {
    if (part.type === 'text-delta') result.text += part.delta
    if (part.type === 'reasoning-delta') result.reasoning += part.delta
    if (part.type === 'tool-call') result.calls.push([part.toolName, valueOf(part.input)])
  }
  return result
}

const door = (name, middleware, id) => ({
  ...row(id),
  name,
  family: 'middleware',
  cuts: 'few',
  read: (pieces, { tools = TOOLS, end } = {}) => stream(middleware, pieces, tools, end),
  whole: undefined,
  open: undefined,
})

export default [
  door('hermesToolMiddleware', hermesToolMiddleware, 'hermes'),
  door('createToolMiddleware qwen3-coder', createToolMiddleware({ format: 'qwen3-coder' }), 'qwen3-coder'),
]
