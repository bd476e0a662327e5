// Replies that providers really sent, and calls that models are expected to
// make, through all four parsers at random cuts: see tests/data/streams.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NativeBlocks } from 'tokenweir'
import { parsePartial } from 'tokenweir/fields'
import { json } from './support/command-line.mjs'
import { cutAt, pieces, random } from './support/cuts.mjs'
import { readFields } from './support/field-reading.mjs'
import { morphText } from './support/morph-text.mjs'
import { readingOf } from './support/provider-reading.mjs'
import { blocksOf, joined, logOf, read } from './support/reading.mjs'
import { expectedCalls, recordedStreams } from './support/real-streams.mjs'
import { assertTiled, render } from './support/render.mjs'
import { assertSegmentsTiled, readSegments, renderSegments } from './support/segment-reading.mjs'
import { readGenerated, readParser, renderParts } from './support/tool-reading.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const below = random(seed)
const recordings = recordedStreams().map((recording) => ({ ...recording, reading: readingOf(recording) }))
const HERMES = { protocol: { name: 'hermes', own: {} }, tools: [] }

/** A text as one chunk, in small chunks, and cut at random. */
function waysToCut(text) {
  const places = (count) => Array.from({ length: count }, () => below(text.length + 1)).sort((a, b) => a - b)
  return [[text], pieces(text, 1 + below(3)), cutAt(text, places(1 + below(4))), cutAt(text, places(12))]
}

/** Throws unless a result is the same at each cut; returns it. */
function sameAtCuts(text, look) {
  const [whole, ...others] = waysToCut(text).map((chunks) => ({ chunks, seen: look(chunks) }))
  for (const { chunks, seen } of others) assert.deepEqual(seen, whole.seen, `cut as ${JSON.stringify(chunks.map(({ length }) => length))}`)
  return whole.seen
}

describe(`recorded replies (SEED=${seed})`, () => {
  test('there are recordings of each provider, with text, reasoning and calls', () => {
    assert.deepEqual([...new Set(recordings.map(({ provider }) => provider))].sort(), ['anthropic', 'bedrock', 'cohere', 'gemini', 'mistral', 'ollama', 'openai', 'openaiResponses'])
    for (const provider of ['anthropic', 'openai', 'openaiResponses']) {
      const all = recordings.filter((recording) => recording.provider === provider).map(({ reading }) => reading)
      assert.ok(all.length > 30 && all.some(({ text }) => text.length > 300) && all.flatMap(({ calls }) => calls).length > 10, provider)
    }
    assert.ok(recordings.some(({ reading }) => reading.calls.length > 1))
    assert.ok(recordings.filter(({ reading }) => reading.reasoning !== '').length > 5)
  })

  for (const recording of recordings) {
    const { name, provider, reading } = recording
    test(name, () => {
      const whole = nativeLog(provider, recording.events)
      assert.deepEqual(ofBlocks(blocksOf(whole)), ofReading(reading))
      assert.equal(visibleIn(whole), reading.text)
      assert.deepEqual(joined(nativeLog(provider, recording.events.flatMap((event) => cutEvent(provider, event)))), joined(whole))

      for (const text of [reading.text, reading.reasoning]) throughAll(text)
      for (const call of reading.calls) throughFields(call)
    })
  }
})

/** The emissions of `NativeBlocks` for events, with their shape checked. */
function nativeLog(method, events) {
  // Some calls of Gemini and Ollama have no id.
  const blocks = new NativeBlocks({ generateId: () => 'made' })
  const log = logOf([...events.flatMap((event) => blocks[method](event).emissions), ...blocks.flush().emissions])
  let open
  for (const { event, index, meta } of log) {
    assert.equal(meta?.blockIndex ?? (event === 'block_start' ? index : open), event === 'block_start' ? index : open)
    if (event === 'block_start') assert.equal(open, undefined, 'two blocks are open')
    open = event === 'block_complete' ? undefined : (index ?? open)
  }
  assert.equal(open, undefined, 'a block was left open')
  return log
}

function visibleIn(log) {
  return log.map(({ chunk, meta }) => (meta?.visible ? chunk : '')).join('')
}

/** Text, reasoning and calls of completed blocks. */
function ofBlocks(blocks) {
  const textOf = (kind) => blocks.filter(({ type }) => type === kind).map(({ content }) => content).join('')
  const calls = blocks.filter(({ type }) => type === 'tool_call').map(({ toolId, toolName, input, content, incomplete }) => [toolId, toolName, incomplete ? 'not to be called' : (input ?? content)])
  return { text: textOf('text'), reasoning: textOf('thinking'), calls }
}

function ofReading({ text, reasoning, calls }) {
  return { text, reasoning, calls: calls.map(({ id = 'made', name, input, content }) => [id, name, input ?? content ?? 'not to be called']) }
}

/** An event split into several, each with a piece of its text; now and then an empty one. */
function cutEvent(provider, event) {
  const parts = (text) => cutAt(text, Array.from({ length: below(4) }, () => below(text.length + 1)).sort((a, b) => a - b))
  if (provider === 'openaiResponses') return typeof event.delta === 'string' ? parts(event.delta).map((delta) => ({ ...event, delta })) : [event]
  if (provider === 'anthropic') {
    const field = ['text', 'thinking', 'partial_json'].find((each) => typeof event.delta?.[each] === 'string')
    return field === undefined ? [event] : parts(event.delta[field]).map((text) => ({ ...event, delta: { ...event.delta, [field]: text } }))
  }
  const [choice, ...others] = event.choices ?? []
  const { content } = choice?.delta ?? {}
  const [call, ...more] = choice?.delta?.tool_calls ?? []
  if (others.length > 0 || more.length > 0 || choice?.finish_reason) return [event]
  const again = (delta) => ({ ...event, choices: [{ ...choice, delta }] })
  if (typeof content === 'string' && call === undefined) return parts(content).map((text) => again({ ...choice.delta, content: text }))
  if (typeof call?.function?.arguments !== 'string') return [event]
  return parts(call.function.arguments).map((text, nth) => again({ tool_calls: [{ ...(nth === 0 ? call : { index: call.index }), function: { ...(nth === 0 ? call.function : {}), arguments: text } }] }))
}

/** A model's raw text through each parser. */
function throughAll(text) {
  sameAtCuts(text, (chunks) => {
    const log = read(chunks, { spans: true })
    assertTiled(log, text)
    return render(log, { spans: true })
  })
  for (const strategy of ['xml', 'json', 'sentinel']) {
    sameAtCuts(text, (chunks) => {
      const { log, errors } = readSegments(chunks, { config: { strategy, spans: true } })
      assertSegmentsTiled(log, text)
      return [renderSegments(log), errors]
    })
  }
  sameAtCuts(text, (chunks) => {
    const { log, parser } = readFields(chunks, { options: { spans: true } })
    assert.equal(log.filter(({ span }) => span !== undefined).length > 0, text !== '')
    return [parser.data, parser.report]
  })
  const [emitted] = sameAtCuts(text, (chunks) => [renderParts(readParser(chunks, HERMES).parts), readParser(chunks, { ...HERMES, options: { toolInputDeltas: false } }).errors])
  // Nobody was asked to write calls in this form.
  assert.equal(emitted, text === '' ? '' : `text ${JSON.stringify(text)}`)
}

/** Arguments of a call as they came, field by field. */
function throughFields({ json: text = '', input }) {
  if (input === undefined || text === '') return
  assert.deepEqual(JSON.parse(JSON.stringify(parsePartial(text))), input)
  // Strict reading leaves out what was repaired.
  if (text.includes(': celsius}')) return
  sameAtCuts(text, (chunks) => {
    const { log, parser } = readFields(chunks, { options: { strict: true } })
    assert.deepEqual(JSON.parse(JSON.stringify(parser.data)), input)
    assert.deepEqual(parser.report.errors, {})
    for (const [path, delta] of joinedDeltas(log)) assert.equal(delta, log.find((event) => event.eventType === 'done' && event.path === path).value)
    return JSON.stringify(parser.data)
  })
}

/** Deltas of strings, joined by path. */
function joinedDeltas(log) {
  const texts = new Map()
  for (const { eventType, path, delta } of log) if (eventType === 'delta' && typeof delta === 'string') texts.set(path, (texts.get(path) ?? '') + delta)
  return texts
}

function callsIn(parts) {
  return parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => ({ name: toolName, arguments: JSON.parse(input) }))
}

describe('recordings through the command line', () => {
  // A provider's error is the command's error too.
  const sound = recordings.filter(({ events }) => !events.some(({ type, error }) => type === 'error' || type === 'response.failed' || error))
  const FORMS = {
    sse: (events) => events.map((event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''),
    jsonl: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  }
  for (const provider of ['anthropic', 'openai', 'openaiResponses']) {
    for (const [form, write] of Object.entries(FORMS)) {
      test(`${provider}, ${form}`, async () => {
        const all = sound.filter((recording) => recording.provider === provider)
        assert.ok(all.length > 15)
        const emitted = await json(['blocks'], write(all.flatMap(({ events }) => events)))
        const expected = all.map(({ reading }) => ofReading(reading))
        const seen = ofBlocks(emitted.flatMap(({ event }) => (event?.event === 'block_complete' ? event.block : [])))
        assert.equal(seen.text, expected.map(({ text }) => text).join(''))
        assert.equal(seen.reasoning, expected.map(({ reasoning }) => reasoning).join(''))
        assert.deepEqual(seen.calls, expected.flatMap(({ calls }) => calls))
      })
    }
  }
})

describe(`expected calls (SEED=${seed})`, () => {
  const lines = expectedCalls()
  const groups = new Map()
  for (const line of lines) {
    const group = /^[a-z_]+?(?=_\d)/.exec(line.name)[0]
    groups.set(group, [...(groups.get(group) ?? []), line])
  }

  test('there are calls of all types', () => {
    assert.ok(lines.length > 400)
    const types = new Set(lines.flatMap(({ calls }) => calls.flatMap(({ arguments: given }) => Object.values(given).map((value) => (Array.isArray(value) ? 'array' : typeof value)))))
    assert.deepEqual([...types].sort(), ['array', 'boolean', 'number', 'object', 'string'])
  })

  for (const [group, members] of groups) {
    test(`${group}, as Hermes writes calls`, () => eachLine(members, ({ tools, calls }) => {
      const text = calls.map(({ name, arguments: given }) => `I call.\n<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>\n`).join('')
      assertCalls(text, 'hermes', tools, calls)
    }))

    test(`${group}, as Hermes writes calls if every value is a string`, () => eachLine(members, ({ tools, calls }) => {
      const asTexts = (given) => Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]))
      const text = calls.map(({ name, arguments: given }) => `<tool_call>${JSON.stringify({ name, arguments: asTexts(given) })}</tool_call>`).join('\n')
      assertCalls(text, 'hermes', tools, calls)
    }))

    test(`${group}, as Morph writes calls`, () => eachLine(members, ({ tools, calls }) => {
      assertCalls(calls.map((call) => `I call.\n${morphText(call)}\n`).join(''), 'morph', tools, calls)
    }))
  }
})

function eachLine(lines, check) {
  for (const line of lines) {
    try {
      check(line)
    } catch (error) {
      throw new Error(`${line.name}: ${error.message}`, { cause: error })
    }
  }
}

/** A text's calls are the expected ones, including types, as one chunk and cut. */
function assertCalls(text, protocol, tools, calls) {
  const setting = { protocol: { name: protocol, own: {} }, tools: tools.map((tool) => ({ type: 'function', ...tool })) }
  for (const chunks of waysToCut(text)) {
    const { parts, errors } = readParser(chunks, setting)
    assert.deepEqual(errors, [])
    assert.deepEqual(callsIn(parts), calls)
  }
  assert.deepEqual(callsIn(readGenerated(text, setting).content), calls)
}
