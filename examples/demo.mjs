// A recorded stream, read as XML and as native events.
//
//     node examples/demo.mjs [--stream anthropic-tools] [--chunk 4]
//
// First the recording as prefill XML through BlockParser, in small chunks:
// visible text appears as it arrives, everything else is marked. Then the
// recording's native events through NativeBlocks. Both must give the same blocks;
// otherwise the exit code is 1.
import { isDeepStrictEqual, parseArgs, styleText } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { BlockParser } from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir'
import { eventsOf, idsOf, methodOf, names, xmlOf } from './streams/recordings.mjs'

const { stream, chunk } = options()
// A pace that people can follow, if the output is a terminal.
const pace = process.stdout.isTTY && !process.env.CI ? 12 : 0
const ids = idsOf(stream)

heading(`${stream}: prefill XML through BlockParser, ${chunk} characters at a time`)
const xml = collector()
const screen = live()
const parser = new BlockParser({
  onChunk(text, meta) {
    xml.callbacks.onChunk(text)
    screen.onChunk(text, meta)
  },
  onBlock(event) {
    xml.callbacks.onBlock(event)
    screen.onBlock(event)
  },
  generateId: handOut(ids),
})
const text = xmlOf(stream)
for (let at = 0; at < text.length; at += chunk) {
  parser.processChunk(text.slice(at, at + chunk))
  if (pace > 0) await wait(pace)
}
parser.flush()
screen.end()

heading(`${stream}: the recorded events through NativeBlocks.${methodOf(stream)}`)
const native = collector()
const blocks = new NativeBlocks({ ...native.callbacks, generateId: handOut(ids) })
for (const event of eventsOf(stream)) blocks[methodOf(stream)](event)
blocks.flush()
for (const block of native.blocks) console.log(summary(block))

heading('Summary')
row('road', 'blocks', 'types', 'characters', 'chunks')
for (const [road, seen] of [['XML', xml], ['native', native]]) {
  row(road, seen.blocks.length, [...new Set(seen.blocks.map(({ type }) => type))].join(' '), seen.count.characters, seen.count.chunks)
}
if (xml.count.characters !== native.count.characters) console.log('\nThe characters differ by the white space that the provider puts in its JSON.')
const same = xml.blocks.length > 0 && isDeepStrictEqual(xml.blocks, native.blocks)
console.log(same ? paint('green', '\nBoth roads gave the same blocks.') : paint('red', '\nThe two roads gave different blocks.'))
if (!same) {
  console.log({ xml: xml.blocks, native: native.blocks })
  process.exitCode = 1
}

function options() {
  const { values } = parseArgs({ options: { stream: { type: 'string', default: 'anthropic-tools' }, chunk: { type: 'string', default: '4' } } })
  const size = Number(values.chunk)
  if (!names.includes(values.stream)) stop(`There is no recording "${values.stream}". There are: ${names.join(', ')}.`)
  if (!Number.isInteger(size) || size < 1) stop(`--chunk takes a number of characters from 1, but got "${values.chunk}".`)
  return { stream: values.stream, chunk: size }
}

function stop(message) {
  console.error(message)
  process.exit(2)
}

/** Callbacks that keep the blocks and count the rest. */
function collector() {
  const blocks = []
  const count = { chunks: 0, characters: 0 }
  return {
    blocks,
    count,
    callbacks: {
      onChunk(text) {
        count.chunks += 1
        count.characters += text.length
      },
      onBlock({ event, block }) {
        if (event === 'block_complete') blocks.push(block)
      },
    },
  }
}

/** Callbacks that write visible text immediately, and hidden text dimmed, in brackets. */
function live() {
  let isLineOpen = false
  const write = (text) => {
    process.stdout.write(text)
    isLineOpen = !text.endsWith('\n')
  }
  return {
    onChunk(text, { visible, toolCallPart }) {
      if (visible) write(text)
      else if (toolCallPart !== 'id') write(paint('dim', toolCallPart === 'name' ? `${text} ` : text))
    },
    onBlock({ event, block: { type } }) {
      if (type === 'text') return
      if (event === 'block_start' && isLineOpen) write('\n')
      write(event === 'block_start' ? paint('dim', `[${type} `) : `${paint('dim', ']')}\n`)
    },
    end() {
      if (isLineOpen) write('\n')
    },
  }
}

function summary({ type, content, toolName, input }) {
  const text = content ?? `${toolName} ${JSON.stringify(input)}`
  const short = text.length > 76 ? `${text.slice(0, 75)}…` : text
  const line = short.replaceAll('\n', ' ')
  return type === 'text' ? line : paint('dim', `[${type} ${line}]`)
}

/** The recording's ids, in order. */
function handOut(list) {
  let next = 0
  return () => list[next++]
}

function heading(title) {
  console.log(`\n${paint('bold', title)}\n`)
}

function row(road, blocks, types, characters, chunks) {
  console.log(`${String(road).padEnd(8)}${String(blocks).padStart(6)}  ${String(types).padEnd(34)}${String(characters).padStart(10)}${String(chunks).padStart(8)}`)
}

/** Colours only in a terminal. */
function paint(style, text) {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text
}
