// No event ends in half a character: text, names, arguments and thinking with surrogate pairs, cut everywhere.
import { random } from '../../pkg/support/cuts.mjs'

const A = '🌦'
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

const isHalf = (text) => /[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/.test(text)

function* strings(value, path = '') {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) yield* strings(inner, `${path}.${key}`)
}

/** The ways in which a text is cut: all of them cut a pair. */
function* cutsOf(text) {
  const next = random(seed)
  yield text.split('')
  for (let at = 1; at < text.length; at++) if (/[\uDC00-\uDFFF]/.test(text[at]) && next(text.length) < 12) yield [text.slice(0, at), '', text.slice(at)]
}

/** What a door makes of pieces, one list of events for each. */
async function eventsOf(door, pieces, options) {
  if (door.open === undefined) return door.events(pieces, options)
  const parser = door.open({ options })
  return [...pieces.map((piece) => parser.feed(piece)), parser.end()]
}

async function firstHalf(door, text, options) {
  for (const pieces of cutsOf(text)) {
    for (const [path, found] of strings(await eventsOf(door, pieces, options))) {
      if (isHalf(found)) return `SEED=${seed}: ${path} of ${JSON.stringify(pieces)} is ${JSON.stringify(found)}`
    }
  }
  return undefined
}

/** What a door can write with such characters. */
function* textsOf({ write, thinking, row }) {
  yield ['text', `${A}a${A}<${A}`]
  const command = `l${A}s ${A}`
  for (const [name, text] of [
    ['a call', write.call?.('run', { command })],
    ['a list', write.call?.('run', { list: [`a${A}`] })],
    ['a key', row?.typing === 'attribute' ? undefined : write.call?.('run', { [`c${A}`]: command })],
    ['JSON', write.json?.('run', `{"command": "${A}\\u00e9${A}", "k${A}": [{"x": "${A}"}]}`)],
    ['a value', write.value?.('run', 'command', `\n${A}x${A}\n`)],
  ]) {
    if (text !== undefined) yield [name, `${A}a${text}${A}b${A}`]
  }
  if (write.document !== undefined) yield ['a document', `pro${A}se {"a${A}": "b${A}c", "l": ["${A}", {"x": "${A}${A}"}], b: '${A}', "u": "\\ud83c\\udf26x${A}"} ${A}`]
  for (const [nth, text] of (write.edits?.(A) ?? []).entries()) yield [`edits, ${nth}`, text]
  if (thinking !== undefined) yield ['thinking', `${thinking[0] ?? ''}h${A}m${thinking[1]}${A}x`]
}

/** Ways to read in which more is held back. */
const MODES = {
  BlockParser: { 'stop sequences': { stopSequences: ['zz', `${A}q`] }, 'stop sequences anywhere': { stopSequences: ['zz'], stopIn: 'anywhere' }, spans: { spans: true }, fences: { fences: 'text', unopenedThinking: 'report' } },
  StreamingJSONParser: { spans: { spans: true } },
  'segments xml': { spans: { spans: true } },
}

export default {
  rule: 14,
  title: 'No event ends in half a character, unless the stream does',
  *ask(door) {
    if (door.open === undefined && door.events === undefined) return
    for (const [name, text] of textsOf(door)) {
      const modes = { '': undefined, ...MODES[door.name] }
      for (const [mode, options] of Object.entries(modes)) yield { name: mode === '' ? name : `${name}, with ${mode}`, check: () => firstHalf(door, text, options) }
    }
  },
  atLeast: 500,
}
