// Reads chunks with a parser and logs its output: a log, whose entries
// are the block events as they are, `{ chunk, meta }` and `{ markup, span }`.
import assert from 'node:assert/strict'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'

/** Callbacks that write everything down. */
export function recorder() {
  const log = []
  return {
    log,
    onChunk: (chunk, meta) => log.push({ chunk, meta }),
    onBlock: (event) => log.push(event),
    onMarkup: (markup, { span }) => log.push({ markup, span }),
  }
}

/** The same log, from what was returned. */
export function logOf(emissions) {
  return emissions.map((emission) => {
    if (emission.kind === 'content') return { chunk: emission.text, meta: emission.meta }
    return emission.kind === 'blockEvent' ? emission.event : { markup: emission.text, span: emission.span }
  })
}

/** Hands out id_0, id_1 and so on. */
export function counter() {
  let next = 0
  return () => `id_${next++}`
}

/** The output of a `BlockParser` for a stream; its return values must agree. */
export function read(chunks, options = {}, Parser = BlockParser) {
  const { log, ...callbacks } = recorder()
  const parser = new Parser({ ...callbacks, generateId: counter(), ...options })
  let emitted = 0
  const check = ({ emissions }) => {
    for (const emission of emissions) {
      const entry = log[emitted++]
      const isSame =
        emission.kind === 'content' ? emission.text === entry?.chunk && emission.meta === entry.meta
        : emission.kind === 'blockEvent' ? emission.event === entry
        : emission.text === entry?.markup && emission.span === entry.span
      if (!isSame) assert.fail(`callback and emission ${emitted - 1} differ: ${JSON.stringify(entry)} and ${JSON.stringify(emission)}`)
    }
    assert.equal(log.length, emitted, 'callbacks and emissions are as many')
  }
  for (const chunk of chunks) check(parser.processChunk(chunk))
  check(parser.flush())
  return log
}

/** The output of an `IncrementalXmlParser` for a stream; its three lists must agree. */
export function readElements(chunks, Parser = IncrementalXmlParser) {
  const parser = new Parser()
  const log = []
  const take = ({ emissions, content, blockEvents }) => {
    let contents = 0
    let events = 0
    for (const emission of emissions) {
      if (emission.kind === 'content') {
        const entry = content[contents++]
        assert.ok(entry?.text === emission.text && entry.meta === emission.meta, 'content has what emissions has')
        log.push({ chunk: emission.text, meta: emission.meta })
      } else {
        assert.equal(blockEvents[events++], emission.event, 'blockEvents has what emissions has')
        log.push(emission.event)
      }
    }
    assert.deepEqual([contents, events], [content.length, blockEvents.length], 'the lists have no more than emissions')
  }
  for (const chunk of chunks) take(parser.processChunk(chunk))
  take(parser.flush())
  return log
}

/** A log with adjacent chunks of the same part joined, and without markup: which must not depend on the cuts. */
export function joined(log) {
  const entries = []
  for (const entry of log) {
    if (entry.markup !== undefined) continue
    const last = entries.at(-1)
    if (entry.chunk !== undefined && last?.chunk !== undefined && last.meta.toolCallPart === entry.meta.toolCallPart) {
      last.chunk += entry.chunk
      // It is on the last chunk of a call, wherever that begins.
      if (entry.meta.incomplete) last.meta = { ...last.meta, incomplete: true }
    } else entries.push(entry.chunk === undefined ? entry : { chunk: entry.chunk, meta: entry.meta })
  }
  return entries
}

/** The text that a reader sees. */
export function visibleOf(log) {
  let text = ''
  for (const { chunk, meta } of log) if (meta?.visible) text += chunk
  return text
}

/** The completed blocks. */
export function blocksOf(log) {
  // Without their places, which render.mjs checks.
  return log.filter(({ event }) => event === 'block_complete').map(({ block: { span, contentSpan, ...block } }) => block)
}

// The entries of a log that stand for a complete block.

export const start = (index, type) => ({ event: 'block_start', index, block: { type } })
export const complete = (index, block) => ({ event: 'block_complete', index, block })

/** A complete block of text, thinking or a result. */
export function plain(index, type, content, more = {}) {
  const { toolId, hosted } = more
  const meta = { type, visible: type === 'text', blockIndex: index, ...(toolId !== undefined && { toolId }), ...(hosted && { hosted }) }
  return [start(index, type), ...(content === '' ? [] : [{ chunk: content, meta }]), complete(index, { type, content, ...more })]
}

/** A complete tool call. */
export function call(index, toolName, toolId, json, more = {}) {
  const meta = { type: 'tool_call', visible: false, blockIndex: index, depth: 1, toolName, ...(more.hosted && { hosted: true }) }
  return [
    start(index, 'tool_call'),
    { chunk: toolName, meta: { ...meta, toolCallPart: 'name' } },
    { chunk: toolId, meta: { ...meta, toolCallPart: 'id', toolId } },
    { chunk: json, meta: { ...meta, toolCallPart: 'input', toolId, ...(more.incomplete && { incomplete: true }) } },
    complete(index, { type: 'tool_call', toolId, toolName, input: JSON.parse(json), ...more }),
  ]
}
