// The sequences of events recorded from Agently, and their comparison with the order
// mode.
import assert from 'node:assert/strict'
import { StreamingJSONParser } from 'tokenweir/fields'

/** A parser that emits "done" by Agently's heuristic. */
export class Order extends StreamingJSONParser {
  constructor(schema) {
    super(schema, { completion: 'order' })
  }
}

/** Throws unless the parser emits the recorded events, chunk by chunk, and never changes emitted values. */
export function judge(each, Parser) {
  const { emitted, values, parser } = read(each, Parser)
  each.events.forEach((events, at) => {
    const where = at < each.chunks.length ? `chunk ${at}, ${JSON.stringify(each.chunks[at])}` : 'finalize'
    assert.deepEqual(emitted[at], plain(events), where)
  })
  // An unread document is {} there and undefined here.
  assert.deepEqual(plain(parser.data ?? {}), plain(each.data))
  assertUnchanged(values)
}

/** The events of each chunk and of the end, copied immediately; and the values themselves, each with its copy. */
export function read({ schema, chunks }, Parser = Order) {
  const parser = new Parser(schemaOf(schema))
  const values = []
  const copied = (events) => {
    values.push(...events.map(({ path, value }) => ({ path, value, was: plain(value) })))
    return events.map(compared)
  }
  const emitted = chunks.map((chunk) => copied(parser.parseChunk(chunk)))
  emitted.push(copied(parser.finalize()))
  return { emitted, values, parser }
}

export function assertUnchanged(values) {
  for (const { path, value, was } of values) assert.deepEqual(plain(value), was, `${path} was changed after it was emitted`)
}

export function compared({ path, eventType, value, delta, isComplete }) {
  return plain({ path, eventType, value, delta, isComplete })
}

/** A copy. Numbers without a JSON form are written as in the case files; -0 is 0, as for Python's integers. */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'number' && !Number.isFinite(value)) return { $n: String(value) }
  if (value === 0) return 0
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/** An event as field-order-differs.jsonl writes it. */
export function line({ path, eventType, value, delta }) {
  if (eventType === 'done') return `!${path} ${JSON.stringify(plain(value))}`
  if (eventType !== 'delta') return eventType
  const text = JSON.stringify(plain(value))
  const more = JSON.stringify(plain(delta))
  return more === text ? `~${path} ${text}` : `~${path} ${text} +${more}`
}

/** A leaf ["$t", type] is the type's name; null stands for no schema. */
export function schemaOf(shape) {
  if (shape === null) return undefined
  if (Array.isArray(shape)) return shape[0] === '$t' ? shape[1] : shape.map(schemaOf)
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, schemaOf(value)]))
}
