// Tools for a model without native tool calling, in the AI SDK: the model writes
// calls as text, and the application gets tool calls as they stream.
//
//     node examples/ai-sdk.mjs
//     MODEL=qwen3:8b OPENAI_BASE_URL=http://localhost:11434/v1 node examples/ai-sdk.mjs "What is on my list?"
//
// Without MODEL the answers are recorded ones, with typical mistakes: a newline in a
// string, single quotes, arguments of the wrong type. With it, the program asks any
// server that speaks OpenAI's chat completions (OPENAI_API_KEY, if needed).
import { setTimeout as wait } from 'node:timers/promises'
import { styleText } from 'node:util'
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { hermesToolMiddleware, toolCallOptions } from 'tokenweir/ai-sdk'
import { z } from 'zod'

const { MODEL, OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY = '' } = process.env
const isScreen = process.stdout.isTTY && !process.env.CI

const recorded = [
  `I'll look first.
<tool_call>{"name": "read_notes", "arguments": {"folder": "lists"}}</tool_call>`,
  `Only "milk" is there, so I add two lines.
<tool_call>
{'name': 'write_note', 'arguments': {'path': 'lists/shopping.md', 'content': 'milk
bread
2 lemons', 'version': '2'}}
</tool_call>`,
  'Done: bread and two lemons are on your list.',
]

const notes = new Map([['lists/shopping.md', 'milk']])
const repairs = []
const failures = []

const result = streamText({
  model: wrapLanguageModel({ model: MODEL === undefined ? recordedModel(recorded) : serverModel(), middleware: hermesToolMiddleware }),
  prompt: process.argv[2] ?? 'Put bread and two lemons on my shopping list.',
  tools: {
    read_notes: tool({
      description: 'Reads all notes of a folder.',
      inputSchema: z.object({ folder: z.string() }),
      execute: ({ folder }) => Object.fromEntries([...notes].filter(([path]) => path.startsWith(`${folder}/`))),
    }),
    write_note: tool({
      description: 'Writes a note, and replaces an existing one.',
      inputSchema: z.object({ path: z.string(), content: z.string(), version: z.number().int().optional() }),
      execute: ({ path, content }) => {
        notes.set(path, content)
        return { lines: content.split('\n').length }
      },
    }),
  },
  stopWhen: stepCountIs(6),
  // Errors are parts of the stream too, and handled there.
  onError() {},
  providerOptions: {
    toolCallMiddleware: toolCallOptions({
      onRepair: (rules, { toolName }) => repairs.push(`${toolName}: ${rules.join(', ')}`),
      onError: (message) => failures.push(message),
    }),
  },
})

const calls = []
for await (const part of result.fullStream) {
  if (part.type === 'text-delta') write(part.text)
  else if (part.type === 'tool-input-start') write(`\n→ ${part.toolName} `, 'bold')
  else if (part.type === 'tool-input-delta') write(part.delta, 'cyan')
  else if (part.type === 'tool-call') calls.push(part)
  else if (part.type === 'tool-result') write(`\n← ${JSON.stringify(part.output)}\n`, 'green')
  else if (part.type === 'tool-error') write(`\n← ${part.error}\n`, 'red')
  else if (part.type === 'error') fail(part.error)
}
for (const [path, content] of notes) write(`\n\n${path}\n${content.replace(/^/gm, '  ')}`)
write(`\n\n${calls.length} calls in ${(await result.steps).length} steps, ${failures.length} failed; tolerated errors: ${repairs.join('; ') || 'none'}\n`)

function fail({ message, cause }) {
  console.error(`\nThe model failed: ${cause?.message ?? message}`)
  process.exit(1)
}

/** Writes immediately; a model's text must not control the terminal. */
function write(text, style) {
  const plain = text.replace(/[^\P{Cc}\t\n]/gu, '�')
  process.stdout.write(style !== undefined && process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, plain) : plain)
}

/** A model of the AI SDK that returns these answers in turn. */
function recordedModel(answers) {
  const left = [...answers]
  return languageModel('recorded', async function* () {
    for (const piece of left.shift().match(/.{1,4}/gs)) {
      // A pace that people can follow, if the output is a terminal.
      if (isScreen) await wait(15)
      yield piece
    }
  })
}

/** A model on a server that speaks OpenAI's chat completions. */
function serverModel() {
  return languageModel(MODEL, async function* ({ prompt, temperature, abortSignal }) {
    const messages = prompt.map(({ role, content }) => ({ role, content: typeof content === 'string' ? content : content.filter(({ type }) => type === 'text').map(({ text }) => text).join('') }))
    const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(OPENAI_API_KEY === '' ? {} : { authorization: `Bearer ${OPENAI_API_KEY}` }) },
      body: JSON.stringify({ model: MODEL, messages, temperature, stream: true }),
      signal: abortSignal,
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    for await (const { data } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
      if (data !== '[DONE]') yield JSON.parse(data).choices[0]?.delta.content ?? ''
    }
  })
}

/** The smallest model that AI SDK 6 accepts: it only writes text. */
function languageModel(modelId, answer) {
  const usage = { inputTokens: {}, outputTokens: {} }
  const finishReason = { unified: 'stop', raw: undefined }
  return {
    specificationVersion: 'v3',
    provider: 'example',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      let text = ''
      for await (const piece of answer(options)) text += piece
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] }
    },
    async doStream(options) {
      async function* parts() {
        yield { type: 'stream-start', warnings: [] }
        yield { type: 'text-start', id: '1' }
        try {
          for await (const delta of answer(options)) yield { type: 'text-delta', id: '1', delta }
          yield { type: 'text-end', id: '1' }
          yield { type: 'finish', finishReason, usage }
        } catch (error) {
          yield { type: 'error', error }
        }
      }
      return { stream: ReadableStream.from(parts()) }
    },
  }
}
