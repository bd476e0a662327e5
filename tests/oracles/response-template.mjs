// Formats made by `fromResponseTemplate` compared with the parser of transformers, which reads the
// templates themselves, on random replies: of each template's own markers, whole, cut and changed.
import { fromResponseTemplate } from 'tokenweir/formats'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { choices, readAtCuts } from './choices.mjs'
import { exact } from './exact.mjs'
import { recordedAgain } from './python.mjs'

const transform = { type: 'function', function: { name: '{name}', arguments: '{content}' } }
const anchor = '<|start|>assistant'

/** Templates like those of models; with each how a call is written. */
const TEMPLATES = {
  hermes: {
    fields: {
      thinking: { open: '<think>', close: '</think>', content: 'text' },
      tool_calls: { open: '<tool_call>', close: '</tool_call>', repeats: true, content: 'json', transform: { type: 'function', function: { name: '{content.name}', arguments: '{content.arguments}' } } },
      content: { content: 'text' },
    },
    call: (name, args) => `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`,
    thinking: (text) => `<think>${text}</think>`,
  },
  named: {
    fields: {
      thinking: { open: '[THINK]', close: '[/THINK]', content: 'text' },
      tool_calls: { open_pattern: '<call:(?P<name>\\w+)>', close: '</call>', repeats: true, content: 'json', transform },
      content: { close: '<eos>', content: 'text' },
    },
    call: (name, args) => `<call:${name}>${args}</call>`,
    thinking: (text) => `[THINK]${text}[/THINK]`,
  },
  list: {
    fields: {
      content: { open: '<|START_RESPONSE|>', close: '<|END_RESPONSE|>', content: 'text' },
      thinking: { open: '<|START_THINKING|>', close: '<|END_THINKING|>', content: 'text' },
      tool_calls: { open: '<|START_ACTION|>', close: '<|END_ACTION|>', content: 'json', transform_each: true, transform: { type: 'function', function: { name: '{tool_name}', arguments: '{parameters}' } } },
    },
    call: (name, args) => `<|START_ACTION|>[{"tool_name": ${JSON.stringify(name)}, "parameters": ${args}}]<|END_ACTION|>`,
    thinking: (text) => `<|START_THINKING|>${text}<|END_THINKING|>`,
    text: (text) => `<|START_RESPONSE|>${text}<|END_RESPONSE|>`,
  },
  messages: {
    fields: {
      thinking: { open: '<|channel|>analysis<|message|>', close: '<|end|>', content: 'text' },
      content: { open: '<|channel|>final<|message|>', close: '<|end|>', content: 'text' },
      tool_calls: { open_pattern: '<\\|channel\\|>commentary to=functions\\.(?P<name>\\w+).*?<\\|message\\|>', close: '<|call|>', repeats: true, content: 'json', transform },
    },
    call: (name, args) => `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${args}<|call|>`,
    thinking: (text) => `<|channel|>analysis<|message|>${text}<|end|>`,
    text: (text) => `<|channel|>final<|message|>${text}<|end|>`,
    between: anchor,
  },
  values: {
    fields: {
      tool_calls: { open_pattern: '<function=(?P<name>\\w+)>', close: '</function>', repeats: true, content: 'xml-inline', content_args: { tag_pattern: '<parameter=(?P<key>\\w+)>\\n?(?P<value>.*?)\\n?</parameter>' }, transform },
      content: { content: 'text' },
    },
    call: (name, args) => `<function=${name}>\n${Object.entries(JSON.parse(args)).map(([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`).join('')}</function>`,
  },
}

const formats = Object.fromEntries(Object.entries(TEMPLATES).map(([name, { fields }]) => [name, fromResponseTemplate({ start_anchor: anchor, fields }, { id: name })]))

const TEXTS = ['Paris', 'I look it up.', 'a < b', '{', '}', '[1]', '"', '\\', ' ', '\n', 'é', '💩', '<b>', '</call', '<tool_', 'null', '42', '<|', '<parameter=x>', '</parameter>']

/** Calls, text and reasoning, some of them changed. */
function document(seed, nth) {
  const choose = choices(seed, nth)
  const { among, chance, many, below } = choose
  const name = among(Object.keys(TEMPLATES))
  const { call, thinking, text = (said) => said, between = '' } = TEMPLATES[name]
  const said = () => many(4, () => among(TEXTS)).join('')
  const value = (depth) => {
    const kind = below(depth > 1 ? 5 : 7)
    if (kind < 2) return said()
    if (kind < 4) return among([0, 1, -2.5, 1e21, true, false, null])
    if (kind === 4) return among(['', 'Paris'])
    return kind === 5 ? many(3, () => value(depth + 1)) : Object.fromEntries(many(3, () => [among(['a', 'b', 'key', '__x']), value(depth + 1)]))
  }
  const args = () => JSON.stringify(Object.fromEntries(many(3, () => [among(['location', 'n', 'path', 'l']), value(0)])))
  const parts = []
  if (thinking !== undefined && chance(1, 2)) parts.push(thinking(said()))
  if (chance(2, 3)) parts.push(text(said()))
  parts.push(...many(2, () => call(among(['get_weather', 'f']), args())))
  let reply = parts.join(between)
  if (chance(1, 4)) reply = reply.slice(0, below(reply.length + 1))
  if (chance(1, 6)) {
    const at = below(reply.length + 1)
    reply = reply.slice(0, at) + among(TEXTS) + reply.slice(at + below(3))
  }
  return { name, text: reply }
}

/** What a reply says, without the white space around texts, which only the reference takes off. */
function shown({ text = '', reasoning = '', calls }) {
  return exact({ text: collapsed(text), reasoning: collapsed(reasoning), calls })
}

const collapsed = (text) => text.trim().replace(/\s+/g, ' ')

function readReference({ error, content, thinking, tool_calls: calls = [] }) {
  if (error !== undefined) return error
  return shown({ text: content, reasoning: thinking, calls: calls.map(({ function: { name, arguments: args } }) => ({ name, args })) })
}

function readHere(name, chunks) {
  const parser = new ToolCallParser({ format: formats[name], prefill: '' })
  const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
  const joined = (type) => parts.map((part) => (part.type === type ? part.delta : '')).join('')
  return shown({ text: joined('text-delta'), reasoning: joined('reasoning-delta'), calls: parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => ({ name: toolName, args: JSON.parse(input) })) })
}

/** Replies with the reference's messages. */
async function answered(documents) {
  const lines = await recordedAgain('response_template.py', '--documents', documents.map(({ name, text }) => ({ template: { start_anchor: anchor, fields: TEMPLATES[name].fields }, text, prefix: anchor })))
  return lines.map(({ theirs }, at) => ({ ...documents[at], theirs }))
}

const both = (...answers) => answers.map((text) => JSON.parse(text))

export const responseTemplate = {
  name: 'formats-transformers',
  needsPython: true,
  count: 3_000,

  async *documents(seed, count) {
    yield* await answered(Array.from({ length: count }, (_, nth) => document(seed, nth)))
  },

  /** The reference's messages for replies by the name of a template. */
  complete: answered,

  compare({ name, text, theirs }) {
    return { ours: readAtCuts(text, (chunks) => readHere(name, chunks)), theirs: readReference(theirs) }
  },

  rules: {
    // What can't be read as a call is text; there the whole reply is refused.
    'refused-reply': (_, { theirs }) => theirs === 'ValueError' || theirs === 'KeyError',
    // Tagged values between which something else stands, or that are cut, are text; there what is whole among them is a call.
    'cut-values': ({ name }, { ours, theirs }) => {
      const [here, there] = both(ours, theirs)
      return name === 'values' && here.text.includes('<function=') && here.calls.length <= there.calls.length
    },
    // A value whose last closing marker is missing ends at that of the call; there the argument is lost.
    'open-value': ({ name, text }, { ours, theirs }) => {
      const [here, there] = both(ours, theirs).map(({ calls }) => calls)
      return name === 'values' && here.length <= there.length && /<parameter=\w+>(?:(?!<\/parameter>)[^])*<\/function>/.test(text)
    },
    // White space before a marker's `>`, and before a name in one, is passed over. Without it the same is read.
    'spaced-marker': ({ name, text }, { ours }) => {
      const tight = text.replace(/\s+>/g, '>').replace(/(<(?:function=|parameter=|call:))\s+/g, '$1')
      return tight !== text && readHere(name, [tight]) === ours
    },
    // What opens a region opens it in another one that was not closed, too; there only its own closing marker ends that.
    'open-region': ({ name }, { ours, theirs }) => {
      const [here, there] = both(ours, theirs)
      return (name === 'messages' || name === 'list') && /<\|(channel|START_)/.test(there.text + there.reasoning) && here.calls.length >= there.calls.length
    },
    // A group of a pattern is a name of any characters; there it is one of letters and digits, as the pattern has it.
    'any-name': (_, { ours }) => JSON.parse(ours).calls.some(({ name, args }) => [name, ...Object.keys(args)].some((each) => /[^A-Za-z0-9_]/.test(each))),
    // Arguments are an object; there they are any JSON.
    'any-arguments': (_, { theirs }) => JSON.parse(theirs).calls.some(({ args }) => typeof args !== 'object' || args === null || Array.isArray(args)),
    // A call has a name; there it may be empty.
    'empty-name': (_, { theirs }) => JSON.parse(theirs).calls.some(({ name }) => name === ''),
    // A message begins with its header's first marker; there a header may begin anywhere.
    'damaged-header': ({ name }, { ours, theirs }) => {
      const [here, there] = both(ours, theirs)
      return name === 'messages' && here.text.includes('<|channel|>') && here.calls.length <= there.calls.length
    },
    // A closing tag ends a value where the grammar goes on after it; there the first one does.
    'first-closer': ({ name, text }, { ours, theirs }) => {
      const [here, there] = both(ours, theirs).map(({ calls }) => calls)
      const isInside = /<\/parameter>(?!\s*(<parameter=|<\/function>|$))/.test(text)
      return name === 'values' && isInside && here.length <= there.length && here.every((call, at) => call.name === there[at].name)
    },
    // Text outside of regions stays, and a second region is added to the first; there the text is dropped, and the last region counts.
    'all-regions': (_, { ours, theirs }) => {
      const [here, there] = both(ours, theirs)
      const ends = exact(here.calls.slice(here.calls.length - there.calls.length)) === exact(there.calls)
      const has = (all, part) => all.replaceAll(' ', '').includes(part.replaceAll(' ', ''))
      return ends && has(here.text, there.text) && has(here.reasoning, there.reasoning)
    },
  },
}
