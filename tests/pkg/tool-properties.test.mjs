// What holds for any text with tool calls, cut anywhere. fast-check prints the
// seed and the smallest failing text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { coerceBySchema, getPotentialStartIndex } from 'tokenweir/ai-sdk-tool-parser'
import { ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
import { cutAt, pieces, withEmpty } from './support/cuts.mjs'
import { Form, PROTOCOLS, assertTiled, readGenerated, readParser, readParts, readSegmentTexts, readStream, readWhole, renderContent, renderErrors, renderParts, renderRepairs, withoutDeltas } from './support/tool-reading.mjs'
import { HERMES, MORPH, TOOLS, hermesCall, hermesProse, hermesText, looseCall, morphCall, morphProse, nearly, options as anyOptions } from './support/tool-texts.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 2_000, seed })
const cuts = fc.array(fc.nat(600), { maxLength: 12, size: 'max' })
const cut = (text, places) => cutAt(text, places.map((place) => place % (text.length + 1)).sort((a, b) => a - b))

const arg = (protocol, options = {}) => ({ protocol, tools: TOOLS, options })
const linesOf = ({ parts, errors, repairs }, { toolInputDeltas = true } = {}) => [renderParts(parts, toolInputDeltas), renderErrors(errors), renderRepairs(repairs)].join('\n---\n')
const textOf = (parts) => parts.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
const callsOf = (parts) => parts.filter(({ type }) => type === 'tool-call')

describe(`any text, cut anywhere (SEED=${seed})`, () => {
  test('gives the same at every cut', () => {
    fc.assert(
      fc.property(nearly, cuts, anyOptions, ({ protocol, text }, places, options) => {
        const expected = linesOf(readParser([text], arg(protocol, options)), options)
        for (const chunks of [cut(text, places), pieces(text, 1), withEmpty(cut(text, places))]) assert.equal(linesOf(readParser(chunks, arg(protocol, options)), options), expected)
        assert.equal(linesOf(readParts(cut(text, places), arg(protocol, options)), options), expected)
      }),
      { numRuns: 6_000, seed },
    )
  })

  test('gives the same in streams and as a whole text', async () => {
    await fc.assert(
      fc.asyncProperty(nearly, cuts, anyOptions, async ({ protocol, text }, places, options) => {
        const record = readParser([text], arg(protocol, options))
        assert.equal(linesOf(await readStream(cut(text, places), arg(protocol, options)), options), linesOf(record, options))
        const bare = renderParts(record.parts, options.toolInputDeltas ?? true)
        const expected = (options.toolInputDeltas ?? true) ? withoutDeltas(bare) : bare
        for (const read of [readGenerated, readWhole]) {
          const whole = read(text, arg(protocol, options))
          assert.equal(renderContent(whole.content), expected)
          assert.equal(renderErrors(whole.errors), renderErrors(record.errors))
          assert.equal(renderRepairs(whole.repairs), renderRepairs(record.repairs))
        }
      }),
      { numRuns: 1_000, seed },
    )
  })

  test('has input that is a JSON object', () => {
    holds(nearly, anyOptions, cuts, ({ protocol, text }, options, places) => {
      fc.pre(options.onMalformed !== 'invalid-call')
      for (const { input } of callsOf(readParser(cut(text, places), arg(protocol, options)).parts)) {
        const value = JSON.parse(input)
        assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), input)
        assert.ok(!/[\n\r\t]/.test(input), input)
      }
    })
  })

  test('consists of text and segments only', () => {
    holds(nearly, cuts, ({ protocol, text }, places) => {
      // With its tags, which parts of reasoning leave out.
      const verbatim = { reasoning: 'text' }
      const { parts, errors } = readParser(cut(text, places), arg(protocol, verbatim))
      const { content } = readGenerated(text, arg(protocol, verbatim))
      const segments = readSegmentTexts(text, arg(protocol))
      assertTiled(text, content, segments)
      assert.equal(textOf(parts).length, text.length - segments.join('').length)
      // A failed segment is text, after the previous text.
      let at = 0
      for (const { toolCall } of errors) {
        const found = textOf(parts).indexOf(toolCall, at)
        assert.ok(found >= 0, toolCall)
        at = found + toolCall.length
      }
    })
  })

  test('loses just the failed segments when they are dropped', () => {
    holds(nearly, cuts, ({ protocol, text }, places) => {
      const kept = readParser(cut(text, places), arg(protocol))
      const { parts, errors } = readParser(cut(text, places), arg(protocol, { onMalformed: 'drop' }))
      assert.equal(renderErrors(errors), renderErrors(kept.errors))
      assert.equal(textOf(parts).length, textOf(kept.parts).length - errors.reduce((sum, { toolCall }) => sum + toolCall.length, 0))
      assert.deepEqual(callsOf(parts).map(({ toolName, input }) => [toolName, input]), callsOf(kept.parts).map(({ toolName, input }) => [toolName, input]))
    })
  })

  test('makes no truncated call', () => {
    holds(nearly, cuts, anyOptions, ({ protocol, text }, places, options) => {
      const { parts, errors } = readParser(cut(text, places), arg(protocol, options))
      const lost = errors.filter(({ dropReason }) => dropReason === 'unfinished-tool-call').map(({ toolCallId }) => toolCallId).filter((id) => id !== undefined)
      assert.deepEqual(callsOf(parts).filter(({ toolCallId }) => lost.includes(toolCallId)), [])
    })
  })

  test('continues when handlers throw, which is reported once', () => {
    const emitted = console.error
    try {
      holds(nearly, cuts, ({ protocol, text }, places) => {
        const said = []
        console.error = (...args) => said.push(args)
        const expected = readParser([text], arg(protocol))
        said.length = 0
        let thrown = 0
        const fail = () => {
          thrown += 1
          throw new Error('of the handler')
        }
        const parser = new ToolCallParser({ protocol: PROTOCOLS[protocol.name](protocol.own), tools: TOOLS, options: { onError: fail, onRepair: fail } })
        const parts = [...cut(text, places).flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
        assert.equal(renderParts(parts), renderParts(expected.parts))
        assert.equal(thrown, expected.errors.length + expected.repairs.length)
        assert.equal(said.length, Math.min(1, thrown))
      })
    } finally {
      console.error = emitted
    }
  })

  test('is read by many parsers in turn as by one', () => {
    holds(fc.array(nearly, { minLength: 2, maxLength: 4 }), (list) => {
      const parsers = list.map(({ protocol }) => new ToolCallParser({ protocol: PROTOCOLS[protocol.name](protocol.own), tools: TOOLS }))
      const parts = list.map(() => [])
      for (let at = 0; list.some(({ text }) => at < text.length); at += 3) list.forEach(({ text }, index) => parts[index].push(...parsers[index].text(text.slice(at, at + 3))))
      parsers.forEach((parser, index) => parts[index].push(...parser.finish()))
      list.forEach(({ protocol, text }, index) => assert.equal(renderParts(parts[index]), renderParts(readParser([text], arg(protocol)).parts)))
    })
  })

  test('leaves parts that end no text where they are', () => {
    const other = fc.constantFrom({ type: 'reasoning-delta', id: 'r', delta: '<tool_call>{' }, { type: 'raw', rawValue: 1 }, { type: 'response-metadata', id: 'm' }, { type: 'source', id: 's' }, undefined)
    holds(nearly, cuts, fc.array(other, { minLength: 1, maxLength: 6 }), ({ protocol, text }, places, others) => {
      const parser = new ToolCallParser({ protocol: PROTOCOLS[protocol.name](protocol.own), tools: TOOLS })
      const passed = []
      const parts = []
      for (const [at, chunk] of cut(text, places).entries()) {
        parts.push(...parser.text(chunk))
        const part = others[at % others.length]
        if (part === undefined) continue
        assert.deepEqual(parser.write(part), [part])
        passed.push(part)
      }
      parts.push(...parser.finish())
      assert.equal(renderParts(parts), renderParts(readParser([text], arg(protocol)).parts))
    })
  })
})

/** A front of a call that ends after an argument's closing tag, or in the call's. */
const ENDS_AFTER_ARGUMENT = /<\/[^<>]+>\s*(?:<(?:\/[^<>]*)?)?$/

describe(`calls whose arguments are known (SEED=${seed})`, () => {
  const FORMS = [['hermes', HERMES, hermesCall, hermesProse], ['morph', MORPH, morphCall, morphProse]]

  for (const [name, protocol, call, prose] of FORMS) {
    test(`are found between prose: ${name}`, () => {
      holds(fc.array(fc.tuple(prose, call), { maxLength: 3 }), prose, cuts, (list, last, places) => {
        // Text before a call may not start one.
        fc.pre(list.every(([text]) => !/<\/?(tool_call|add|ad)?[^>]*$/.test(text)))
        const text = list.map(([before, each]) => before + each.text).join('') + last
        const whole = readParser([text], arg(protocol))
        assert.deepEqual(whole.errors, [])
        assert.equal(textOf(whole.parts), list.map(([before]) => before).join('') + last)
        const found = callsOf(whole.parts)
        assert.deepEqual(found.map(({ toolName }) => toolName), list.map(([, each]) => each.toolName))
        for (const chunks of [cut(text, places), pieces(text, 1)]) assert.equal(linesOf(readParser(chunks, arg(protocol))), linesOf(whole))
        assert.deepEqual(readSegmentTexts(text, arg(protocol)), list.map(([, each]) => each.text))
        if (name === 'hermes') assert.deepEqual(whole.repairs.flatMap(({ rules }) => rules), list.filter(([, each]) => each.text.includes('"meta"')).map(() => 'unknown-member'))
      })
    })

    test(`are not made from a prefix: ${name}`, () => {
      fc.assert(
        fc.property(call, fc.nat(10_000), ({ text }, size) => {
          for (const front of [text.slice(0, size % text.length), text.slice(0, -1)]) {
            // The end of a reply closes a call of Morph after an argument (`end-closes`).
            if (name === 'morph' && ENDS_AFTER_ARGUMENT.test(front)) continue
            const { parts, errors } = readParser([front], arg(protocol))
            assert.deepEqual(callsOf(parts), [])
            assert.equal(textOf(parts), front)
            // Text after an end tag in a string is read again, and may be malformed on its own.
            assert.ok(errors.every(({ dropReason, toolCall }, at) => (at > 0 || dropReason === 'unfinished-tool-call') && front.includes(toolCall)), JSON.stringify(errors))
          }
        }),
        { numRuns: 3_000, seed },
      )
    })
  }

  test('have the values that their schemas make of them: hermes', () => {
    holds(looseCall, fc.boolean(), cuts, (call, coerce, places) => {
      const { inputSchema } = TOOLS.find(({ name }) => name === call.toolName)
      const [found, ...more] = callsOf(readParser(cut(hermesText(call), places), arg(HERMES, { coerce })).parts)
      assert.deepEqual(more, [])
      assert.equal(found.input, JSON.stringify(coerce ? coerceBySchema(call.args, inputSchema) : call.args))
    })
  })

  test('have the values that were written: morph', () => {
    holds(morphCall, cuts, ({ text, toolName, args }, places) => {
      const [found, ...more] = callsOf(readParser(cut(text, places), arg(MORPH)).parts)
      assert.deepEqual(more, [])
      assert.equal(found.toolName, toolName)
      assert.deepEqual(JSON.parse(found.input), JSON.parse(JSON.stringify(args)))
    })
  })

  test('are emitted as they were formatted', () => {
    holds(looseCall, ({ toolName, args }) => {
      const text = hermesProtocol().formatToolCall({ toolName, input: args })
      const [found] = callsOf(readParser([text], arg(HERMES, { coerce: false })).parts)
      assert.deepEqual([found.toolName, found.input], [toolName, JSON.stringify(args)])
    })
  })
})

describe(`pending text (SEED=${seed})`, () => {
  const feed = (protocol, chunks, check) => {
    const parser = new ToolCallParser({ protocol: PROTOCOLS[protocol.name](protocol.own), tools: TOOLS })
    const form = new Form(true)
    let given = ''
    let emitted = ''
    for (const chunk of chunks) {
      given += chunk
      for (const part of parser.text(chunk)) {
        form.check(part)
        emitted += part.delta ?? ''
      }
      form.endChunk()
      assert.ok(given.startsWith(emitted))
      check(given, given.slice(emitted.length))
    }
  }
  const half = (text) => (/[\ud800-\udbff]$/.test(text) ? 1 : 0)
  /** Where a closing tag of thinking may begin that comes first in the reply. */
  const leadOf = (seen) => {
    const first = seen.trimStart()
    return first !== '' && ['</think>', '</thinking>'].some((tag) => tag.startsWith(first)) ? seen.length - first.length : seen.length
  }

  test('in prose is a possible prefix of a start tag, and half a character: hermes', () => {
    const units = fc.constantFrom('a', ' ', '<', '<t', '<tool', '<tool_cal', 'ool_call', '<tool_callx', '>', '</tool_call>', '{', '"', 'é', '🙂', '\n')
    holds(fc.array(units, { maxLength: 10 }).map((all) => all.join('')), cuts, (text, places) => {
      fc.pre(!text.includes('<tool_call'))
      feed(HERMES, cut(text, places), (given, held) => {
        const seen = given.slice(0, given.length - half(given))
        // A call may lack its start tag.
        const [bare = ''] = /\{\s*(?:"[^"]*)?$/.exec(seen) ?? []
        assert.equal(held, given.slice(Math.min(getPotentialStartIndex(seen, '<tool_call>') ?? leadOf(seen), seen.length - bare.length)))
      })
    })
  })

  test('in prose is a possible prefix of a tool\'s tag, and half a character: morph', () => {
    const units = fc.constantFrom('a', ' ', '<', '<a', '<ad', 'dd', '<addx', '<b>', '>', '</add>', '{', '"', 'é', '🙂', '\n', '&')
    const names = TOOLS.map(({ name }) => name)
    holds(fc.array(units, { maxLength: 10 }).map((all) => all.join('')), cuts, (text, places) => {
      fc.pre(!names.some((name) => text.includes(`<${name} `) || text.includes(`<${name}>`) || text.includes(`<${name}\n`)))
      feed(MORPH, cut(text, places), (given, held) => {
        const seen = given.slice(0, given.length - half(given))
        const at = seen.lastIndexOf('<')
        const isFront = at >= 0 && names.some((name) => name.startsWith(seen.slice(at + 1)))
        assert.equal(held, given.slice(isFront ? at : leadOf(seen)))
      })
    })
  })
})

test('getPotentialStartIndex is where a searched text begins, or may', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '<'), { maxLength: 8 }).map((all) => all.join(''))
  holds(letters, letters, (text, searched) => {
    const whole = searched === '' ? -1 : text.indexOf(searched)
    const fronts = Array.from({ length: text.length }, (_, at) => at).filter((at) => searched.startsWith(text.slice(at)))
    const expected = searched === '' ? null : whole >= 0 ? whole : (fronts[0] ?? null)
    assert.equal(getPotentialStartIndex(text, searched), expected)
  })
})
