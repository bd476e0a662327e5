// Texts for properties of tool calls: valid calls with known results, almost calls,
// and prose.
import fc from 'fast-check'
import { toolsOf } from './tool-cases.mjs'

const joinedOf = (unit, maxLength = 8) => fc.array(unit, { maxLength }).map((parts) => parts.join(''))

/** Tools of every kind of schema. */
export const TOOLS = toolsOf(['get_weather', 'add', 'tags', 'write_file', 'nested', 'adder', 'ping', 'free', 'strict', 'nullable', 'rows', 'proto'])

export const HERMES = { name: 'hermes', own: {} }
export const MORPH = { name: 'morph', own: {} }
const SQUARE = { name: 'hermes', own: { toolCallStart: '[T]', toolCallEnd: '[/T]' } }
const FENCES = { name: 'hermes', own: { toolCallStart: '```tool_call\n', toolCallEnd: '\n```' } }

/** Parts of strings. */
const inString = fc.constantFrom(
  'a', 'b c', ' ', '\n', '\t', 'é', '水', '🙂', '\ud83d', '\ude00', '"', "'", '\\', '/', ',', ':', '{', '}', '[', ']', '<', '>', '</', '<tool_call>', '</tool_call>', '</tool_cal', '<add>', '</add>', '</content>', '</path',
  '&', '&amp;', '&#65;', '<b>', ']]>', '<![CDATA[', '<!--', '-->', '```', '[T]', '[/T]', '5', 'true', 'null', '\u0000', '\u2028', '__proto__',
)
const content = joinedOf(inString)

/** Fragments of the Hermes format. */
const hermesScrap = fc.constantFrom(
  '<tool_call>', '<tool_call>', '</tool_call>', '</tool_call>', '<tool_call >', '</tool_call\n>', '<tool_', '</tool_c', '<', '{', '}', '[', ']', ',', ':', '"', "'", '\\', '\\"', '\\u00', '\\ud83d', '\\n', '\\q', '{"name":"add"', '"name"', 'name',
  '"add"', '"nope"', '"write_file"', '"arguments":{', '"arguments":', '"parameters":{', '"arguments":"{\\"a\\":1}"', '"a":1', '"content":"', '"path":"x"', '"tags":["x","y"]', '"nums":["1"', '1', '-2.5e3', '007', '12345678901234567890', 'true', 'None',
  'nul', 'word', ' ', '\n', '\t', '// c\n', '/* c */', '/*', 'x', 'é', '🙂', '\ud83d', '\ude00', '}}</tool_call>', '{"name":"add","arguments":{"a":1}}', '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>', '<tool_call>{"name":"write_file","arguments":{"path":"p","content":"',
  '<tool_call>[{"name":"add"},', '__proto__', '<think>', '</think>', '\n<thinking>', '</thinking>', '<thi', '</thin', '\n```\n',
)

/** Fragments of the Morph format. */
const morphScrap = fc.constantFrom(
  '<add>', '<add>', '</add>', '</add>', '<add ', '<add/>', '<add a="1">', "<add a='", '</add\n>', '</ add>', '<ad', '</', '<', '>', '/', '"', '<a>', '</a>', '<a>1</a>', '<b>2</b>', '<b/>', '<write_file>', '</write_file>', '<path>', '</path>', '<path>p</path>', '<content>', '</content>',
  '<content ', '</conten', '<tags>', '</tags>', '<tags>x</tags>', '<nums>', '</nums>', '<item>', '</item>', '<item>1</item>', '<0>1</0>', '<nested>', '</nested>', '<filter>', '</filter>', '<name>n</name>', '<min>3</min>', '<note>', '</note>', '<ping/>', '<free>', '</free>', '<adder>', '<x>1</x>',
  '<__proto__>', '</__proto__>', '&', '&lt;', '&#65;', '&#x', '<!--', '-->', '<!-- c -->', '<![CDATA[', ']]>', '<?x?>', '{"a":1}', '[1,2]', '1', 'true', ' ', '\n', 'x', 'é', '🙂', '\ud83d', '\ude00', '<add><a>1</a></add>', '<write_file><path>p</path><content>',
  '<think>', '</think>', '\n<thinking>', '</thinking>', '<thi', '</thin', '\n```\n',
)

/** The options of a parser. */
export const options = fc.record({
  onMalformed: fc.constantFrom('text', 'drop', 'invalid-call'),
  unknownTools: fc.constantFrom('call', 'text'),
  coerce: fc.boolean(),
  toolInputDeltas: fc.boolean(),
  maxPending: fc.constantFrom(16_777_216, 16_777_216, 30, 80),
  reasoning: fc.constantFrom('parts', 'text', 'search'),
  fences: fc.constantFrom('parse', 'parse', 'text'),
}, { requiredKeys: [] })

// Calls whose arguments are known.

const key = fc.constantFrom('a', 'b', 'größe', '🙂', '__proto__', 'constructor', 'k"\\', 'x y', '')
const scalar = fc.oneof(content, fc.integer(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => value + 0), fc.boolean(), fc.constant(null))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('value'), { maxLength: 3 }), fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 3, selector: ([name]) => name }).map(objectOf)),
}))

/** An object with own members, `__proto__` too. */
function objectOf(members) {
  const object = {}
  for (const [name, member] of members) Object.defineProperty(object, name, { value: member, enumerable: true, configurable: true, writable: true })
  return object
}

/** Any JSON object. */
const anyArguments = fc.uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name }).map(objectOf)

/** Arguments of a tool with their members in any order, of the right types and of wrong ones. */
const loose = (right) => fc.oneof({ weight: 3, arbitrary: right }, fc.constantFrom('5', '2.5', 'true', 'FALSE', 'null', '[1,"2"]', '{"name":"x"}', 'a, b', 'a\nb', '', ' 7 ', 5, 1.5, true, null), fc.array(fc.constantFrom('1', 2, 'x', null), { maxLength: 3 }))
const word = content
const members = {
  get_weather: { city: word, days: fc.integer(), hourly: fc.boolean(), temp: fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((each) => each + 0), more: word },
  add: { a: fc.integer(), b: fc.integer(), other: value },
  tags: { tags: fc.array(word, { maxLength: 3 }), nums: fc.array(fc.integer(), { maxLength: 3 }), pt: fc.tuple(fc.integer(), fc.integer()) },
  write_file: { path: word, content: word },
  nested: { filter: fc.record({ name: word, min: fc.integer() }, { requiredKeys: [] }), note: word },
  strict: { userName: word, age: fc.integer(), user_name: word, other: word },
  nullable: { temp: fc.option(fc.integer()), word: fc.option(word), either: fc.oneof(fc.integer(), fc.boolean()) },
  rows: { rows: fc.array(fc.record({ id: fc.integer(), name: word, ok: fc.boolean() }, { requiredKeys: [] }), { maxLength: 3 }) },
  proto: { ['__proto__']: fc.integer(), constructor: word, prototype: fc.boolean() },
}

/** A tool's name and arguments that may have wrong types. */
export const looseCall = fc.constantFrom(...Object.keys(members)).chain((toolName) => {
  const names = Object.keys(members[toolName])
  return fc.tuple(fc.shuffledSubarray(names), fc.tuple(...names.map((name) => loose(members[toolName][name])))).map(([picked, values]) => ({ toolName, args: objectOf(picked.map((name) => [name, values[names.indexOf(name)]])) }))
})

const space = fc.constantFrom('', '', ' ', '\n', '\n  ', '\t')
const indent = fc.constantFrom(undefined, undefined, 1, '\t')

/** JSON of a value, with members in this order (JSON.stringify puts numeric keys first; there are no such keys here). */
export const hermesText = ({ toolName, args }, step, between = '') => `<tool_call>${between}${JSON.stringify({ name: toolName, arguments: args }, null, step)}${between}</tool_call>`

/** A valid call in the Hermes form: its text, its tool and its arguments. */
export const hermesCall = fc.tuple(fc.oneof(looseCall, anyArguments.map((args) => ({ toolName: 'free', args }))), indent, space, fc.constantFrom('name first', 'arguments first', 'more')).map(([call, step, between, order]) => {
  const { toolName: name, args } = call
  const whole = { 'name first': { name, arguments: args }, 'arguments first': { arguments: args, name }, more: { id: 'x', name, type: 'function', arguments: args, meta: { name: 'y' } } }[order]
  return { ...call, text: `<tool_call>${between}${JSON.stringify(whole, null, step)}${between}</tool_call>` }
})

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((each) => each + 0))

/** A string's value and its text in an element of this name. */
const stringIn = (name) => fc.oneof(
  content.map((each) => ({ value: each, text: escaped(each) })),
  // Raw: text without references, CDATA, tags of its own name and ends of tags.
  content.filter((each) => !/&|<!\[CDATA\[/.test(each) && !new RegExp(`</?\\s*${name}`).test(each) && !each.endsWith('<') && !/<[/!]?[![CDAT]*$/.test(each)).map((each) => ({ value: each, text: each })),
  content.filter((each) => !each.includes(']]>') && !each.endsWith(']')).map((each) => ({ value: each, text: `<![CDATA[${each}]]>` })),
)
const scalarIn = (arbitrary) => fc.tuple(arbitrary, space, space).map(([each, before, after]) => ({ value: each, text: `${before}${JSON.stringify(each)}${after}` }))
const element = (name, inside) => fc.tuple(inside, fc.constantFrom('', '', ' ', '\n', ' x="1"'), fc.constantFrom('', '', ' ')).map(([{ value: each, text }, more, end]) => ({ value: each, text: `<${name}${more}>${text}</${name}${end}>` }))
const items = (arbitrary) => fc.array(arbitrary, { minLength: 1, maxLength: 3 }).map((list) => ({ value: list.map((each) => each.value), text: list.map((each) => `<item>${each.text}</item>`).join('') }))

const ARGUMENTS = {
  get_weather: { city: stringIn('city'), days: scalarIn(fc.integer()), hourly: scalarIn(fc.boolean()), temp: scalarIn(number) },
  add: { a: scalarIn(number), b: scalarIn(number) },
  write_file: { path: stringIn('path'), content: stringIn('content') },
  tags: { tags: items(stringIn('item')), nums: items(scalarIn(number)) },
  rows: {
    rows: items(fc.record({ id: element('id', scalarIn(fc.integer())), name: element('name', stringIn('name')), ok: element('ok', scalarIn(fc.boolean())) }).map(({ id, name, ok }) => ({ value: { id: id.value, name: name.value, ok: ok.value }, text: id.text + name.text + ok.text }))),
  },
}

/** A valid call in the Morph form: its text, its tool and its arguments. */
export const morphCall = fc.constantFrom(...Object.keys(ARGUMENTS)).chain((toolName) => {
  const names = Object.keys(ARGUMENTS[toolName])
  return fc.tuple(fc.shuffledSubarray(names), fc.tuple(...names.map((name) => element(name, ARGUMENTS[toolName][name]))), space, fc.constantFrom('', ' ', '\n', ' id="x"')).map(([picked, values, between, more]) => {
    const parts = picked.map((name) => ({ name, ...values[names.indexOf(name)] }))
    return { toolName, args: objectOf(parts.map((each) => [each.name, each.value])), text: `<${toolName}${more}>${between}${parts.map(({ text }) => text + between).join('')}</${toolName}>` }
  })
})

/** A text with some of it removed, inserted or duplicated. */
const damaged = (text, scrap) => fc.array(fc.tuple(fc.nat(400), fc.nat(6), fc.oneof(fc.constant(''), scrap)), { maxLength: 2 }).map((changes) => changes.reduce((all, [at, size, put]) => {
  const place = at % (all.length + 1)
  return all.slice(0, place) + put + all.slice(place + size)
}, text))

const otherTags = (text, start, end) => text.replaceAll('<tool_call', start.replace(/>$/, '')).replaceAll('</tool_call', end.replace(/>$/, ''))

/** Prose with Hermes calls in it, some of them damaged. */
export const HERMES_TEXT = fc.array(fc.oneof({ weight: 3, arbitrary: hermesCall.map(({ text }) => text) }, { weight: 2, arbitrary: hermesCall.chain(({ text }) => damaged(text, hermesScrap)) }, { weight: 4, arbitrary: joinedOf(fc.constantFrom('a', ' ', '\n', '. ', 'é', '🙂', '<b>', '< ', '<tool', '{"a":1}', '"'), 6) }), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))

/** A protocol and a text of almost calls. */
export const nearly = fc.oneof(
  { weight: 4, arbitrary: joinedOf(hermesScrap, 14).map((text) => ({ protocol: HERMES, text })) },
  { weight: 4, arbitrary: joinedOf(morphScrap, 14).map((text) => ({ protocol: MORPH, text })) },
  { weight: 2, arbitrary: fc.array(hermesCall, { minLength: 1, maxLength: 2 }).chain((calls) => damaged(calls.map(({ text }) => text).join(' '), hermesScrap)).map((text) => ({ protocol: HERMES, text })) },
  { weight: 2, arbitrary: fc.array(morphCall, { minLength: 1, maxLength: 2 }).chain((calls) => damaged(calls.map(({ text }) => text).join(' '), morphScrap)).map((text) => ({ protocol: MORPH, text })) },
  joinedOf(hermesScrap, 10).map((text) => ({ protocol: SQUARE, text: text.replaceAll('<tool_call>', '[T]').replaceAll('</tool_call>', '[/T]') })),
  joinedOf(hermesScrap, 10).map((text) => ({ protocol: FENCES, text: otherTags(text, '```tool_call', '```') })),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => ({ protocol: HERMES, text: String.fromCharCode(...units) })),
)

/** Text without starts of calls, but almost. */
const prose = (...units) => joinedOf(fc.constantFrom('a', ' ', '\n', '. ', 'é', '🙂', '\ud83d', '> ', '(x)', '"', "'", '{', '}', '&', '<b>', '< ', ...units), 6)
export const hermesProse = prose('<tool_call> x', '<tool_cal', '<tool_callx>', '{"name":"add"}', '<add>')
export const morphProse = prose('<add> x', '</add>', '<addx>', '<tool_call>', '<ad ')
