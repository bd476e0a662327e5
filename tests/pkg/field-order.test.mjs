// `completion: 'order'` against Agently 4.0.7: chunk for chunk the events that
// it was recorded to give, and what we give where we differ on purpose.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { StreamingJSONParser } from 'tokenweir/fields'
import { Order, assertUnchanged, compared, judge, line, plain, read, schemaOf } from './support/field-order.mjs'

class Slash extends StreamingJSONParser {
  constructor(schema) {
    super(schema, { completion: 'order', pathStyle: 'slash' })
  }
}

const recorded = casesOf('field-order.jsonl')
const more = casesOf('field-order-more.jsonl')
const roots = casesOf('field-order-roots.jsonl')
const differs = casesOf('field-order-differs.jsonl')
const all = [...recorded, ...more, ...roots]

for (const [name, cases] of [['the recorded sequences', recorded], ['more of them', more], ["roots whose first key is not the schema's", roots]]) {
  describe(name, () => {
    for (const each of cases) test(each.name, () => judge(each))
  })
}

describe('on purpose not as recorded', () => {
  for (const each of differs) {
    test(`${each.name}: ${each.reason}`, () => {
      const { emitted, values, parser } = read(each)
      assert.deepEqual(emitted.map((events) => events.map(line)), each.ours)
      if (each.oursData !== null) assert.deepEqual(plain(parser.data), each.oursData.$undefined ? undefined : plain(each.oursData))
      assertUnchanged(values)
      // What is as recorded has no place in this list.
      assert.notDeepEqual(each.events.map((events) => events.map(line)), each.ours)
    })
  }
})

describe('the same events', () => {
  test('with paths of either style', () => {
    for (const each of all) {
      const slashed = read(each, Slash).emitted
      const expected = read(each).emitted.map((events) => events.map((event) => ({ ...event, path: slashOf(event.path) })))
      assert.deepEqual(slashed, expected, each.name)
    }
  })

  test('by parseStream', async () => {
    for (const each of all) {
      const emitted = []
      const parser = new Order(schemaOf(each.schema))
      for await (const event of parser.parseStream(each.chunks)) emitted.push(compared(event))
      assert.deepEqual(emitted, plain(each.events.flat()), each.name)
    }
  })

  test('after reset', () => {
    for (const each of all) {
      const parser = new Order(schemaOf(each.schema))
      const once = () => [...each.chunks.map((chunk) => parser.parseChunk(chunk).map(compared)), parser.finalize().map(compared)]
      const first = once()
      parser.reset()
      assert.deepEqual(once(), first, each.name)
    }
  })
})

test('wildcardPath and indexes are those of the path', () => {
  for (const each of all) {
    const parser = new Order(schemaOf(each.schema))
    for (const event of [...each.chunks.flatMap((chunk) => parser.parseChunk(chunk)), ...parser.finalize()]) {
      assert.equal(event.wildcardPath, event.path.replace(/\[\d+\]/g, '[*]'), each.name)
      assert.deepEqual(event.indexes, [...event.path.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index)), each.name)
    }
  }
})

describe('the judge finds', () => {
  const complains = (cases, Parser) => cases.filter((each) => fails(() => judge(each, Parser)))

  test('a parser that is done at boundaries', () => {
    class Boundary extends StreamingJSONParser {
      constructor(schema) {
        super(schema, { completion: 'boundary' })
      }
    }
    // Some documents are alike in both, as those that end in one chunk.
    assert.ok(complains(recorded, Boundary).length > recorded.length * 0.9)
  })

  test('a parser to which an empty chunk is nothing', () => {
    class Idle extends Order {
      parseChunk(chunk) {
        return chunk === '' ? [] : super.parseChunk(chunk)
      }
    }
    assert.ok(complains(more.filter(({ name }) => name.startsWith('empty-chunks')), Idle).length > 0)
  })

  test('a parser that reads all at the end', () => {
    class Last extends Order {
      #text = ''
      parseChunk(chunk) {
        this.#text += chunk
        return []
      }

      finalize() {
        return [...super.parseChunk(this.#text), ...super.finalize()]
      }
    }
    assert.equal(complains(recorded, Last).length, recorded.length)
  })

  test('a parser that forgets the last done', () => {
    class Forgetful extends Order {
      finalize() {
        return super.finalize().slice(0, -1)
      }
    }
    const left = recorded.filter(({ events }) => events.at(-1).length > 0)
    assert.ok(left.length > 0)
    assert.equal(complains(left, Forgetful).length, left.length)
  })

  test('a value that changes after its done', () => {
    class Changing extends Order {
      #lists = []
      parseChunk(chunk) {
        const events = super.parseChunk(chunk)
        this.#lists.push(...events.filter(({ eventType, value }) => eventType === 'done' && Array.isArray(value)).map(({ value }) => value))
        return events
      }

      finalize() {
        const events = super.finalize()
        for (const list of this.#lists) list.push('more')
        return events
      }
    }
    const lists = recorded.filter(({ events }) => events.slice(0, -1).flat().some(({ eventType, value }) => eventType === 'done' && Array.isArray(value)))
    assert.ok(lists.length > 0)
    assert.equal(complains(lists, Changing).length, lists.length)
  })
})

/** `a.b[0].c` as `/a/b/0/c`: the recorded keys have no character that is written otherwise. */
function slashOf(path) {
  return path.split(/[.[\]]+/).filter((part) => part !== '').map((part) => `/${part}`).join('')
}

function fails(act) {
  try {
    act()
    return false
  } catch (error) {
    if (error.code !== 'ERR_ASSERTION') throw error
    return true
  }
}

function casesOf(name) {
  const [{ count }, ...cases] = readFileSync(new URL(`../cases/${name}`, import.meta.url), 'utf8').trimEnd().split('\n').map((text) => JSON.parse(text))
  assert.ok(count > 0)
  assert.equal(cases.length, count, name)
  assert.equal(new Set(cases.map((each) => each.name)).size, count, `${name}: each case has a name of its own`)
  return cases
}

describe('with several documents', () => {
  const emitted = (chunks, options) => {
    const parser = new StreamingJSONParser(undefined, { completion: 'order', ...options })
    return [...chunks.map((chunk) => parser.parseChunk(chunk)), parser.finalize()].map((events) =>
      events.map(({ eventType, path, documentIndex, fullData }) => [eventType, path, documentIndex, JSON.stringify(fullData)].filter((part) => part !== undefined).join(' ')),
    )
  }

  test('a lookalike after a document does not change it', () => {
    assert.deepEqual(emitted(['x [1, 2] and ', '[3] end', ' ']), [
      ['delta [0] [1,2]', 'delta [1] [1,2]'],
      ['done [0] [1,2]'],
      [],
      ['done [1] [1,2]'],
    ])
    assert.deepEqual(emitted(['{"a":"x"} see ', '[2] .', ' '], { multiple: true }), [['delta a 0 {"a":"x"}'], [], [], ['done a 0 {"a":"x"}']])
  })

  test('what one has to be done is done before the next begins', () => {
    assert.deepEqual(emitted(['{"a":"x","b":{}} ', '{"c":"y"}', ' '], { multiple: true }), [
      ['delta a 0 {"a":"x","b":{}}'],
      ['done a 0 {"a":"x","b":{}}', 'done b 0 {"a":"x","b":{}}', 'delta c 1 {"c":"y"}'],
      [],
      ['done c 1 {"c":"y"}'],
    ])
  })

  test('the answer for want of a better one is emitted at the end', () => {
    assert.deepEqual(emitted(['See [1]', ' and [2].']), [[], [], ['delta [0] [2]', 'done [0] [2]']])
  })
})
