// Tools, calls and texts for the judges of grammars, and what a grammar promises of a text.
import Ajv from 'ajv'
import { writeCalls } from 'tokenweir/formats'
import { GrammarError } from 'tokenweir/grammar'
import { parseReply } from 'tokenweir/tool-calls'

const ajv = new Ajv({ strict: false })

const object = (properties, required = [], more = {}) => ({ type: 'object', properties, required, ...more })

/** Tools that most formats can write. */
const TOOLS = {
  look: object({ q: { type: 'string' }, n: { type: 'integer' }, on: { type: 'boolean' } }, ['q']),
  save_file: object({ path: { type: 'string', minLength: 1, maxLength: 8 }, mode: { enum: ['r', 'w', 'a b'] }, tags: { type: 'array', items: { type: 'string' }, maxItems: 3 }, x: { type: 'number' } }, ['path', 'mode'], { additionalProperties: false }),
  tree: object({ node: { $ref: '#/$defs/node' } }, ['node'], { $defs: { node: object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }, ['name']) } }),
  mixed: object({ a: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, c: object({ d: { type: 'number' } }, ['d']), e: { type: ['boolean', 'integer'] } }),
  now: object({}),
}

/** Tools for formats whose arguments are strings. */
const TEXTS = { look: object({ q: { type: 'string' }, mode: { enum: ['r', 'w'] } }, ['q']), now: object({}) }

/** Arguments that no schema above has, by the tool's name. */
const WRONG = {
  look: [{}, { q: 'a', more: 'b' }, { q: 'a', n: 'one' }, { q: 'a', n: 1.5 }],
  save_file: [{ path: '', mode: 'r' }, { path: 'a', mode: 'x' }, { path: 'far too long', mode: 'r' }, { path: 'a', mode: 'r', tags: ['1', '2', '3', '4'] }],
  tree: [{}, { node: { children: [] } }],
}

/** Options, and whether a turn of theirs may have text and reasoning. */
const CHOICES = [
  [{ toolChoice: 'required' }],
  [{ toolChoice: 'required', reasoning: 'optional', text: 'before' }, 'text', 'reasoning'],
  [{}, 'text'],
  [{ reasoning: 'required' }, 'text', 'reasoning'],
  [{ reasoning: 'open', toolChoice: 'required' }],
  [{ toolChoice: 'none' }],
  [{ toolChoice: { tool: 'look' } }],
]

/** The grammars of a format: for each choice that it has one for, its tools, and what of it is refused. */
export function grammarsOf(format, make) {
  const made = []
  const refused = new Set()
  for (const [options, ...has] of CHOICES) {
    for (const tools of [TOOLS, TEXTS]) {
      try {
        made.push({ options, has, tools, grammar: make(format, tools, options) })
        break
      } catch (error) {
        if (!(error instanceof GrammarError)) throw error
        refused.add(error.feature)
        if (error.feature !== 'types') break
      }
    }
  }
  return { made, refused: [...refused] }
}

const PIECES = ['Paris', 'a b', '<', '>', '"', "'", '\\', '\n', '\r\n', '\t', '{', '}', '[', ']', ',', ':', '&', '&lt;', '- ', '#', 'null', 'true', '42', 'é', '水', '💩', '\u2028', '<b>x</b>', '\u0007']

function valueOf(schema, next, root) {
  const one = (list) => list[next(list.length)]
  if (schema.$ref !== undefined) return valueOf(root.$defs[schema.$ref.split('/').at(-1)], next, root)
  if (schema.anyOf !== undefined) return valueOf(one(schema.anyOf), next, root)
  if (schema.enum !== undefined) return one(schema.enum)
  switch (Array.isArray(schema.type) ? one(schema.type) : schema.type) {
    case 'string':
      for (;;) {
        const text = Array.from({ length: next(5) }, () => one(PIECES)).join('')
        if ([...text].length >= (schema.minLength ?? 0) && [...text].length <= (schema.maxLength ?? Infinity)) return text
      }
    case 'integer':
      return one([0, 1, -5, 123456])
    case 'number':
      return one([0, 1.5, -2e-7, 1e21, 3])
    case 'boolean':
      return next(2) === 0
    case 'array':
      return Array.from({ length: next(Math.min(3, (schema.maxItems ?? 2) + 1)) }, () => valueOf(schema.items, next, root))
    default:
      return Object.fromEntries(Object.entries(schema.properties).filter(([name]) => schema.required.includes(name) || next(3) === 0).map(([name, inner]) => [name, valueOf(inner, next, root)]))
  }
}

/** Turns as `writeCalls` writes them, as far as it can, that the grammar must have. */
export function* turnsOf(id, { options, has, tools }, next, count) {
  if (options.reasoning === 'open' || options.toolChoice === 'none') return
  const names = typeof options.toolChoice === 'object' ? [options.toolChoice.tool] : Object.keys(tools)
  const most = typeof options.toolChoice === 'object' ? 1 : 2
  for (let made = 0; made < count; made++) {
    const calls = Array.from({ length: 1 + next(most) }, () => {
      const toolName = names[next(names.length)]
      return { toolName, input: valueOf(tools[toolName], next, tools[toolName]) }
    })
    const text = has.includes('text') && next(2) === 0 ? { text: 'I look < it up.\n\nso' } : {}
    const thought = has.includes('reasoning') && (options.reasoning === 'required' || next(2) === 0) ? { reasoning: 'hm: a < b' } : {}
    const written = writtenOrNot(calls, { format: id, ...text, ...thought })
    if (written !== undefined) yield written
  }
}

/** Turns that the grammar must not have: of another tool, and of arguments that a schema refuses. */
export function* wrongTurns(id, { options, tools }) {
  if (options.toolChoice !== 'required' || options.reasoning !== undefined) return
  const all = [['other', [{ q: 'a' }]], ...Object.entries(WRONG).filter(([name]) => tools[name] !== undefined)]
  for (const [toolName, inputs] of all) {
    for (const input of inputs) {
      if (tools === TEXTS && Object.values(input).some((value) => typeof value !== 'string')) continue
      const written = writtenOrNot([{ toolName, input }], { format: id })
      if (written !== undefined) yield written
    }
  }
  yield ''
}

function writtenOrNot(calls, options) {
  try {
    return writeCalls(calls, options)
  } catch (error) {
    if (error instanceof TypeError && /^writeCalls: .* can't write /.test(error.message)) return undefined
    throw error
  }
}

/** What of its promise a grammar breaks with a text that it accepts; undefined if nothing. */
export function broken(text, format, { options, tools }) {
  const prefill = options.reasoning === 'open' ? format.write.reasoning[0] : ''
  const { toolCalls, problems, reasoning, text: said } = parseReply(text, { format, tools, prefill })
  // A text may have a call whose opener is written otherwise: it is named, and stays text.
  const found = problems.find(({ metadata }) => metadata?.dropReason !== 'missing-opener')
  if (found !== undefined) return found.message
  const isRequired = options.toolChoice === 'required' || typeof options.toolChoice === 'object'
  if (isRequired && toolCalls.length === 0) return 'there is no call'
  if (options.toolChoice === 'none' && toolCalls.length > 0) return 'there is a call'
  for (const { toolName, args } of toolCalls) {
    if (!Object.hasOwn(tools, toolName)) return `there is no tool ${toolName}`
    if (typeof options.toolChoice === 'object' && (toolName !== options.toolChoice.tool || toolCalls.length > 1)) return 'another call'
    const fits = ajv.compile(tools[toolName])
    if (!fits(args)) return `${JSON.stringify(args)}: ${ajv.errorsText(fits.errors)}`
  }
  if (isRequired && options.text === undefined && said.trim() !== '') return `text ${JSON.stringify(said)}`
  if (options.reasoning === undefined && reasoning !== '') return `reasoning ${JSON.stringify(reasoning)}`
  return undefined
}

/** A text with a character more, less, or another one; or without its end. */
export function mutated(text, next) {
  const at = next(text.length + 1)
  const one = '<>/{}[]"\'\\ \n&:=,|aA1'[next(21)]
  const ways = [text.slice(0, at) + one + text.slice(at), text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + one + text.slice(at + 1), text.slice(0, at)]
  return ways[next(4)].toWellFormed()
}
