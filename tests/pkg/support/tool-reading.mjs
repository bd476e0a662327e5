// Reads chunks with each tool-call API of the package, and logs the result. It also
// checks the invariants of every stream: parts of the documented form, one text and
// one call open at a time, matching ids, no new empty deltas, one delta of a call per
// chunk, nothing after the end.
import assert from 'node:assert/strict'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseToolCalls, toolCallStream } from 'tokenweir/tool-calls'

const KEYS = {
  'text-start': ['type', 'id'],
  'text-delta': ['type', 'id', 'delta'],
  'text-end': ['type', 'id'],
  'reasoning-start': ['type', 'id'],
  'reasoning-delta': ['type', 'id', 'delta'],
  'reasoning-end': ['type', 'id'],
  'tool-input-start': ['type', 'id', 'toolName'],
  'tool-input-delta': ['type', 'id', 'delta'],
  'tool-input-end': ['type', 'id'],
  'tool-call': ['type', 'toolCallId', 'toolName', 'input'],
}

const FINISH = { type: 'finish', finishReason: 'stop', usage: {} }

/** Options of the parser that a protocol accepts too. */
const OF_PROTOCOL = ['toolInputDeltas', 'onMalformed', 'unknownTools', 'coerce', 'maxPending', 'generateId', 'reasoning', 'startWithThinking', 'fences']

export const PROTOCOLS = { hermes: hermesProtocol, morph: morphXmlProtocol }

const made = new WeakMap()

/** The protocol of a case. All its parsers have the same, as those of a middleware do. */
function protocolOf(given) {
  if (!made.has(given)) made.set(given, PROTOCOLS[given.name](given.own))
  return made.get(given)
}

/** Everything that is emitted for a text: parts, errors and repairs, in order. */
class Record {
  parts = []
  errors = []
  repairs = []
  #ids = 0

  /** `chunks` in the form of parts: empty ones may be emitted as empty parts. */
  constructor(options, chunks = []) {
    this.form = new Form(options.toolInputDeltas !== false, chunks.filter((chunk) => chunk === '').length)
    this.options = {
      ...options,
      generateId: (kind) => `${kind}-${(this.#ids += 1)}`,
      onError: (message, metadata) => this.errors.push({ message, ...metadata }),
      onRepair: (rules, call) => this.repairs.push({ rules: [...rules], ...call }),
    }
  }

  take(parts, isChunk = false) {
    for (const part of parts) {
      this.form.check(part)
      this.parts.push(part)
    }
    if (isChunk) this.form.endChunk()
  }

  end() {
    this.form.end()
    checkErrors(this.errors, this.parts)
    checkRepairs(this.repairs, this.parts)
    return this
  }
}

/** Throws unless a text is refused. This runs for each cut, where `assert.throws` takes longer than the parser. */
function assertFinished(parser) {
  try {
    parser.text('late')
  } catch (error) {
    return assert.equal(error.code, 'finished')
  }
  assert.fail('a text is read after the end')
}

/** With a parser, chunk for chunk. */
export function readParser(chunks, { protocol, tools, options = {}, Parser = ToolCallParser }) {
  const record = new Record(options)
  const parser = new Parser({ protocol: protocolOf(protocol), tools, options: record.options })
  for (const chunk of chunks) {
    const parts = parser.text(chunk)
    if (chunk === '' && parts.length > 0) assert.fail(`an empty chunk has parts: ${JSON.stringify(parts)}`)
    record.take(parts, true)
  }
  record.take(parser.finish())
  if (parser.finish().length > 0 || parser.write(FINISH).length > 0) assert.fail('there is more after the end')
  assertFinished(parser)
  return record.end()
}

/** With a parser that gets the parts of a model's stream, with blocks of text and a `finish`. */
export function readParts(chunks, { protocol, tools, options = {}, Parser = ToolCallParser }) {
  const record = new Record(options, chunks)
  const parser = new Parser({ protocol: protocolOf(protocol), tools, options: record.options })
  record.take(parser.write({ type: 'text-start', id: 'p' }))
  for (const delta of chunks) record.take(parser.write({ type: 'text-delta', id: 'p', delta }), true)
  record.take(parser.write({ type: 'text-end', id: 'p' }))
  const last = parser.write(FINISH)
  record.take(last.slice(0, -1))
  const hasCall = record.parts.some(({ type }) => type === 'tool-call')
  assert.deepEqual(last.at(-1), { ...FINISH, finishReason: hasCall ? 'tool-calls' : 'stop' })
  if (parser.finish().length > 0) assert.fail('there is more after the end')
  record.end()
  // An empty text of the source passes unchanged.
  if (chunks.join('') === '') record.parts = record.parts.filter(({ type }) => !type.startsWith('text-'))
  return record
}

/** Through the `TransformStream` of a protocol, with the options that the protocol accepts. */
export async function readProtocolStream(chunks, { protocol, tools, options = {} }) {
  const record = new Record(options, chunks)
  const own = Object.fromEntries(Object.entries(record.options).filter(([key]) => OF_PROTOCOL.includes(key)))
  const others = Object.fromEntries(Object.entries(record.options).filter(([key]) => !OF_PROTOCOL.includes(key)))
  const stream = PROTOCOLS[protocol.name]({ ...protocol.own, ...own }).createStreamParser({ tools, options: others })
  return pumped(record, chunks, stream)
}

/** Through `toolCallStream`. */
export async function readStream(chunks, { protocol, tools, options = {} }) {
  const record = new Record(options, chunks)
  return pumped(record, chunks, toolCallStream({ protocol: protocolOf(protocol), tools, options: record.options }))
}

async function pumped(record, chunks, stream) {
  const source = new ReadableStream({
    start(controller) {
      for (const delta of chunks) controller.enqueue({ type: 'text-delta', id: 'p', delta })
      // Without it the stream was cut off.
      controller.enqueue(FINISH)
      controller.close()
    },
  })
  // A stream doesn't show which parts belong to one chunk.
  for await (const part of source.pipeThrough(stream)) if (part.type !== FINISH.type) record.take([part], true)
  return record.end()
}

/** The result of `parseGeneratedText` for a whole text: content, errors and repairs. */
export function readGenerated(text, { protocol, tools, options = {} }) {
  const record = new Record(options)
  record.content = protocolOf(protocol).parseGeneratedText({ text, tools, options: record.options })
  return record
}

/** The result of `parseToolCalls` for a whole text. */
export function readWhole(text, { protocol, tools, options = {} }) {
  const record = new Record(options)
  record.content = parseToolCalls(text, { protocol: protocolOf(protocol), tools, options: record.options })
  return record
}

/** The original texts of the segments that are calls. */
export function readSegmentTexts(text, { protocol, tools }) {
  return protocolOf(protocol).extractToolCallSegments({ text, tools })
}

/** Whether an object has these keys, in this order. */
function hasKeys(object, keys) {
  let at = 0
  for (const key in object) if (key !== keys[at++]) return false
  return at === keys.length
}

/** The open parts, and the possible next ones. */
export class Form {
  /** `text` or `reasoning`, and its id. */
  #kind
  #text
  #call
  #ended
  #ids = new Set()
  #deltas = 0

  #empty

  /** The number of text deltas that may be empty. */
  constructor(hasDeltas, empty = 0) {
    this.hasDeltas = hasDeltas
    this.#empty = empty
  }

  check(part) {
    const fault = this.#fault(part)
    if (fault !== undefined) assert.fail(`${fault}: ${JSON.stringify(part)}`)
  }

  /** What is wrong with the next part. This runs for millions of them, so a text is made only of what is wrong. */
  #fault(part) {
    const { type } = part
    if (!Object.hasOwn(KEYS, type)) return 'a part of an unknown type'
    if (!hasKeys(part, KEYS[type])) return 'other keys, or in another order'
    const ended = this.#ended
    // The end of a call's arguments without the call: it failed.
    this.#ended = undefined
    switch (type) {
      case 'text-start':
      case 'reasoning-start':
        if (this.#isOpen()) return 'a start inside of something'
        this.#kind = type.slice(0, -6)
        this.#text = part.id
        return this.#newId(part.id)
      case 'text-delta':
      case 'reasoning-delta':
        if (this.#isOther(part, type.slice(0, -6))) return `a part of another text than ${this.#kind} ${this.#text}`
        if (typeof part.delta !== 'string') return 'a delta'
        return part.delta !== '' || (type === 'text-delta' && --this.#empty >= 0) ? undefined : 'an empty delta'
      case 'text-end':
      case 'reasoning-end':
        if (this.#isOther(part, type.slice(0, -4))) return `a part of another text than ${this.#kind} ${this.#text}`
        this.#text = undefined
        return
      case 'tool-call':
        if (this.#isOpen()) return 'a call inside of something'
        if (ended !== undefined && !(part.toolCallId === ended.id && part.toolName === ended.name)) return `another call than ${JSON.stringify(ended)}`
        if (typeof part.toolName !== 'string' || part.toolName === '' || typeof part.input !== 'string') return 'a call'
        return ended === undefined ? this.#newId(part.toolCallId) : undefined
    }
    if (!this.hasDeltas) return 'arguments that were not asked for'
    if (type === 'tool-input-start') {
      if (this.#isOpen()) return 'a start inside of something'
      if (typeof part.toolName !== 'string' || part.toolName === '') return 'the name'
      this.#call = { id: part.id, name: part.toolName }
      this.#deltas = 0
      return this.#newId(part.id)
    }
    if (this.#call === undefined || part.id !== this.#call.id) return `a part of another call than ${this.#call?.id}`
    if (type === 'tool-input-delta') {
      if (typeof part.delta !== 'string' || part.delta === '') return 'an empty delta'
      return (this.#deltas += 1) === 1 ? undefined : 'the second delta of a call in one chunk'
    }
    this.#ended = this.#call
    this.#call = undefined
  }

  #isOpen() {
    return this.#text !== undefined || this.#call !== undefined
  }

  #isOther({ id }, kind) {
    return this.#text === undefined || id !== this.#text || kind !== this.#kind
  }

  #newId(id) {
    if (typeof id !== 'string' || id === '' || this.#ids.has(id)) return 'an id that was there'
    this.#ids.add(id)
  }

  /** The next chunk may have another delta of the open call. */
  endChunk() {
    this.#deltas = 0
  }

  end() {
    if (this.#text !== undefined) assert.fail(`the ${this.#kind} ${this.#text} has no end`)
    if (this.#call !== undefined) assert.fail(`the call ${this.#call.id} has no end`)
  }
}

function checkErrors(errors, parts) {
  const started = new Map(parts.filter(({ type }) => type === 'tool-input-start').map(({ id, toolName }) => [id, toolName]))
  for (const error of errors) {
    const has = (condition, what) => condition || assert.fail(`${what}: ${JSON.stringify(error)}`)
    has(typeof error.message === 'string' && error.message !== '', 'an error without a message')
    has(typeof error.toolCall === 'string' && error.toolCall !== '', 'an error without a segment')
    const name = started.get(error.toolCallId)
    has(name === undefined || name === error.toolName, `an error of the call of ${name}`)
    const unknown = Object.keys(error).find((key) => !['message', 'toolCall', 'toolName', 'toolCallId', 'dropReason', 'error'].includes(key))
    has(unknown === undefined, `the key ${unknown}`)
  }
}

function checkRepairs(repairs, parts) {
  const calls = parts.filter(({ type }) => type === 'tool-call').map(({ toolCallId, toolName }) => `${toolCallId} ${toolName}`)
  for (const { rules, toolCallId, toolName, ...others } of repairs) {
    if (!calls.includes(`${toolCallId} ${toolName}`)) assert.fail(`repairs without a call: ${toolName}`)
    if (rules.length === 0 || new Set(rules).size !== rules.length) assert.fail(`repairs without rules, or with one twice: ${rules}`)
    assert.deepEqual(others, {})
  }
}

const word = (name) => (/^[\p{L}\p{N}_.:-]+$/u.test(name) ? name : JSON.stringify(name))

/** Parts as lines, deltas joined: the form of tests/cases/tool_call. */
export function renderParts(parts, hasDeltas = true) {
  const lines = []
  let text
  let call
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') text = ''
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta') text += part.delta
    else if (part.type === 'text-end' || part.type === 'reasoning-end') lines.push(`${part.type.slice(0, -4)} ${JSON.stringify(text)}`)
    else if (part.type === 'tool-input-start') call = { name: part.toolName, input: '', at: lines.push(`start ${word(part.toolName)}`) - 1 }
    else if (part.type === 'tool-input-delta') call.input += part.delta
    else if (part.type === 'tool-input-end') {
      if (call.input !== '') lines.push(`delta ${JSON.stringify(call.input)}`)
      lines.push('end')
    } else {
      const wasStreamed = call !== undefined && lines.at(-1) === 'end' && call.input === part.input
      if (wasStreamed) lines.splice(call.at)
      const front = `${!hasDeltas ? 'bare' : wasStreamed ? 'call' : 'invalid'} ${word(part.toolName)}`
      lines.push(`${front} ${wasStreamed ? part.input : JSON.stringify(part.input)}`)
      call = undefined
    }
  }
  return lines.join('\n')
}

/** Content of a whole text as the same lines. */
export function renderContent(content) {
  return content.map((each) => (each.type !== 'tool-call' ? `${each.type} ${JSON.stringify(each.text)}` : `bare ${word(each.toolName)} ${JSON.stringify(each.input)}`)).join('\n')
}

/** Lines of a case without streamed arguments, as with `toolInputDeltas: false` and for whole texts; adjacent text is joined. */
export function withoutDeltas(expected) {
  const lines = []
  for (const line of expected.split('\n')) {
    const [kind] = line.split(' ', 1)
    if (kind === 'start' || kind === 'delta' || kind === 'end' || kind === '') continue
    const [, name, given] = /^(?:call|invalid) ("(?:[^"\\]|\\.)*"|\S+) (.*)$/s.exec(line) ?? []
    if (kind === 'call') lines.push(`bare ${name} ${JSON.stringify(given)}`)
    else if (kind === 'invalid') lines.push(`bare ${name} ${given}`)
    else if (kind === 'text' && lines.at(-1)?.startsWith('text ')) lines.push(`text ${JSON.stringify(JSON.parse(lines.pop().slice(5)) + JSON.parse(line.slice(5)))}`)
    else lines.push(line)
  }
  return lines.join('\n')
}

/** Errors in the form of the cases: reason, tool and segment. */
export function renderErrors(errors) {
  return errors.map(({ dropReason, toolName, toolCall }) => `${dropReason} ${toolName === undefined ? '-' : word(toolName)} ${JSON.stringify(toolCall)}`).join('\n')
}

/** Repairs in the form of the cases: a line per repaired call, with the rules in alphabetical order. */
export function renderRepairs(repairs) {
  return repairs.map(({ rules, toolName }) => `${word(toolName)}: ${[...rules].sort().join(' ')}`).join('\n')
}

/** Throws unless the texts of the content and the segments of its calls join to the text, in order. */
export function assertTiled(text, content, segments) {
  let at = 0
  let next = 0
  const isNext = () => next < segments.length && text.startsWith(segments[next], at)
  for (const each of content) {
    if (each.type === 'text') {
      if (!text.startsWith(each.text, at)) assert.fail(`at ${at} is ${JSON.stringify(text.slice(at, at + 40))}, not ${JSON.stringify(each.text)}`)
      at += each.text.length
    } else if (isNext()) {
      at += segments[next].length
      next += 1
    } else if (next === 0 || !text.startsWith(segments[next - 1], at - segments[next - 1].length)) assert.fail(`no segment of the call of ${each.toolName}`)
  }
  if (at !== text.length || next !== segments.length) assert.fail(`texts and segments end at ${at} of ${text.length}, ${next} segments of ${segments.length}`)
}
