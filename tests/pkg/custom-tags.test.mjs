// Custom tags: blocks of a program's types. The cases of tests/cases/block/own.toml ask how they are read; here are the
// markup of public projects, and how the other ways in read them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser, BlockStream, VisibleTextStream, visibleText } from 'tokenweir/blocks'
import { NativeBlocks, readReply } from 'tokenweir'
import { everyCut, pieces, random, seeded } from './support/cuts.mjs'
import { blocksOf, joined, read, recorder } from './support/reading.mjs'
import { assertTiled } from './support/render.mjs'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

const action = { type: 'action' }

/** A table, a reply with its markup, and the blocks of that. */
const SAMPLES = {
  bolt: {
    tags: { boltArtifact: { type: 'artifact', children: { boltAction: action } } },
    text: 'Here:\n<boltArtifact id="app" title="A &quot;small&quot; app">\n  <boltAction type="file" filePath="src/App.tsx">if (a < b) return <b>1 &amp; 2</b></boltAction>\n  <boltAction type="shell">npm i</boltAction>\n</boltArtifact>\nDone.',
    blocks: [
      { type: 'text', content: 'Here:\n' },
      { type: 'action', content: 'if (a < b) return <b>1 &amp; 2</b>', attributes: { type: 'file', filePath: 'src/App.tsx' }, parent: 1 },
      { type: 'action', content: 'npm i', attributes: { type: 'shell' }, parent: 1 },
      { type: 'artifact', content: '\n  \n  \n', attributes: { id: 'app', title: 'A "small" app' } },
      { type: 'text', content: '\nDone.' },
    ],
  },
  dyad: {
    tags: { 'dyad-write': { type: 'write' }, 'dyad-rename': { type: 'rename' }, 'dyad-delete': { type: 'delete' }, 'dyad-add-dependency': { type: 'add' }, 'dyad-chat-summary': { type: 'summary' } },
    text: '<think>ok</think><dyad-rename from="a.ts" to="b.ts"></dyad-rename><dyad-delete path="c.ts"/><dyad-write path="d.ts" description="has > and < inside">x</dyad-write><dyad-add-dependency packages="a b" /><dyad-chat-summary>Files</dyad-chat-summary>',
    blocks: [
      { type: 'thinking', content: 'ok' },
      { type: 'rename', content: '', attributes: { from: 'a.ts', to: 'b.ts' } },
      { type: 'delete', content: '', attributes: { path: 'c.ts' } },
      { type: 'write', content: 'x', attributes: { path: 'd.ts', description: 'has > and < inside' } },
      { type: 'add', content: '', attributes: { packages: 'a b' } },
      { type: 'summary', content: 'Files', attributes: {} },
    ],
  },
  artifacts: {
    tags: { antThinking: 'thinking', antArtifact: { type: 'artifact' } },
    text: '<antThinking>New, so <antArtifact>.</antThinking>\n<antArtifact identifier="us-map" type="image/svg+xml" title="Map">\n<svg><title>A</title></svg>\n</antArtifact>',
    blocks: [
      { type: 'thinking', content: 'New, so <antArtifact>.' },
      { type: 'text', content: '\n' },
      { type: 'artifact', content: '\n<svg><title>A</title></svg>\n', attributes: { identifier: 'us-map', type: 'image/svg+xml', title: 'Map' } },
    ],
  },
  citations: {
    tags: { cite: { type: 'citation', visible: true }, source: { type: 'source' } },
    text: 'It is <cite index="0-2,0-3">18 degrees</cite> <source id=1 />today.',
    blocks: [
      { type: 'text', content: 'It is ' },
      { type: 'citation', content: '18 degrees', attributes: { index: '0-2,0-3' } },
      { type: 'text', content: ' ' },
      { type: 'source', content: '', attributes: { id: '1' } },
      { type: 'text', content: 'today.' },
    ],
  },
}

describe('the markup of public projects', () => {
  for (const [name, { tags, text, blocks }] of Object.entries(SAMPLES)) {
    test(`${name}, cut anywhere`, () => {
      const options = { tags }
      assert.deepEqual(blocksOf(read([text], options)), blocks)
      const whole = joined(read([text], options))
      for (const [cut, chunks] of everyCut(text, SEED)) {
        assert.deepEqual(joined(read(chunks, options)), whole, cut)
        const log = read(chunks, { ...options, spans: true })
        assert.deepEqual(blocksOf(log), blocks, cut)
        tiled(log, text)
      }
    })
  }
})

/** Markup of custom tags is verbatim too. */
function tiled(log, text) {
  assertTiled(log, text)
  for (const { chunk, meta } of log) if (meta?.attributes !== undefined) assert.equal(chunk, text.slice(...meta.span))
}

describe('a snapshot without the text', () => {
  test('leaves out the content of all open blocks, which say so', () => {
    const tags = { a: { type: 'a', children: { b: { type: 'b' } } } }
    const before = new BlockParser({ tags })
    before.processChunk(`<a x="1">${'long '.repeat(1_000)}<b>${'long '.repeat(1_000)}`)
    const stored = JSON.stringify(before.snapshot({ keepText: false }))
    assert.ok(stored.length < 2_000, `${stored.length} characters`)
    const after = BlockParser.restore(JSON.parse(stored))
    const { emissions } = after.processChunk('1</b>2</a>')
    assert.deepEqual(emissions.flatMap(({ kind, event }) => (kind === 'blockEvent' ? [event.block] : [])), [
      { type: 'b', content: '1', attributes: {}, parent: 0, partial: true },
      { type: 'a', content: '2', attributes: { x: '1' }, partial: true },
    ])
  })
})

describe('events', () => {
  const { tags, text } = SAMPLES.bolt

  test('start with the attributes, and pieces have them', () => {
    const { log } = reading(text, { tags })
    const starts = log.filter(({ event }) => event === 'block_start').map(({ index, block }) => [index, block])
    assert.deepEqual(starts, [
      [0, { type: 'text' }],
      [1, { type: 'artifact', attributes: { id: 'app', title: 'A "small" app' } }],
      [2, { type: 'action', attributes: { type: 'file', filePath: 'src/App.tsx' }, parent: 1 }],
      [3, { type: 'action', attributes: { type: 'shell' }, parent: 1 }],
      [4, { type: 'text' }],
    ])
    assert.deepEqual(log.find(({ chunk }) => chunk === 'npm i').meta, { type: 'action', visible: false, blockIndex: 3, attributes: { type: 'shell' }, parent: 1 })
  })

  test('indices go on where the outer block does', () => {
    const { parser, log } = reading('<a>1<b/>2<b>3</b>4</a>5', { tags: { a: { type: 'a', children: { b: { type: 'b' } } } } })
    assert.deepEqual(log.filter(({ event }) => event !== undefined).map(({ event, index }) => `${event} ${index}`), ['block_start 0', 'block_start 1', 'block_complete 1', 'block_start 2', 'block_complete 2', 'block_complete 0', 'block_start 3', 'block_complete 3'])
    assert.equal(parser.getBlockIndex(), 4)
  })

  test('the place is known while it is read', () => {
    const parser = new BlockParser({ tags: { a: { type: 'outer', children: { b: { type: 'inner' } } } } })
    const seen = []
    for (const chunk of ['x', '<a>', '<b>', '</b>', '</a>']) {
      parser.processChunk(chunk)
      seen.push([parser.getCurrentBlockType(), parser.getBlockIndex()])
    }
    assert.deepEqual(seen, [['text', 0], ['outer', 1], ['inner', 2], ['outer', 1], ['text', 3]])
  })

  test('markup has the name and no role', () => {
    const markup = []
    const parser = new BlockParser({ tags: { a: { type: 'b' } }, spans: true, onMarkup: (_, { role, tagKind, name }) => markup.push([role, tagKind, name]) })
    parser.processChunk('<a x=1>1</a><a/>')
    assert.deepEqual(markup, [[undefined, 'open', 'a'], [undefined, 'close', 'a'], [undefined, 'self-closing', 'a']])
  })

  test('spans are those of the tags and of what is between them', () => {
    const { log } = reading('x<a y="1">2<b/>3</a>', { tags: { a: { type: 'a', children: { b: { type: 'b' } } } }, spans: true })
    const spans = log.filter(({ event }) => event === 'block_complete').map(({ block: { type, span, contentSpan } }) => [type, span, contentSpan])
    assert.deepEqual(spans, [['text', [0, 1], [0, 1]], ['b', [11, 15], [15, 15]], ['a', [1, 20], [10, 16]]])
  })

  test('names of the prototype are ordinary names', () => {
    const [{ attributes }] = blocksOf(reading('<a __proto__="1" constructor=2 toString>', { tags: { a: { type: 'a' } } }).log)
    assert.deepEqual(Object.entries(attributes), [['__proto__', '1'], ['constructor', '2'], ['toString', '']])
    assert.equal(Object.getPrototypeOf(attributes), Object.prototype)
  })

  test('a hundred attributes, and a thousand, are all there', () => {
    for (const count of [100, 1_000]) {
      const given = Array.from({ length: count }, (_, at) => `${at.toString(36)}`)
      const tag = `<a ${given.map((name) => `${name}=`).join(' ').replaceAll('=', '')}>`
      for (const size of [1, 7, 5_000]) {
        const log = read(pieces(tag, size), { tags: { a: { type: 'a' } } })
        assert.deepEqual(Object.keys(log[0].block.attributes).sort(), given.sort(), `${count} in pieces of ${size}`)
      }
    }
  })

  test('a tag that is longer than 4,096 characters is text', () => {
    const tag = `<a x="${'1'.repeat(4_096)}">`
    assert.deepEqual(blocksOf(reading(tag, { tags: { a: { type: 'a' } } }).log), [{ type: 'text', content: tag }])
  })
})

/** A parser with its log. */
function recorded(options) {
  const { log, ...callbacks } = recorder()
  return { log, parser: new BlockParser({ ...callbacks, ...options }) }
}

/** Reads a text, and keeps the parser. */
function reading(text, options) {
  const { log, parser } = recorded(options)
  parser.processChunk(text)
  parser.flush()
  return { log, parser }
}

describe('what comes around the stream', () => {
  const tags = { a: { type: 'a', children: { b: { type: 'b' } } } }

  test('a prefill may leave tags open, and end them', () => {
    const { log, parser } = recorded({ tags })
    parser.push('<a x="1">0<b>')
    assert.deepEqual(log, [])
    parser.processChunk('1</b>2')
    parser.push('</a>')
    parser.processChunk('3')
    parser.flush()
    assert.deepEqual(blocksOf(log), [
      { type: 'b', content: '1', attributes: {}, parent: 0 },
      { type: 'a', content: '2', attributes: { x: '1' } },
      { type: 'text', content: '3' },
    ])
  })

  test('the next iteration goes on inside the tag', () => {
    const { log, parser } = recorded({ tags })
    parser.processChunk('<a>1')
    parser.resetForNewIteration()
    parser.processChunk('2</a>')
    assert.deepEqual(blocksOf(log), [{ type: 'a', content: '1', attributes: {}, incomplete: true }, { type: 'a', content: '2', attributes: {} }])
    parser.reset()
    assert.equal(parser.getCurrentBlockType(), 'text')
  })

  test('a stop sequence ends all open blocks, and is looked for in text alone', () => {
    const anywhere = reading('<a>1<b>2STOP3', { tags, stopSequences: ['STOP'], stopIn: 'anywhere' }).log
    assert.deepEqual(blocksOf(anywhere), [{ type: 'b', content: '2', attributes: {}, parent: 0, incomplete: true }, { type: 'a', content: '1', attributes: {}, incomplete: true }])
    const text = reading('<a>STOP</a>1STOP2', { tags: { a: { type: 'a', visible: true } }, stopSequences: ['STOP'] }).log
    assert.deepEqual(blocksOf(text), [{ type: 'a', content: 'STOP', attributes: {} }, { type: 'text', content: '1' }])
  })
})

describe('the ways in', () => {
  const { tags, blocks } = SAMPLES.bolt
  const own = blocks.filter(({ attributes }) => attributes !== undefined)
  const { text } = SAMPLES.bolt
  const next = random(SEED)
  const places = Array.from({ length: 9 }, () => next(text.length)).sort((one, other) => one - other)
  const [cut, chunks] = seeded(text, places, SEED)

  test('visibleText and VisibleTextStream show what is visible', async () => {
    const shown = async (tags, sample) => {
      let visible = ''
      for await (const piece of visibleText(pieces(sample, 3), { tags })) visible += piece
      let streamed = ''
      for await (const piece of ReadableStream.from(pieces(sample, 3)).pipeThrough(new VisibleTextStream({ tags }))) streamed += piece
      assert.equal(streamed, visible)
      return visible
    }
    assert.equal(await shown(tags, text), 'Here:\n\nDone.')
    assert.equal(await shown(SAMPLES.citations.tags, SAMPLES.citations.text), 'It is 18 degrees today.')
  })

  test('markup in code is text where text is shown', async () => {
    let visible = ''
    for await (const piece of visibleText('`<a>1</a>`<a>2</a>', { tags: { a: { type: 'a' } } })) visible += piece
    assert.equal(visible, '`<a>1</a>`')
  })

  test('BlockStream', async () => {
    const emissions = []
    for await (const emission of ReadableStream.from(chunks).pipeThrough(new BlockStream({ tags }))) emissions.push(emission)
    assert.deepEqual(emissions.flatMap(({ kind, event }) => (kind === 'blockEvent' && event.event === 'block_complete' ? [event.block] : [])), blocks, cut)
  })

  test('readReply, of text and of events', async () => {
    const events = chunks.map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
    for (const source of [chunks, events]) {
      const result = await readReply(source, { tags }).result()
      assert.deepEqual(result.blocks, blocks, cut)
      assert.equal(result.text, 'Here:\n\nDone.')
    }
  })

  test('the text of readReply is what visibleText shows', async () => {
    const { text, tags } = SAMPLES.citations
    assert.equal((await readReply(text, { tags }).result()).text, 'It is 18 degrees today.')
  })

  test('NativeBlocks', () => {
    const found = []
    const native = new NativeBlocks({ tags, onBlock: (event) => event.event === 'block_complete' && event.block.attributes && found.push(event.block) })
    for (const content of chunks) native.openai({ choices: [{ index: 0, delta: { content } }] })
    native.flush()
    assert.deepEqual(found, own, cut)
  })
})

describe('a definition is checked', () => {
  const deep = (depth) => (depth === 0 ? {} : { a: { type: 'a', children: deep(depth - 1) } })
  const endless = { type: 'a', children: {} }
  endless.children.a = endless
  for (const [what, tags, message] of [
    ['an unknown field', { a: { type: 'a', childs: {} } }, /^BlockParser: tags\.a has no option "childs"; it takes type, attributes, visible, children$/],
    ['an unknown field inside', { a: { type: 'a', children: { b: { type: 'b', visibel: true } } } }, /^BlockParser: tags\.a\.children\.b has no option "visibel"/],
    ['no type', { a: {} }, /^BlockParser: tags\.a: type must be a name/],
    ['a type of other blocks', { a: { type: 'text' } }, /^BlockParser: tags\.a: type must be a name that is no other block's type/],
    ['a type that is no name', { a: { type: 'a b' } }, /^BlockParser: tags\.a: type must be a name/],
    ['a role inside', { a: { type: 'a', children: { b: 'thinking' } } }, /^BlockParser: tags\.a\.children\.b takes an options object, but got string "thinking"$/],
    ['children that are a list', { a: { type: 'a', children: ['b'] } }, /^BlockParser: tags\.a: children must be an object of names/],
    ['attributes that are no list', { a: { type: 'a', attributes: 'id' } }, /^BlockParser: tags\.a: attributes must be an array of strings/],
    ['visible', { a: { type: 'a', visible: 'yes' } }, /^BlockParser: tags\.a: visible must be true or false/],
    ['a name that no tag has', { '1a': { type: 'a' } }, /^BlockParser: tags: "1a" is not a tag name/],
    ['a name inside that no tag has', { a: { type: 'a', children: { 'b c': { type: 'b' } } } }, /^BlockParser: tags: "b c" is not a tag name/],
    ['a name that has a role', { a: { type: 'a', children: { result: { type: 'b' } } } }, /^BlockParser: tags: "result" stands inside another tag and has a role; take that out first, by "result: false" in tags$/],
    ['too deep', deep(5), /^BlockParser: tags\.a\.children\.a\.children\.a\.children\.a\.children\.a is too deep: at most 4 tags may stand one in the other$/],
    ['endless', { a: endless }, /is too deep/],
    ['too many names', Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`t${at}`, { type: 't' }])), /^BlockParser: tags: "t25" is one name too many/],
    ['too many tags', Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`t${at}`, { type: 't', children: Object.fromEntries(Array.from({ length: 20 }, (_, of) => [`c${of}`, { type: 'c' }])) }])), /is one name too many/],
  ]) {
    test(what, () => assert.throws(() => new BlockParser({ tags }), { name: 'TypeError', message }))
  }

  test('a name may lose its role, or be one of text and one inside', () => {
    const tags = { result: false, thinking: { type: 'plan', visible: true }, a: { type: 'a', children: { result: { type: 'r' }, thinking: { type: 'p' } } } }
    assert.deepEqual(blocksOf(reading('<thinking>1</thinking><a><result>2</result><thinking>3</thinking></a>', { tags }).log), [
      { type: 'plan', content: '1', attributes: {} },
      { type: 'r', content: '2', attributes: {}, parent: 1 },
      { type: 'p', content: '3', attributes: {}, parent: 1 },
      { type: 'a', content: '', attributes: {} },
    ])
  })
})
