// The sequences of events that were recorded of Agently, and how the order
// mode's are compared with them.
import assert from 'node:assert/strict'
import { StreamingJSONParser } from 'tokenweir/fields'

/** A parser that emits "done" by Agently's heuristic. */
export class Order extends StreamingJSONParser {
  constructor(schema) {
    super(schema, { completion: 'order' })
  }
}

/** Throws unless the parser emits what was recorded, chunk by chunk, and leaves emitted values alone. */
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

/** A copy. Numbers that JSON can't write are as the case files have them; -0 is 0, as Python's whole numbers are. */
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
