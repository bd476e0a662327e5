// Reads chunks by a parser of segments and by a handler, and writes down what
// they emitted. What every log must keep to is checked on the way: events of the
// documented form, one segment open at a time, ids that count, no empty delta,
// nothing after the end.
import assert from 'node:assert/strict'
import { StreamingParser, StreamingResponseHandler } from 'tokenweir/segments'

const KEYS = {
  SEGMENT_START: ['type', 'segment_id', 'segment_type', 'payload'],
  SEGMENT_CONTENT: ['type', 'segment_id', 'payload'],
  SEGMENT_END: ['type', 'segment_id', 'payload'],
  MARKUP: ['type', 'segment_id', 'payload'],
}
const KEYS_WITH_SPAN = Object.fromEntries(Object.entries(KEYS).map(([type, keys]) => [type, [...keys, 'span']]))
/** What an end may say, and the values that it may have. */
const isText = (value) => typeof value === 'string' && value !== ''
const END_KEYS = { incomplete: (value) => value === true, missing: isText, arguments: isText, error: isText }
const [DELTA, METADATA] = [['delta'], ['metadata']]
const TYPES = ['text', 'tool_call', 'write_file', 'patch_file', 'edit_file', 'run_bash', 'reasoning']

/** Whether an object has these keys, in this order. */
function hasKeys(object, keys) {
  let at = 0
  for (const key in object) if (key !== keys[at++]) return false
  return at === keys.length
}

/** All events and errors of a stream that a parser was fed with. */
export function readSegments(chunks, { config = {}, Parser = StreamingParser } = {}) {
  const errors = []
  const parser = new Parser({ ...config, onError: (error) => void errors.push(error) })
  const form = new Form(config)
  const log = []
  const take = (events) => {
    for (const event of events) {
      form.check(event)
      log.push(event)
    }
    if (parser.currentSegmentId !== form.openId) assert.fail(`the current segment is ${form.openId}, not ${parser.currentSegmentId}`)
    if (parser.currentSegmentType !== form.openType) assert.fail(`the current segment is a ${form.openType}, not a ${parser.currentSegmentType}`)
  }
  for (const chunk of chunks) {
    const events = parser.feed(chunk)
    if (chunk === '' && events.length > 0) assert.fail('an empty chunk has events')
    take(events)
  }
  take(parser.finalize())
  form.end()
  if (!parser.isFinalized || parser.finalize().length > 0) assert.fail('the parser is not finalized')
  checkErrors(errors, chunks.join(''), log)
  return { log, errors }
}

/** All events, errors and invocations of a stream that a handler was fed with. */
export function handleSegments(chunks, { config = {}, Handler = StreamingResponseHandler } = {}) {
  const [emitted, log, errors, invocations, repairs] = [[], [], [], [], []]
  const form = new Form(config)
  const handler = new Handler({
    config,
    onSegmentEvent: (event) => void emitted.push(event),
    onToolInvocation: (invocation) => {
      checkInvocation(invocation, emitted.at(-1), invocations)
      invocations.push(invocation)
    },
    onError: (error) => void errors.push(error),
    onRepair: (names) => void repairs.push(...names),
  })
  const take = (events) => {
    for (const event of events) {
      form.check(event)
      log.push(event)
    }
  }
  for (const chunk of chunks) take(handler.feed(chunk))
  take(handler.finalize())
  form.end()
  checkErrors(errors, chunks.join(''), log)
  checkKept('events', log, emitted, handler.getAllEvents())
  checkKept('invocations', invocations, handler.getAllInvocations())
  return { log, errors, invocations, repairs }
}

/** What is open, and what may come next. */
class Form {
  openId = null
  openType = null
  #count = 0

  constructor({ spans = false, segmentIdPrefix = '' }) {
    this.spans = spans
    this.prefix = segmentIdPrefix
  }

  check(event) {
    const fault = this.#fault(event)
    if (fault !== undefined) assert.fail(`${fault}: ${JSON.stringify(event)}`)
  }

  /** What is wrong with the next event. This runs for millions of them, so a text is made only of what is wrong. */
  #fault(event) {
    const { type, segment_id: id, segment_type: segmentType, payload, span } = event
    if (!Object.hasOwn(KEYS, type)) return 'an event of an unknown type'
    if (!hasKeys(event, (this.spans ? KEYS_WITH_SPAN : KEYS)[type])) return 'other keys, or in another order'
    if (this.spans && !(span.length === 2 && Number.isInteger(span[0]) && Number.isInteger(span[1]) && 0 <= span[0] && span[0] <= span[1])) return 'the span'
    if (type === 'MARKUP') return this.spans && hasKeys(payload, DELTA) && payload.delta.length === span[1] - span[0] && payload.delta !== '' ? undefined : 'markup'
    if (type === 'SEGMENT_START') {
      if (this.openId !== null) return `a start in ${this.openId}`
      if (id !== `${this.prefix}seg_${++this.#count}`) return `the id should be ${this.prefix}seg_${this.#count}`
      if (!TYPES.includes(segmentType)) return 'the type of a segment'
      if (!hasKeys(payload, []) && !(hasKeys(payload, METADATA) && Object.keys(payload.metadata).length > 0)) return 'the payload'
      this.openId = id
      this.openType = segmentType
    } else {
      if (this.openId === null || id !== this.openId) return `an event of another segment than ${this.openId}`
      if (type === 'SEGMENT_END') {
        for (const key of Object.keys(payload)) if (!Object.hasOwn(END_KEYS, key) || !END_KEYS[key](payload[key])) return 'the payload'
        this.openId = this.openType = null
      } else if (!hasKeys(payload, DELTA) || typeof payload.delta !== 'string' || payload.delta === '') return 'the payload'
    }
    return this.spans && type !== 'SEGMENT_CONTENT' && span[0] !== span[1] ? 'a span that should be empty' : undefined
  }

  end() {
    if (this.openId !== null) assert.fail(`${this.openId} has no end`)
  }
}

function checkErrors(errors, text, log) {
  const ids = new Set(log.map(({ segment_id: id }) => id))
  for (const error of errors) {
    const has = (condition, what) => condition || assert.fail(`${what}: ${JSON.stringify(error)}`)
    has(`${Object.keys(error)}` === 'code,message,span,raw,segmentId', 'the keys of an error')
    has(typeof error.message === 'string' && error.message !== '', 'an error without a message')
    has(error.raw === text.slice(...error.span), 'an error whose raw text is not at its span')
    has(error.segmentId === null || ids.has(error.segmentId), 'an error of an unknown segment')
  }
}

function checkInvocation(invocation, last, before) {
  const has = (condition, what) => condition || assert.fail(`${what}: ${JSON.stringify(invocation)}`)
  has(`${Object.keys(invocation)}` === 'id,name,arguments', 'the keys of an invocation')
  has(last?.type === 'SEGMENT_END', 'an invocation before the end of its segment')
  const nth = before.filter(({ id }) => id.split('.')[0] === last.segment_id).length
  has(nth === 0 || before.at(-1).id.split('.')[0] === last.segment_id, 'an invocation of an earlier segment')
  const number = /\.(\d+)$/.exec(invocation.id)
  has(invocation.id === `${last.segment_id}${number === null ? '' : number[0]}`, `the id of ${last.segment_id}`)
  has(!before.some(({ id }) => id === invocation.id), 'an id that was there before')
}

/** The returned, emitted and stored objects are the same. */
function checkKept(what, first, ...others) {
  for (const other of others) {
    if (other.length !== first.length || other.some((each, at) => each !== first[at])) assert.fail(`the ${what} that are emitted, returned and kept are not the same`)
  }
}

/** Events with adjacent pieces of a segment joined: which must not depend on the cuts. */
export function joinedSegments(events) {
  const all = []
  for (const event of events) {
    const last = all.at(-1)
    const isMore = event.payload.delta !== undefined && last?.payload.delta !== undefined && last.type === event.type && last.segment_id === event.segment_id
    if (isMore) all[all.length - 1] = { ...last, payload: { delta: last.payload.delta + event.payload.delta } }
    else all.push(event)
  }
  return all
}

/** Events as lines, contents joined: the form of tests/cases/segment. */
export function renderSegments(log) {
  const lines = []
  let content
  for (const { type, segment_type: segmentType, payload, span } of log) {
    if (type === 'SEGMENT_CONTENT') {
      content ??= { text: '', from: span?.[0] }
      content.text += payload.delta
      content.to = span?.[1]
      continue
    }
    if (type === 'MARKUP') continue
    if (content !== undefined) lines.push(`content ${JSON.stringify(content.text)}${content.from === undefined ? '' : ` ${content.from}..${content.to}`}`)
    content = undefined
    lines.push(type === 'SEGMENT_END' ? `end${Object.keys(payload).length === 0 ? '' : ` ${JSON.stringify(payload)}`}` : `start ${segmentType}${payload.metadata === undefined ? '' : ` ${JSON.stringify(payload.metadata)}`}`)
  }
  return lines.join('\n')
}

/** Errors as the cases write them. */
export function renderErrors(errors) {
  return errors.map(({ code, span }) => `${code} ${span[0]}..${span[1]}`)
}

/** Events as AutoByteus' are recorded: text without metadata after text is part of it. */
export function recordedSegments(log) {
  const lines = []
  let type
  for (const { type: what, segment_type: segmentType, payload } of log) {
    if (what === 'SEGMENT_START') {
      const metadata = payload.metadata ?? {}
      if (type === 'text' && segmentType === 'text' && Object.keys(metadata).length === 0) lines.pop()
      else lines.push(['start', segmentType, metadata])
      type = segmentType
    } else if (what === 'SEGMENT_END') lines.push(['end'])
    else if (what === 'SEGMENT_CONTENT') {
      if (lines.at(-1)[0] === 'content') lines.at(-1)[1] += payload.delta
      else lines.push(['content', payload.delta])
    }
  }
  return lines
}

/** What AutoByteus leaves out: attributes of the legacy tags, as its recorder writes them, and all but these arguments. */
const LEFT_OUT = ['mode', 'lang']
const NAMED = { write_file: ['path', 'content'], patch_file: ['path', 'patch'], edit_file: ['path', 'patch'], run_bash: ['command', 'background', 'timeout_seconds'] }

/** Events and invocations without the arguments that AutoByteus, in `theirs`, leaves out. */
export function withoutOtherArguments([events, invocations], [theirs]) {
  const bare = (metadata, keeps) => Object.fromEntries(Object.entries(metadata).filter(([name]) => keeps(name)))
  return [
    events.map((line, at) => (line[0] === 'start' && line[1] === 'write_file' ? ['start', line[1], bare(line[2], (name) => !LEFT_OUT.includes(name) || Object.hasOwn(theirs[at]?.[2] ?? {}, name))] : line)),
    invocations.map(({ name, arguments: given }) => ({ name, arguments: Object.hasOwn(NAMED, name) ? bare(given, (each) => NAMED[name].includes(each)) : given })),
  ]
}

/** A value in which markup that AutoByteus makes an object of is that object, where all texts of the object are in the markup. */
export function withElements(ours, theirs) {
  if (typeof ours === 'string' && typeof theirs === 'object' && theirs !== null) {
    const bare = (text) => text.replace(/&#(x?)([\da-f]+);/gi, (_, hex, digits) => String.fromCodePoint(parseInt(digits, hex === '' ? 10 : 16))).replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&apos;/g, "'").replace(/&amp;/g, '&')
    const texts = (value) => (typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([name, each]) => [...(Array.isArray(value) ? [] : [name]), ...texts(each)]) : [String(value)])
    return /<[a-z]/i.test(ours) && texts(theirs).every((text) => bare(ours).includes(text)) ? theirs : ours
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) return ours.map((value, at) => withElements(value, theirs[at]))
  if (typeof ours === 'object' && ours !== null && typeof theirs === 'object' && theirs !== null) return Object.fromEntries(Object.entries(ours).map(([name, value]) => [name, withElements(value, theirs[name])]))
  return ours
}

/** Checks that contents and markup tile the text in order, each at its position. */
export function assertSegmentsTiled(log, text) {
  let at = 0
  for (const { type, payload, span } of log) {
    if (type !== 'SEGMENT_CONTENT' && type !== 'MARKUP') continue
    if (span[0] !== at) assert.fail(`a piece goes from ${span[0]} to ${span[1]}, but the one before it ended at ${at}`)
    at = span[1]
    if (payload.delta !== text.slice(span[0], at)) assert.fail(`${JSON.stringify(payload.delta)} is stated where ${JSON.stringify(text.slice(span[0], at))} does`)
  }
  if (at !== text.length) assert.fail(`the pieces end at ${at}, not at ${text.length}`)
}
