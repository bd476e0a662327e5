// Texts for properties of segments: documents whose segments are known, and streams that are nearly made of
// such, in every strategy.
import fc from 'fast-check'
import { cutAt } from './cuts.mjs'

export const cuts = fc.array(fc.nat(600), { maxLength: 16, size: 'max' })
export const cut = (text, places) => cutAt(text, places.map((place) => place % (text.length + 1)).sort((a, b) => a - b))
export const joinedOf = (unit, maxLength = 8) => fc.array(unit, { maxLength }).map((parts) => parts.join(''))

// Documents whose segments are known: each part has its text, its segment and
// the calls that it makes. The model knows nothing of parsing.

export const TEXT = Symbol('text')
export const space = fc.constantFrom('', '', ' ', '\n', '\n  ', '\t')
const quote = fc.constantFrom('"', "'")
const anyCase = (text) => fc.constantFrom(text, text, text.toUpperCase(), text[0] + text.slice(1, 2).toUpperCase() + text.slice(2))
const isFree = (content, closer) => (content + closer).toLowerCase().indexOf(closer.toLowerCase()) === content.length

/** Parts of any content: prefixes of every closing tag and marker, markup of the other strategies. */
const scrap = fc.constantFrom(
  'a', 'b', ' ', '\n', '\r\n', 'é', '水', '🙂', '\u0130', '\ud83d', '"', "'", '\\', '&', '&lt;', '<', '</', '</t', '</tool', '</too>', '</run_bas', '</write_file', '<b>', '<run_bash>', '<write_file path="p">', '<tool name="t">', '</a',
  '</arg', '</arg>', '</ARG>', '</arguments>', '__START_CONTENT__', '__END_CONTENT__', '__END_CON', '__END_', '[', '[[', '[[SEG_E', '[[SEG_START {"type":"tool"}]]', ']]', '{', '}', '{"tool":{"function":"f"}}', '```\n', '`', 'x = 1',
)
const content = joinedOf(scrap)

const path = fc.tuple(fc.constantFrom('/', 'a', 'é', '🙂'), joinedOf(fc.constantFrom('a', '/', '.', ' ', 'é', '🙂', '>'), 5)).map((parts) => parts.join('').trim())

const bash = (command, more) => (command.trim() === '' ? [] : [['run_bash', { command, ...more }]])

export const bashTag = fc.tuple(anyCase('run_bash'), fc.constantFrom(['', {}], [' background="true"', { background: true }], [" timeout_seconds = '12' background='0' other=\"a>b\"", { background: false, timeout_seconds: 12, other: 'a>b' }]), space, content)
  .filter(([, , , command]) => isFree(command, '</run_bash>'))
  .map(([name, [attributes, more], end, command]) => ({ text: `<${name}${attributes}${end}>${command}</${name}>`, segment: ['run_bash', command, more], calls: bash(command, more) }))

const fileTag = fc.tuple(anyCase('write_file'), quote, path, content)
  .filter(([, , , body]) => isFree(body, '</write_file>'))
  .map(([name, mark, file, body]) => ({ text: `<${name} x="1" path=${mark}${file}${mark}>${body}</${name}>`, segment: ['write_file', body, { path: file, x: '1' }], calls: [['write_file', { path: file, content: body, x: '1' }]] }))

const argument = fc.tuple(fc.constantFrom('p', 'q', 'some name', '__proto__'), fc.array(scrap, { maxLength: 5 }).map((parts) => parts.join('').trim()))
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
export const generic = fc.tuple(fc.constantFrom('read', 'Read File', 'write_files'), fc.uniqueArray(argument, { maxLength: 3, selector: ([name]) => name }), space, fc.boolean())
  .map(([name, values, between, isWrapped]) => {
    const inside = values.map(([key, value]) => `${between}<arg name="${key}">${between}${escaped(value)}${between}</arg>`).join('')
    const body = isWrapped ? `${between}<arguments>${inside}</arguments>${between}` : inside
    return { text: `<tool name="${name}">${body}</tool>`, segment: ['tool_call', body, { tool_name: name }], calls: [[name, Object.fromEntries(values)]] }
  })

export const FILES = { write_file: ['content', 'CONTENT'], patch_file: ['patch', 'PATCH'], edit_file: ['patch', 'PATCH'] }

/** What is content with and without markers. */
const marked = fc.tuple(content, fc.constantFrom('', '\n', '\r\n'), space, space).filter(([body, newline]) => {
  const isEnded = /__END_CONTENT__\s*<\/arg>/i.test(body) || /<\/arg>\s*<\/(arguments|tool)>/i.test(body)
  return !isEnded && (newline !== '' || !/^(\n|\r\n)/.test(body))
})
const unmarked = content.filter((body) => isFree(body, '</arg>') && !body.includes('<tool name') && !body.trimStart().startsWith('__START_'))

export const fileTool = fc.tuple(fc.constantFrom(...Object.keys(FILES)), fc.oneof(unmarked.map((body) => ({ body })), marked.map(([body, newline, before, after]) => ({ body, newline, before, after }))), path, space, fc.constantFrom('path first', 'content first', 'others too', 'no content'), fc.boolean())
  .chain(([name, { body, newline, before, after }, file, between, order, isWrapped]) => {
    const [contentName, marker] = FILES[name]
    const isEmpty = order === 'no content'
    const value = newline === undefined ? body : `${before}__START_${marker}__${newline}${body.replaceAll('_CONTENT__', `_${marker}__`)}__END_${marker}__${after}`
    const real = isEmpty ? '' : newline === undefined ? body : body.replaceAll('_CONTENT__', `_${marker}__`)
    const args = { path: `<arg name="path">${between}${file}${between}</arg>`, content: `<arg name='${contentName}' >${value}</arg>`, other: '<arg name="other">x</arg>' }
    const listed = { 'path first': [args.path, args.content], 'content first': [args.content, args.path], 'others too': [args.other, args.path, args.other, args.content, args.other], 'no content': [args.other, args.path] }[order]
    const inside = listed.map((each) => each + between).join('')
    return anyCase(name).map((written) => ({
      text: `<tool name="${written}">${between}${isWrapped ? `<arguments>${inside}</arguments>` : inside}</tool>`,
      segment: [name, real, { tool_name: written, path: file }],
      calls: isEmpty ? [] : [[name, { path: file, [contentName]: real, ...(order === 'others too' && { other: 'x' }) }]],
    }))
  })

const bashTool = fc.tuple(content, space, fc.boolean())
  .filter(([command]) => isFree(command, '</arg>') && !command.includes('<tool name'))
  .map(([command, between, hasOther]) => ({
    text: `<tool name="run_bash">${between}<arg name="command">${command}</arg>${between}${hasOther ? '<arg name="background">true</arg>' : ''}</tool>`,
    segment: ['run_bash', command, { tool_name: 'run_bash' }],
    calls: bash(command, hasOther ? { background: true } : {}),
  }))

const STATES = {
  note: { segmentType: 'note', contentArg: 'body', startWhen: ['title'], metadataArgs: ['tag'], startMarker: '[[[', endMarker: ']]]' },
  // Its markers begin with halves of pairs that other characters have too.
  memo: { segmentType: 'memo', contentArg: 'body', startMarker: '🙂é', endMarker: '🙃é' },
}
const own = fc.tuple(path, unmarked.filter((body) => !body.trimStart().startsWith('[')), fc.boolean(), fc.boolean()).map(([title, body, hasTag, isMarked]) => ({
  text: `<tool name="note">${hasTag ? '<arg name="tag">t</arg>' : ''}<arg name="title">${title}</arg><arg name="body">${isMarked ? `[[[\n${body}]]]` : body}</arg></tool>`,
  segment: ['note', body, { tool_name: 'note', title, ...(hasTag && { tag: 't' }) }],
  calls: [['note', { title, ...(hasTag && { tag: 't' }), body }]],
}))

export const proseOf = (...units) => joinedOf(fc.constantFrom('a', ' ', '\n', '. ', 'é', '🙂', '\ud83d', '> ', '(x)', ...units), 6).map((text) => ({ text, segment: TEXT, calls: [] }))
const xmlProse = proseOf('<', '< ', '</', '</tool>', '</run_bash>', '<b>', '<b a="<">', '<toolbar>', '<tools name="x">', '<write_files path="y">', '<run_bashful>', '<write_file>', '<tool>', '<tool x="name">', '&lt;', '{"a":1}', '{"tool":{}}', '[[', '"', "'", '`', '```\n')
const memo = fc.tuple(joinedOf(fc.oneof(scrap, fc.constantFrom('🙂', '🙃', '🙃🙃', '🙃e', '</arg>'))), space).filter(([body]) => !/🙃é\s*<\/arg>/i.test(body) && !/<\/arg>\s*<\/(arguments|tool)>/i.test(body)).map(([body, between]) => ({
  text: `<tool name="memo">${between}<arg name="body">${between}🙂é\n${body}🙃é${between}</arg>${between}</tool>`,
  segment: ['memo', body, { tool_name: 'memo' }],
  calls: [['memo', { body }]],
}))
const xmlPart = fc.oneof(memo, xmlProse, bashTag, fileTag, generic, { weight: 3, arbitrary: fileTool }, bashTool, own)

export const jsonValue = fc.oneof(fc.constantFrom(1, -0.5e-9, true, null, 'x', '}]"\\', '🙂', [], {}, [1, ['a']], { a: { b: [null] } }, '\ud83d'), fc.string({ maxLength: 4 }))
const values = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'path'), fc.string({ maxLength: 3 })), jsonValue, { maxKeys: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
const toolName = fc.constantFrom('f', 'read_file', 'g"}]', '__proto__')
const oneCall = fc.tuple(toolName, values, fc.boolean())
const indent = fc.constantFrom(undefined, 1, '\t')
const jsonProse = (...units) => proseOf('{', '}', ']', '[1, 2]', '{x}', '{ }', "it's", '<run_bash>', '```json\n', ':', ',', '{"foo": {"tool": {"function": 1}}}', '{"ids":1,"tool":{}}', ...units)

/** Tools of each profile. */
export const JSON_TOOLS = {
  openai: fc.tuple(fc.array(oneCall, { minLength: 1, maxLength: 3 }), fc.constantFrom('tool', 'tool_calls', 'tools', 'function', 'list'), indent).map(([all, shape, step]) => {
    const used = shape === 'tool' || shape === 'function' ? all.slice(0, 1) : all
    const inner = used.map(([name, given, isString]) => ({ name, arguments: isString ? JSON.stringify(given) : given }))
    const wrapped = inner.map((each) => ({ function: each }))
    const value = { tool: { tool: inner[0] }, function: { function: inner[0] }, tool_calls: { tool_calls: wrapped }, tools: { tools: inner }, list: wrapped }[shape]
    return jsonTool(value, used, step)
  }),
  gemini: fc.tuple(fc.array(oneCall, { minLength: 1, maxLength: 3 }), fc.boolean(), indent).map(([all, isList, step]) => {
    const used = isList ? all : all.slice(0, 1)
    const list = used.map(([name, args]) => ({ name, args }))
    return jsonTool(isList ? list : list[0], used, step)
  }),
  default: fc.tuple(oneCall, fc.boolean(), indent).map(([call, isNamed, step]) => {
    const [name, parameters] = call
    return jsonTool({ tool: { function: isNamed ? { name } : name, parameters } }, [call], step)
  }),
}

function jsonTool(value, used, step) {
  const text = JSON.stringify(value, null, step)
  return { text, segment: ['tool_call', text, undefined], calls: used.map(([name, given]) => [name, given]) }
}

const header = fc.tuple(fc.constantFrom('write_file', 'patch_file', 'edit_file', 'run_bash', 'reasoning', 'text', 'tool', 'tool_call'), fc.dictionary(fc.constantFrom('path', 'k', '__proto__', 'segment_id', 'type]]', '1'), fc.oneof(jsonValue, fc.constantFrom(']]', '[[SEG_END]]', [[[1]]])), { maxKeys: 3 }), indent)
export const sentinel = fc.tuple(header, content, space, space).filter(([, body]) => isFree(body, '[[SEG_END]]')).map(([[type, more, step], body, before, after]) => {
  const written = JSON.stringify({ type, ...more }, null, step)
  const { type: kind, ...metadata } = JSON.parse(written)
  return { text: `[[SEG_START${before}${written}${after}]]${body}[[SEG_END]]`, segment: [kind === 'tool' ? 'tool_call' : kind, body, metadata], calls: undefined }
})
const sentinelProse = proseOf('[', '[[', '[[SEG', '[[SEG_', '[[SEG_END]]', ']]', '{"a":1}', '<tool name="x">', '<run_bash>')

export const parts = (part) => fc.array(part, { maxLength: 6 })
export const DOCUMENTS = {
  xml: [parts(xmlPart), { toolStates: STATES }],
  'JSON, openai': [parts(fc.oneof(jsonProse(), JSON_TOOLS.openai)), { strategy: 'json', jsonProfile: 'openai' }],
  'JSON, gemini': [parts(fc.oneof(jsonProse(), JSON_TOOLS.gemini)), { strategy: 'json', jsonProfile: 'gemini' }],
  'JSON, default': [parts(fc.oneof(jsonProse('[', '[ '), JSON_TOOLS.default)), { strategy: 'json', jsonProfile: 'default' }],
  sentinel: [parts(fc.oneof(sentinelProse, sentinel)), { strategy: 'sentinel' }],
}

const fragment = fc.constantFrom(
  '<tool name="t">', "<tool name='write_file'>", '<tool name="PATCH_FILE">', '<tool name="run_bash">', '<tool name="note">', '<tool name="memo">', '<tool>', '<tool name="t"/>', '<tool name="write_file"/>', '<tool name="', '<tool ', '</tool>', '</TOOL>',
  '<arguments>', '</arguments>', '<arg name="path">', '<arg name="content">', '<arg name="patch">', '<arg name="command">', '<arg name="title">', '<arg name="body">', '<arg name="x">', '<arg name="path"/>', '<arg name="content"/>', '<arg>', '</arg>', '</ARG >',
  '__START_CONTENT__', '__END_CONTENT__', '__START_PATCH__', '__END_PATCH__', '[[[', ']]]', '🙂é', '🙃é', '🙃', '<run_bash>', '<run_bash timeout_seconds="1">', '<run_bash/>', '</run_bash>', '<write_file path="p">', '<write_file path="">', '<write_file>', '</write_file>',
  '[[SEG_START {"type":"run_bash"}]]', '[[SEG_START {"type":"text"}]]', '[[SEG_START {"type":"nope"}]]', '[[SEG_START ', '[[SEG_START {"type":', '"tool"}]]', '[[SEG_END]]', '[[seg_end]]', '{"tool":', '{"function":"f"}', '{"name":"f"}', '[{"tool":{}}', '{"a":', '{"a":"', '\\"', '"}', '}', ']', '{', '[', ',', ':', '"', "'", '1', 'null',
  '\n', ' ', '\r\n', '```\n', '\n```', '~~~\n', '`', '``', '<', '>', '</', '&lt;', '&', '<![CDATA[', ']]>', '\ud83d', '\ude00', '🙂', '\u0130', 'path', 'x',
)
const wholePart = fc.oneof(xmlPart, JSON_TOOLS.openai, JSON_TOOLS.gemini, JSON_TOOLS.default, sentinel).map(({ text }) => text)
export const piece = fc.oneof({ weight: 6, arbitrary: fragment }, { weight: 3, arbitrary: wholePart }, { weight: 2, arbitrary: fc.tuple(wholePart, fc.nat(80)).map(([text, size]) => text.slice(0, size)) }, { weight: 1, arbitrary: fc.tuple(wholePart, fc.nat(40)).map(([text, from]) => text.slice(from)) })
const nearly = fc.tuple(joinedOf(wholePart, 3), fc.nat(300), fc.nat(300), joinedOf(fragment, 3), fc.nat(300)).map(([text, from, size, between, end]) => {
  const at = Math.min(from, text.length)
  const whole = text.slice(0, at) + between + text.slice(at + (size % 12))
  return end % 3 === 0 ? whole.slice(0, end) : whole
})
export const stream = fc.oneof(nearly, fc.array(piece, { maxLength: 14, size: 'max' }).map((all) => all.join('')))

const order = fc.constantFrom(['xml_tag'], ['xml_tag'], ['json_tool'], ['sentinel'], ['xml_tag', 'json_tool', 'sentinel'], ['json_tool', 'sentinel', 'xml_tag'], ['sentinel', 'json_tool'])
export const anyConfig = fc.tuple(order, fc.constantFrom('openai', 'gemini', 'default', ['{"a":', '[{"a":']), fc.constantFrom('parse', 'parse', 'text'), fc.boolean()).map(([strategyOrder, jsonProfile, fences, hasStates]) => ({ strategyOrder, jsonProfile, fences, ...(hasStates && { toolStates: STATES }) }))
