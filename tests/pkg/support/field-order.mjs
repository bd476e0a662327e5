// The sequences of events that were recorded of Agently, and how the order
// mode's are compared with them.
import assert from 'node:assert/strict'
import { StreamingJSONParser } from 'tokenweir/fields'

/** A parser that tells "done" as Agently guesses it. */
export class Order extends StreamingJSONParser {
  constructor(schema) {
    super(schema, { completion: 'order' })
  }
}

/** Throws unless the parser tells what was recorded, chunk by chunk, and leaves told values alone. */
export function judge(each, Parser) {
  const { told, values, parser } = read(each, Parser)
  each.events.forEach((events, at) => {
    const where = at < each.chunks.length ? `chunk ${at}, ${JSON.stringify(each.chunks[at])}` : 'finalize'
    assert.deepEqual(told[at], plain(events), where)
  })
  // A document of which nothing was read is {} there and undefined here.
  assert.deepEqual(plain(parser.data ?? {}), plain(each.data))
  assertUnchanged(values)
}

/** What was told in each chunk and at the end, copied at once; and the values themselves, each with its copy. */
export function read({ schema, chunks }, Parser = Order) {
  const parser = new Parser(schemaOf(schema))
  const values = []
  const copied = (events) => {
    values.push(...events.map(({ path, value }) => ({ path, value, was: plain(value) })))
    return events.map(compared)
  }
  const told = chunks.map((chunk) => copied(parser.parseChunk(chunk)))
  told.push(copied(parser.finalize()))
  return { told, values, parser }
}

export function assertUnchanged(values) {
  for (const { path, value, was } of values) assert.deepEqual(plain(value), was, `${path} was changed after it was told`)
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
