// Texts to play: written for this page, recorded, and from the test cases.

import weather from '../../examples/streams/anthropic-tools.xml'
import thinking from '../../examples/streams/anthropic-thinking.xml'
import webSearch from '../../examples/streams/anthropic-web-search.xml'
import codingAgent from '../../examples/streams/agent-turn.txt'
import caseCalls from 'case:block/calls#two-invokes'
import caseFields from 'case:field/reference-failures#object-done-and-more-keys'
import caseSegments from 'case:segment/reference-failures#b03-less-before-each'
import caseHermes from 'case:tool_call/hermes-repairs#many-raw-lines'
import caseMorph from 'case:tool_call/morph-values#numbers'
import { prefillOf } from './readings/formats'
import type { Format } from 'tokenweir/formats'
import type { FrontEnd } from './readings/front-ends'
import agentTurn from './samples/agent-turn.xml'
import argumentsCut from './samples/arguments-cut.txt'
import argumentsFile from './samples/arguments-file.txt'
import argumentsPatch from './samples/arguments-patch.txt'
import argumentsReplace from './samples/arguments-replace.txt'
import argumentsTyped from './samples/arguments-typed.txt'
import angles from './samples/angles.xml'
import answer from './samples/answer.txt'
import brokenAnswer from './samples/answer-broken.txt'
import customTags from './samples/custom-tags.xml'
import hermes from './samples/hermes.txt'
import morph from './samples/morph.txt'
import patch from './samples/patch.txt'
import readme from './samples/readme.txt'
import replyGemma from './samples/reply-gemma.txt'
import replyGptOss from './samples/reply-gpt-oss.txt'
import replyQwen from './samples/reply-qwen.txt'
import searchReplace from './samples/search-replace.txt'
import segmentsJson from './samples/segments-json.txt'
import segmentsSentinel from './samples/segments-sentinel.txt'
import segmentsXml from './samples/segments-xml.txt'

/** A text, and the parser it is meant for. */
export interface Sample {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly text: string
  readonly frontEnd: FrontEnd
  readonly strategy?: 'xml' | 'json' | 'sentinel'
  readonly protocol?: 'hermes' | 'morph'
  readonly schema?: string
  readonly tags?: string
  /** The id of a format, the name of a model that has it, and what the prompt ended with. */
  readonly format?: string
  readonly model?: string
  readonly prefill?: string
}

const SCHEMA = `{
  "title": "str",
  "summary": "str",
  "days": "int",
  "stops": [{ "place": "str", "hours": "float" }]
}`

/** The schemas of the tools in the samples of arguments. */
const schemaOf = (...names: string[]): string => JSON.stringify({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) }, null, 1)

/** The tools in the samples. */
export const TOOLS = JSON.stringify(
  {
    get_weather: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' }, hourly: { type: 'boolean' } } },
    write_file: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
    plan_trip: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        stops: { type: 'array', items: { type: 'string' } },
        budget: { type: 'object', properties: { amount: { type: 'number' }, currency: { type: 'string' } } },
      },
    },
    add: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  },
  null,
  1,
)

/** The tools in the samples of the formats. */
export const FORMAT_TOOLS = JSON.stringify(
  {
    get_weather: { type: 'object', properties: { location: { type: 'string' }, city: { type: 'string' }, unit: { type: 'string' } } },
    save: { type: 'object', properties: { number: { type: 'integer' } } },
    get_time: { type: 'object', properties: {} },
    read_file: { type: 'object', properties: { path: { type: 'string' } } },
    search: { type: 'object', properties: { query: { type: 'string' } } },
  },
  null,
  1,
)

const WRITTEN = 'Written for this page'
const RECORDED = 'Examples and recordings'
const CASES = 'Test cases'
const FORMAT_GROUP = 'Wire formats of models'
/** The id of the sample that a format has itself. There is one at a time, that of the chosen format. */
const FORMAT_SAMPLE = 'format'

/** A format's name for people, and its id where that says something else. */
export function nameOf({ id, title = id }: Format): string {
  return plain(title) === plain(id) ? title : `${title} · ${id}`
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

export const SAMPLES: readonly Sample[] = [
  { id: 'readme', group: WRITTEN, label: 'Qwen3: is 97 prime?', text: readme, frontEnd: 'formats', format: 'qwen3', model: 'qwen3' },
  { id: 'agent-turn', group: WRITTEN, label: 'Agent turn: thinking, calls, results', text: agentTurn, frontEnd: 'blocks' },
  { id: 'angles', group: WRITTEN, label: 'Text full of <', text: angles, frontEnd: 'blocks' },
  { id: 'custom-tags', group: WRITTEN, label: 'Custom tags: <scratchpad>', text: customTags, frontEnd: 'blocks', tags: 'scratchpad' },
  { id: 'segments-xml', group: WRITTEN, label: 'Files and commands as XML', text: segmentsXml, frontEnd: 'segments', strategy: 'xml' },
  { id: 'segments-json', group: WRITTEN, label: 'Tools as JSON', text: segmentsJson, frontEnd: 'segments', strategy: 'json' },
  { id: 'segments-sentinel', group: WRITTEN, label: 'Files and commands as sentinels', text: segmentsSentinel, frontEnd: 'segments', strategy: 'sentinel' },
  { id: 'answer', group: WRITTEN, label: 'JSON answer in prose and a fence', text: answer, frontEnd: 'fields', schema: SCHEMA },
  { id: 'answer-broken', group: WRITTEN, label: 'Broken JSON answer, cut off', text: brokenAnswer, frontEnd: 'fields' },
  { id: 'hermes', group: WRITTEN, label: 'Hermes tool calls', text: hermes, frontEnd: 'tool-calls', protocol: 'hermes' },
  { id: 'morph', group: WRITTEN, label: 'Morph XML tool calls', text: morph, frontEnd: 'tool-calls', protocol: 'morph' },
  { id: 'reply-qwen', group: WRITTEN, label: 'Qwen3.5: thinking, text, calls', text: replyQwen, frontEnd: 'formats', format: 'qwen3.5' },
  { id: 'reply-gemma', group: WRITTEN, label: 'Gemma 4: thinking, text, calls', text: replyGemma, frontEnd: 'formats', format: 'gemma4' },
  { id: 'reply-gpt-oss', group: WRITTEN, label: 'gpt-oss: channels', text: replyGptOss, frontEnd: 'formats', format: 'harmony' },
  { id: 'patch', group: WRITTEN, label: 'A patch of three files', text: patch, frontEnd: 'edits' },
  { id: 'search-replace', group: WRITTEN, label: 'A block to search and replace', text: searchReplace, frontEnd: 'edits' },
  { id: 'arguments-replace', group: WRITTEN, label: 'Edits: old text and new text', text: argumentsReplace, frontEnd: 'arguments', schema: schemaOf('path', 'edits', 'reason') },
  { id: 'arguments-file', group: WRITTEN, label: 'A file', text: argumentsFile, frontEnd: 'arguments', schema: schemaOf('path', 'content', 'mode') },
  { id: 'arguments-patch', group: WRITTEN, label: 'A patch of several files', text: argumentsPatch, frontEnd: 'arguments', schema: schemaOf('input') },
  { id: 'arguments-typed', group: WRITTEN, label: 'Numbers and lists', text: argumentsTyped, frontEnd: 'arguments', schema: schemaOf('title', 'stops', 'budget', 'shared') },
  { id: 'arguments-cut', group: WRITTEN, label: 'Cut off in the text of a file', text: argumentsCut, frontEnd: 'arguments', schema: schemaOf('path', 'content', 'mode') },
  { id: 'recorded-thinking', group: RECORDED, label: 'Recorded: thinking, then text', text: thinking, frontEnd: 'blocks' },
  { id: 'recorded-tools', group: RECORDED, label: 'Recorded: two tool calls', text: weather, frontEnd: 'blocks' },
  { id: 'recorded-search', group: RECORDED, label: 'Recorded: a web search', text: webSearch, frontEnd: 'blocks' },
  { id: 'coding-agent', group: RECORDED, label: 'Coding agent, cut off in a command', text: codingAgent, frontEnd: 'segments', strategy: 'xml' },
  { id: 'case-calls', group: CASES, label: 'Two calls in parallel', text: caseCalls, frontEnd: 'blocks' },
  { id: 'case-segments', group: CASES, label: '< before each tag', text: caseSegments, frontEnd: 'segments', strategy: 'xml' },
  { id: 'case-fields', group: CASES, label: 'More keys after an object', text: caseFields, frontEnd: 'fields' },
  { id: 'case-hermes', group: CASES, label: 'Hermes: raw lines in a string', text: caseHermes, frontEnd: 'tool-calls', protocol: 'hermes' },
  { id: 'case-morph', group: CASES, label: 'Morph: numbers', text: caseMorph, frontEnd: 'tool-calls', protocol: 'morph' },
]

/** The sample that a format has itself, which is mostly a call alone. */
export function ownSampleOf(format: Format): Sample {
  return { id: FORMAT_SAMPLE, group: FORMAT_GROUP, label: "The format's own sample", text: format.sample ?? '', frontEnd: 'formats', format: format.id, prefill: prefillOf(format) }
}

/** Whether a sample is one that a format has itself. */
export function isOwnSample({ id }: Sample): boolean {
  return id === FORMAT_SAMPLE
}

/** The sample that a format begins with. */
export function firstSampleOf(format: Format): Sample {
  return SAMPLES.find((one) => one.format === format.id) ?? ownSampleOf(format)
}
