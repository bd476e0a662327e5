// The cases of tests/cases/tool_call, their tools, and how to check them.
//
// A case has a `protocol`, `tools` by name (default: those of BASE), `options`, the
// protocol's `own` options, and an `input`: raw, or as JSON (`json_input`) if TOML
// can't express it. With `expand`, `⟪x*9⟫` in texts of the case means nine x.
//
// Its `parts` are lines:
//
//     text "…"            one text, from its start to its end
//     reasoning "…"       the same for reasoning
//     call name {…}       start, deltas that join to the input, end and the call
//     start name          the start of a call that fails,
//     delta "…"           the deltas of its arguments,
//     end                 and its end
//     invalid name "…"    a call with its raw text as input
//
// `errors` are `reason tool "segment"`, with `-` for an unknown tool and `*` for
// the whole input; `repairs` are `tool: rule rule`.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readCases } from './case-files.mjs'
import { everyCut, pieces, random, seeded } from './cuts.mjs'
import {
  assertTiled, readGenerated, readParser, readParts, readProtocolStream, readSegmentTexts, readStream, readWhole, renderContent, renderErrors, renderParts, renderRepairs, withoutDeltas,
} from './tool-reading.mjs'

/** The longest text that is cut at every pair of positions. */
const EVERY_TWO_CUTS = 90

const BASE = ['get_weather', 'add', 'tags', 'write_file', 'nested']

const folder = new URL('../../cases/tool_call/', import.meta.url)
const schemas = JSON.parse(readFileSync(new URL('tools.json', folder), 'utf8'))

/** Each file's name with its cases. */
export function toolCaseFiles() {
  return readCases(folder, ['name', 'source', 'protocol', 'parts'], ['tools', 'own', 'options', 'input', 'json_input', 'expand', 'errors', 'repairs'])
}

/** Tools of tools.json by name; a null there is a tool without a schema. */
export function toolsOf(names = BASE) {
  return names.map((name) => {
    if (!Object.hasOwn(schemas, name)) assert.fail(`there is no tool ${name}`)
    return { type: 'function', name, ...(schemas[name] !== null && { inputSchema: schemas[name] }) }
  })
}

/** The names of all tools. */
export const toolNames = () => Object.keys(schemas)

/** A case with its texts expanded, and its lines formatted as in JavaScript. */
export function caseOf(each) {
  const expanded = (text) => (each.expand ? text.replace(/⟪(.*?)\*(\d+)⟫/gs, (_, unit, count) => unit.repeat(Number(count))) : text)
  if ((each.input === undefined) === (each.json_input === undefined)) assert.fail(`${each.name}: either input or json_input`)
  const input = expanded(each.input ?? JSON.parse(each.json_input))
  const errors = (each.errors ?? []).map((line) => {
    const [, front, segment] = /^(\S+ (?:"(?:[^"\\]|\\.)*"|\S+)) (.*)$/s.exec(expanded(line)) ?? assert.fail(`${each.name}: ${line}`)
    return `${front} ${JSON.stringify(segment === '*' ? input : JSON.parse(segment))}`
  })
  return {
    input,
    parts: written(each.name, expanded(each.parts)),
    errors: errors.join('\n'),
    repairs: (each.repairs ?? []).join('\n'),
    options: each.options ?? {},
    arg: { protocol: { name: each.protocol, own: each.own ?? {} }, tools: toolsOf(each.tools), options: each.options ?? {} },
  }
}

/** Lines of a case with texts formatted as in JavaScript. */
function written(name, parts) {
  const lines = parts.trimEnd().split('\n').filter((line) => line !== '').map((line) => {
    const [, front, json] = /^(text|reasoning|delta|invalid (?:"(?:[^"\\]|\\.)*"|\S+)) (.*)$/s.exec(line) ?? []
    if (front !== undefined) return `${front} ${JSON.stringify(JSON.parse(json))}`
    if (!/^(call (?:"(?:[^"\\]|\\.)*"|\S+) \{|start \S|end$)/.test(line)) assert.fail(`${name}: what is ${line}?`)
    return line
  })
  return lines.join('\n')
}

/** Each way to cut a text of a case, by name. */
const toolCuts = (text, seed) => everyCut(text, seed, { one: Infinity, two: EVERY_TWO_CUTS, pairs: 150 })

/** Throws unless a parser reads a case correctly at every cut, or at the given ones. */
export function judgeTools(each, { seed = 1, Parser, cuts = toolCuts } = {}) {
  const { input, parts, errors, repairs, options, arg } = caseOf(each)
  const hasDeltas = options.toolInputDeltas !== false
  const bare = withoutDeltas(parts)
  let count = 0
  for (const [cut, chunks] of cuts(input, seed)) {
    count += 1
    within(`${each.name}, ${cut}`, () => {
      check(readParser(chunks, { ...arg, Parser }), hasDeltas ? parts : bare, hasDeltas, errors, repairs)
      // A few cuts are enough for the other ways to feed a parser.
      if (count > 4 && count % 16 !== 0) return
      check(readParts(chunks, { ...arg, Parser }), hasDeltas ? parts : bare, hasDeltas, errors, repairs)
      if (hasDeltas) check(readParser(chunks, { ...arg, Parser, options: { ...options, toolInputDeltas: false } }), bare, false, errors, repairs)
    })
  }
}

/** Throws unless streams and whole-text functions agree with a parser on a case. */
export async function judgeWays(each, { seed = 1 } = {}) {
  const { input, parts, errors, repairs, options, arg } = caseOf(each)
  const hasDeltas = options.toolInputDeltas !== false
  const bare = withoutDeltas(parts)
  const next = random(seed)
  const places = Array.from({ length: 3 }, () => next(input.length + 1)).sort((a, b) => a - b)
  for (const [cut, chunks] of [['whole', [input]], ['unit by unit', pieces(input, 1)], seeded(input, places, seed)]) {
    for (const read of [readProtocolStream, readStream]) {
      try {
        check(await read(chunks, arg), hasDeltas ? parts : bare, hasDeltas, errors, repairs)
      } catch (error) {
        throw new Error(`${each.name}, ${read.name}, ${cut}: ${error.message}`, { cause: error })
      }
    }
  }
  for (const read of [readGenerated, readWhole]) {
    within(`${each.name}, ${read.name}`, () => {
      const { content, errors: emitted, repairs: used } = read(input, arg)
      same(renderContent(content), bare)
      same(renderErrors(emitted), errors)
      same(renderRepairs(used), repairs)
    })
  }
  if (parts.includes('reasoning ') || (options.onMalformed ?? 'text') !== 'text' || options.unknownTools !== undefined || options.reasoning !== undefined || options.maxPending !== undefined || options.fences !== undefined) return
  within(`${each.name}, segments`, () => assertTiled(input, readGenerated(input, arg).content, readSegmentTexts(input, arg)))
}

function check({ parts, errors, repairs }, expected, hasDeltas, expectedErrors, expectedRepairs) {
  same(renderParts(parts, hasDeltas), expected)
  same(renderErrors(errors), expectedErrors)
  same(renderRepairs(repairs), expectedRepairs)
}

function within(name, act) {
  try {
    return act()
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error })
  }
}

function same(found, expected) {
  if (found !== expected) assert.equal(found, expected)
}
