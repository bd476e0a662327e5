// The drop-in for membrane's class compared with the straightforward class of
// bench/. Where that class has a known bug, the text is read again with the bug
// fixed, and the drop-in must emit the same as the fixed class.
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { StraightforwardParser } from '../../bench/straightforward.mjs'
import { joined } from '../pkg/support/reading.mjs'
import { choices, choicesOf } from './choices.mjs'
import { FAULTS, fixed } from './membrane.mjs'

const PROSE = ['a', ' ', '\n', 'if x < y', 'é', '🙂', '\ud83d', '&lt;', '"', "'", '/', '=', '>', '<b>', '</b>', '<thin', '<invok', '</', '<', '<1>', '<function_call>', '<thinker>', '<', '<!-- -->', '</thinkin']
const NAMES = ['thinking', 'function_calls', 'function_results', 'invoke', 'parameter']
const ATTRIBUTES = ['', '', '', ' name="x"', "\nname='y'", ' ', ' a=b c', ' n="a"  m="b"', ' n="a>b"', " n='<thinking>'", ' n="', '/', ' /', ' n="a"/', ' a=b/']

export const blocks = {
  name: 'blocks',
  count: 15_000,

  *documents(seed, count) {
    for (let nth = 0; nth < count; nth++) yield textOf(choices(seed, nth))
  },

  compare(text) {
    return { ours: emitted(text, IncrementalXmlParser), theirs: emitted(text, StraightforwardParser) }
  },

  rules: Object.fromEntries(Object.keys(FAULTS).map((name) => [name, (text, { ours }) => mends(text, ours).includes(name)])),
}

/** Elements with text and elements in them, some of them not closed, and other tags anywhere. */
function textOf({ among, chance, many, below }) {
  const tag = (slash) => `<${slash}${chance(1, 3) ? 'antml:' : ''}${among(NAMES)}${slash ? '' : among(ATTRIBUTES)}>`
  const inside = (depth) => many(4, () => {
    const kind = below(10)
    if (kind < 6 || depth > 4) return among(PROSE)
    if (kind === 6) return chance(1, 2) ? tag(among(['', '/'])) : among(PROSE)
    const name = among(NAMES)
    const space = () => (chance(1, 3) ? 'antml:' : '')
    return `<${space()}${name}${among(ATTRIBUTES)}>${inside(depth + 1)}${chance(11, 12) ? `</${space()}${name}>` : ''}`
  }).join('')
  return inside(0) + inside(0)
}

/** All events of a text in random chunks, and the parser's own state. */
function emitted(text, Parser) {
  const chunks = choicesOf(text).cut(text)
  const parser = new Parser()
  const entries = []
  const take = ({ emissions }) => entries.push(...emissions.map((emission) => (emission.kind === 'content' ? { chunk: emission.text, meta: emission.meta } : emission.event)))
  for (const chunk of chunks) take(parser.processChunk(chunk))
  const depths = parser.getDepths()
  take(parser.flush())
  const pushed = new Parser()
  for (const chunk of chunks) pushed.push(chunk)
  return JSON.stringify([joined(entries), depths, parser.getAccumulated() === text, pushed.getDepths()])
}

/** The last text. */
let last = {}

/** The minimal set of bugs to fix in the class so that it emits this. */
function mends(text, ours) {
  if (text === last.text) return last.faults
  const emits = (faults) => emitted(text, fixed(faults)) === ours
  const all = Object.keys(FAULTS)
  const faults = emits(all) ? all.reduce((left, name) => (emits(left.filter((other) => other !== name)) ? left.filter((other) => other !== name) : left), all) : []
  last = { text, faults }
  return faults
}
