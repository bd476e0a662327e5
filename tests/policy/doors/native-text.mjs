// A model's text in the events of each provider, one event for each piece of it: what `readReply` and `visibleText` make of it.
import { visibleText } from 'tokenweir/blocks'
import { readReply } from 'tokenweir'
import { all } from '../../pkg/support/sources.mjs'

export const sse = (events, last = '') => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + last
export const lines = (events) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
export const chat = (delta, finish = null) => ({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })
export const DONE = 'data: [DONE]\n\n'

/** The text of a whole reply that says some pieces. */
export const SAYING = {
  openai: (pieces) => sse([...pieces.map((content) => chat({ content })), chat({}, 'stop')], DONE),
  completions: (pieces) => sse([...pieces.map((text) => ({ id: 'x', object: 'text_completion', choices: [{ index: 0, text, finish_reason: null }] })), { id: 'x', object: 'text_completion', choices: [{ index: 0, text: '', finish_reason: 'stop' }] }], DONE),
  anthropic: (pieces) =>
    sse([
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'c', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ]),
  openaiResponses: (pieces) =>
    sse([
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta })),
      { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: [] } },
    ]),
  gemini: (pieces) => sse([...pieces.map((text) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] })), { candidates: [{ index: 0, content: { parts: [] }, finishReason: 'STOP' }] }]),
  bedrock: (pieces) => lines([{ messageStart: { role: 'assistant' } }, ...pieces.map((text) => ({ contentBlockDelta: { contentBlockIndex: 0, delta: { text } } })), { contentBlockStop: { contentBlockIndex: 0 } }, { messageStop: { stopReason: 'end_turn' } }]),
  cohere: (pieces) =>
    sse([
      { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
      { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
      ...pieces.map((text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })),
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
    ]),
  ollama: (pieces) => lines([...pieces.map((content) => ({ model: 'm', created_at: 'now', message: { role: 'assistant', content }, done: false })), { model: 'm', created_at: 'now', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }]),
  'ollama generate': (pieces) => lines([...pieces.map((response) => ({ model: 'm', created_at: 'now', response, done: false })), { model: 'm', created_at: 'now', response: '', done: true, done_reason: 'stop' }]),
  mistral: (pieces) => sse([...pieces.map((text) => chat({ content: [{ type: 'text', text }] })), chat({ content: '' }, 'stop')], DONE),
  agUi: (pieces) =>
    sse([
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      ...pieces.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })),
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { finishReason: 'stop' } },
    ]),
  aiSdk: (pieces) => sse([{ type: 'start' }, { type: 'text-start', id: '1' }, ...pieces.map((delta) => ({ type: 'text-delta', id: '1', delta })), { type: 'text-end', id: '1' }, { type: 'finish', finishReason: 'stop' }], DONE),
}

/** The word of a reply that was cut off instead of the last one, in the providers' words; without a reason the last event is missing. */
function cutOff(text, { reason }) {
  if (reason !== undefined) return text.replaceAll(/"(stop|end_turn|STOP|COMPLETE|completed)"/g, (_, word) => `"${{ completed: 'incomplete', STOP: 'MAX_TOKENS', COMPLETE: 'MAX_TOKENS', end_turn: 'max_tokens' }[word] ?? reason}"`).replaceAll('response.completed', 'response.incomplete')
  const events = text.split(/(?<=\n\n)|(?<=\})\n(?!\n)/)
  return events.filter((event) => !/\[DONE\]|"(stop|end_turn|STOP|COMPLETE|completed)"|message_stop/.test(event)).map((event) => (event.endsWith('\n') ? event : `${event}\n`)).join('')
}

async function readResult(pieces, options) {
  const { text, thinking, toolCalls, blocks, finishReason } = await readReply(ReadableStream.from(pieces), options).result()
  return { text, reasoning: thinking, calls: toolCalls.map(({ toolName, args }) => [toolName, args]), blocks, finishReason, problems: [], repairs: [] }
}

async function readVisible(pieces, options) {
  const source = { status: 200, headers: new Headers(), body: ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))) }
  return { text: (await all(visibleText(source, options))).join('') }
}

export default Object.entries(SAYING).flatMap(([name, says]) => {
  // Where the events' text is cut is another question; `says` cuts the model's.
  const common = { family: 'native text', cuts: 'none', write: {}, says }
  return [
    { ...common, name: `readReply, ${name}`, events: (pieces, options) => all(readReply([says(pieces)], options)), read: (pieces, { options, end } = {}) => readResult(end === undefined ? pieces : [cutOff(says(pieces), end)], options) },
    // A text that is cut inside a character is no text that a connection brings.
    { ...common, name: `visibleText, ${name}`, onlyText: true, events: (pieces, options) => all(visibleText([says(pieces)], options)), read: (pieces, { options } = {}) => readVisible(pieces, options) },
  ]
})
