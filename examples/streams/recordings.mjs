// The recorded streams in this folder, and their blocks.
//
// `blocksOf` assembles a recording without tokenweir, in the simplest way: it joins
// all pieces of a block. The XML is written from its result and the tests compare
// with it, so it must not share code with the package.
import { createParser } from 'eventsource-parser'
import { readFileSync, readdirSync } from 'node:fs'

const folder = new URL('./', import.meta.url)

/** Names of the recordings. */
export const names = readdirSync(folder).filter((file) => file.endsWith('.sse')).map((file) => file.slice(0, -4)).sort()

/** The method of NativeBlocks that takes a recording's events. */
export function methodOf(name) {
  if (name.startsWith('anthropic-')) return 'anthropic'
  return name.startsWith('openai-responses') ? 'openaiResponses' : 'openai'
}

/** A recording's events, as an SDK would give them. */
export function eventsOf(name) {
  const events = []
  const parser = createParser({ onEvent: ({ data }) => data === '[DONE]' || events.push(JSON.parse(data)) })
  parser.feed(readFileSync(new URL(`${name}.sse`, folder), 'utf8'))
  return events
}

/** The same reply as a model writes it in prefill mode. */
export function xmlOf(name) {
  return readFileSync(new URL(`${name}.xml`, folder), 'utf8')
}

/** The complete blocks of a recording. */
export function blocksOf(name) {
  return { anthropic: ofAnthropic, openai: ofOpenAI, openaiResponses: ofResponses }[methodOf(name)](eventsOf(name))
}

/** Ids of the tool calls, in order. The XML has no place for them. */
export function idsOf(name) {
  return blocksOf(name).filter(({ type }) => type === 'tool_call').map(({ toolId }) => toolId)
}

function ofAnthropic(events) {
  const blocks = []
  for (const { type, index, content_block: start, delta } of events) {
    if (type === 'content_block_start') blocks[index] = { start, text: start.text ?? start.thinking ?? '' }
    if (type === 'content_block_delta') blocks[index].text += delta.text ?? delta.thinking ?? delta.partial_json ?? ''
  }
  return blocks.map(({ start, text }) => {
    // The provider runs its own tools itself.
    const hosted = start.type === 'tool_use' || start.type === 'tool_result' ? {} : { hosted: true }
    if (start.type.endsWith('tool_use')) return { type: 'tool_call', toolId: start.id, toolName: start.name, input: JSON.parse(text || '{}'), ...hosted }
    if (start.type.endsWith('tool_result')) return { type: 'tool_result', toolId: start.tool_use_id, content: JSON.stringify(start.content), ...hosted }
    return { type: start.type, content: text }
  })
}

function ofOpenAI(events) {
  let content = ''
  const calls = []
  for (const { choices: [choice] } of events) {
    content += choice?.delta.content ?? ''
    for (const { index, id, function: { name, arguments: text } } of choice?.delta.tool_calls ?? []) {
      calls[index] ??= { toolId: id, toolName: name, text: '' }
      calls[index].text += text
    }
  }
  const text = content === '' ? [] : [{ type: 'text', content }]
  return [...text, ...calls.map(({ toolId, toolName, text }) => ({ type: 'tool_call', toolId, toolName, input: JSON.parse(text) }))]
}

function ofResponses(events) {
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
  return [{ type: 'text', content: deltas.join('') }]
}
