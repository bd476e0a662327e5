// A coding agent's answer in a terminal while the model writes: a file grows line
// by line under its path, and a command waits for your approval.
//
//     node examples/segments.mjs [answer.txt] [--into folder] [--chunk 5]     asks at each file and command
//     node examples/segments.mjs --yes                                        or --no
//
// Approved calls are executed, in a new temporary folder unless `--into` names one.
// Without a terminal and without a flag, nothing is executed. A tool is called when
// the model has closed it: the recorded answer ends in the middle of `rm -rf`, so
// the program never asks about that command.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { env, stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import { StreamingResponseHandler } from 'tokenweir/segments'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { yes: { type: 'boolean' }, no: { type: 'boolean' }, into: { type: 'string' }, chunk: { type: 'string', default: '5' } } })
const size = Number(values.chunk)
if (!Number.isInteger(size) || size < 1) stop(`--chunk takes a whole number from 1, but got "${values.chunk}".`)
const answer = read(positionals[0] ?? new URL('./streams/agent-turn.txt', import.meta.url))
const hasColours = Boolean(env.FORCE_COLOR) || (stdout.isTTY && !env.NO_COLOR)
let folder = values.into

/** The tools, and how to call them. */
const TOOLS = {
  write_file({ path, content }) {
    const inside = relative(workspace(), resolve(workspace(), path))
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${path} is outside the folder`)
    mkdirSync(join(workspace(), dirname(inside)), { recursive: true })
    writeFileSync(join(workspace(), inside), content)
    return `wrote ${inside}\n`
  },
  run_bash({ command }) {
    const { status, stdout: text, stderr, error } = spawnSync('sh', ['-c', command], { cwd: workspace(), encoding: 'utf8', timeout: 60_000 })
    if (error) throw error
    return `${text}${stderr}${status === 0 ? '' : `ended with code ${status}\n`}`
  },
}
/** With a schema, `3` is a number. */
const schemas = { search_notes: { properties: { limit: { type: 'integer' }, folders: { items: { type: 'string' } } } } }

const out = writer()
const count = { done: 0, refused: 0, broken: 0 }
/** Events that are not shown yet: the answer waits while you are asked. */
const happened = []
const kinds = new Map()

const handler = new StreamingResponseHandler({
  config: { strategy: 'xml' },
  schemas,
  onSegmentEvent: (event) => happened.push(() => show(event)),
  onToolInvocation: (call) => happened.push(() => decide(call)),
  onError: ({ code, message }) => happened.push(() => fail(`not called: ${message} (${code})`)),
})

for (let at = 0; at < answer.length; at += size) {
  handler.feed(answer.slice(at, at + size))
  await catchUp()
  // A pace that people can follow, if the output is a terminal.
  if (stdout.isTTY && !env.CI) await wait(15)
}
handler.finalize()
await catchUp()
out.line('', `\n${count.done} done, ${count.refused} refused, ${count.broken} not called${folder ? `; in ${folder}` : ''}`)

async function catchUp() {
  for (const act of happened.splice(0)) await act()
}

function show({ type, segment_type: kind, segment_id: id, payload: { delta, metadata } }) {
  if (type === 'SEGMENT_START') {
    kinds.set(id, kind)
    if (kind !== 'text') out.end()
    if (metadata?.path !== undefined) out.line('  ┌ ', plain(metadata.path), 'bold')
    return
  }
  const segment = kinds.get(id)
  if (type === 'SEGMENT_END') return segment === 'text' ? undefined : out.end()
  // The XML of any other tool's arguments is not worth showing.
  if (segment !== 'tool_call') out.write({ text: '', run_bash: '  $ ' }[segment] ?? '  │ ', plain(delta), segment === 'text' ? undefined : 'cyan')
}

/** Asks about a call, and executes it if it is approved. */
async function decide({ name, arguments: given }) {
  const tool = TOOLS[name]
  if (tool === undefined) return out.line('  → ', plain(`${name} ${JSON.stringify(given)}`), 'magenta')
  if (!(await mayRun(name))) {
    count.refused += 1
    return out.line('  ✗ ', `${name}: refused`, 'yellow')
  }
  try {
    const result = tool(given)
    count.done += 1
    out.write('  → ', plain(result), 'green')
  } catch (error) {
    fail(`${name}: ${error.message}`)
  }
  out.end()
}

function fail(sentence) {
  count.broken += 1
  out.line('  ✗ ', plain(sentence), 'red')
}

async function mayRun(name) {
  if (values.no || values.yes) return !values.no
  if (!stdin.isTTY) return false
  const questions = createInterface({ input: stdin, output: stdout })
  const reply = await questions.question(`  ? ${name}: do it? [y/N] `)
  questions.close()
  return /^y(es)?$/i.test(reply.trim())
}

function workspace() {
  return (folder ??= mkdtempSync(join(tmpdir(), 'tokenweir-segments-')))
}

/** Writes pieces of text, with a prefix on each line. */
function writer() {
  let isOpen = false
  let blanks = 0
  const put = (text, style) => stdout.write(style && hasColours ? styleText(style, text) : text)
  return {
    write(gutter, text, style) {
      for (const piece of text.split(/(\n)/).filter(Boolean)) {
        const isBreak = piece === '\n'
        blanks = isBreak && !isOpen ? blanks + 1 : 0
        // Models leave more empty lines between tools than a screen needs.
        if (blanks > 1 && gutter === '') continue
        if (!isOpen) put(isBreak ? gutter.trimEnd() : gutter)
        put(piece, isBreak ? undefined : style)
        isOpen = !isBreak
      }
    },
    end() {
      if (isOpen) put('\n')
      isOpen = false
    },
    line(gutter, text, style) {
      this.end()
      this.write(gutter, `${text}\n`, style)
    },
  }
}

/** A model's text must not control the terminal. */
function plain(text) {
  return text.replace(/[^\P{Cc}\t\n]/gu, '�')
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return stop(`${file} can't be read (${error.code}).`)
  }
}

function stop(sentence) {
  console.error(sentence)
  process.exit(2)
}
