// Files in a terminal while a model writes them, with the AI SDK: what goes is red,
// what comes is green, and you are asked as soon as the path is there.
//
//     node examples/edits.mjs [--chunk 4]     asks at each file
//     node examples/edits.mjs --yes           or --no
//
// The replies are recorded; `model` takes a model of any provider. Without a terminal
// and without a flag nothing is changed. The last call is cut off in its path: it never
// runs, whatever was shown of it.
import { env, exit, stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs, styleText } from 'node:util'
import { simulateReadableStream, stepCountIs, streamText, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { EditCalls } from 'tokenweir/edits'
import { z } from 'zod'

const { values } = parseArgs({ options: { yes: { type: 'boolean' }, no: { type: 'boolean' }, chunk: { type: 'string', default: '4' } } })
const size = Number(values.chunk)
if (!Number.isInteger(size) || size < 1) {
  console.error(`--chunk takes a whole number from 1, but got "${values.chunk}".`)
  exit(2)
}
const isScreen = stdout.isTTY && !env.CI
const hasColours = Boolean(env.FORCE_COLOR) || (stdout.isTTY && !env.NO_COLOR)

const files = new Map([['greet.py', 'def greet(name):\n    return "Helo " + name\n']])

const tools = {
  write_file: changing(z.object({ path: z.string(), content: z.string() }), ({ content }) => content),
  edit_file: changing(z.object({ path: z.string(), edits: z.array(z.object({ old_string: z.string(), new_string: z.string() })) }), ({ path, edits }) =>
    edits.reduce((text, { old_string: old, new_string: now }) => {
      if (text.split(old).length !== 2) throw new Error(`${path} doesn't have this text once: ${old}`)
      return text.replace(old, () => now)
    }, files.get(path) ?? ''),
  ),
}

/** What lines begin with, and their colours. */
const SIDES = { old: { sign: '- ', style: 'red' }, new: { sign: '+ ', style: 'green' }, both: { sign: '  ' } }
const approvals = new Map()
/** What the open line begins with. */
let open

const edits = new EditCalls({ tools: Object.keys(tools) })
const { fullStream } = streamText({ model: recordedModel(), prompt: 'Correct the greeting, and write how to use it.', tools, stopWhen: stepCountIs(2), onError() {} })
for await (const part of fullStream) {
  for (const event of edits.part(part)) {
    if (event.type === 'file') {
      line(event.path, 'bold')
      approvalOf(event.callId).give((await mayChange(event.path)) ? event.path : undefined)
    } else if (event.type === 'delta') {
      write(SIDES[event.side], event.delta)
    } else if (event.type === 'hunk-done') {
      end()
    } else if (event.type === 'malformed') {
      line(`✗ ${event.toolName}: ${event.message}`, 'red')
      approvalOf(event.callId).give(undefined)
    }
  }
  if (part.type === 'text-delta') write(SIDES.both, part.text)
  if (part.type === 'tool-result') line(`→ ${part.output}`)
  // Of a call that the SDK refuses, the edits have said it.
  if (part.type === 'tool-error' && !part.dynamic) line(`✗ ${part.toolName}: ${part.error.message}`, 'red')
}
for (const [path, text] of files) line(`\n${path}\n${text.trimEnd().replaceAll(/^/gm, '  ')}`)

/** A tool that changes a file. It runs when its call is whole, and its path was approved. */
function changing(inputSchema, textOf) {
  return tool({
    inputSchema,
    async execute(input, { toolCallId }) {
      if ((await approvalOf(toolCallId).path) !== input.path) return `${input.path} stays as it was`
      files.set(input.path, textOf(input))
      return `${input.path} is written`
    },
  })
}

/** The path that a call may change: given by you, and waited for by the SDK, in any order. */
function approvalOf(id) {
  if (!approvals.has(id)) {
    let give
    const path = new Promise((resolve) => (give = resolve))
    approvals.set(id, { path, give })
  }
  return approvals.get(id)
}

async function mayChange(path) {
  if (values.no || values.yes) return !values.no
  if (!stdin.isTTY) return false
  const questions = createInterface({ input: stdin, output: stdout })
  const reply = await questions.question(`? May ${plain(path)} be changed? [y/N] `)
  questions.close()
  return /^y(es)?$/i.test(reply.trim())
}

/** Writes a piece of text; its lines begin with a sign, and another sign begins a line. */
function write({ sign, style }, text) {
  if (open !== sign) end()
  for (const piece of plain(text).split(/(\n)/).filter(Boolean)) {
    const isBreak = piece === '\n'
    if (open === undefined) stdout.write(isBreak ? sign.trimEnd() : sign)
    stdout.write(style && hasColours && !isBreak ? styleText(style, piece) : piece)
    open = isBreak ? undefined : sign
  }
}

/** Ends the line, if one is open. */
function end() {
  if (open !== undefined) stdout.write('\n')
  open = undefined
}

function line(text, style) {
  end()
  write({ sign: '', style }, `${text}\n`)
}

/** A model's text must not control the terminal. */
function plain(text) {
  return String(text).replace(/[^\P{Cc}\t\n]/gu, '�')
}

/** Two replies, the second one cut off by its limit. */
function recordedModel() {
  const edit = { path: 'greet.py', edits: [{ old_string: '"Helo "', new_string: '"Hello, "' }] }
  const file = { path: 'USAGE.md', content: '# Usage\n\n    python3 -c "import greet; print(greet.greet(\'Zoë\'))"\n' }
  const replies = [
    { text: 'I correct it.', calls: [['edit_file', JSON.stringify(edit)], ['write_file', JSON.stringify(file)]], reason: 'tool-calls' },
    { text: 'One more thing:', calls: [['write_file', '{"path": "/etc/pass']], reason: 'length' },
  ]
  return new MockLanguageModelV3({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: [...partsOf(replies.shift())], initialDelayInMs: null, chunkDelayInMs: isScreen ? 15 : null }) }),
  })
}

/** A reply as a provider streams it. */
function* partsOf({ text, calls, reason }) {
  yield { type: 'text-start', id: '1' }
  yield { type: 'text-delta', id: '1', delta: text }
  yield { type: 'text-end', id: '1' }
  for (const [index, [toolName, input]] of calls.entries()) {
    const id = `call_${reason}_${index}`
    yield { type: 'tool-input-start', id, toolName }
    for (let at = 0; at < input.length; at += size) yield { type: 'tool-input-delta', id, delta: input.slice(at, at + size) }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName, input }
  }
  yield { type: 'finish', finishReason: { unified: reason, raw: undefined }, usage: { inputTokens: {}, outputTokens: {} } }
}
