// What differs between providers: the address, and the body of a request. The model's messages and the results of tools
// don't: `loopMessages` writes them as the provider takes them that was read.

const description = 'The weather of a city'
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { name: 'weather', description, parameters }

/**
 * @typedef {object} Request
 * @property {string} path
 * @property {(question: string) => object} user The message with the question.
 * @property {(messages: object[], maxTokens: number) => object} body
 * @property {boolean} goOn Whether a text goes on if the message is the last one.
 */

/** @satisfies {Record<string, Request>} */
export const REQUESTS = {
  anthropic: {
    path: '/v1/messages',
    user: (content) => ({ role: 'user', content }),
    body: (messages, max_tokens) => ({
      model: 'claude-sonnet-4-5',
      stream: true,
      max_tokens,
      messages,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: weather.name, description, input_schema: parameters }],
    }),
    // Up to Claude 4.5 it does, without thinking.
    goOn: false,
  },
  openai: {
    path: '/v1/chat/completions',
    user: (content) => ({ role: 'user', content }),
    body: (messages, max_completion_tokens) => ({
      model: 'gpt-5',
      stream: true,
      max_completion_tokens,
      messages,
      tools: [{ type: 'function', function: weather }],
    }),
    goOn: false,
  },
  responses: {
    path: '/v1/responses',
    user: (content) => ({ role: 'user', content }),
    body: (input, max_output_tokens) => ({
      model: 'gpt-5',
      stream: true,
      max_output_tokens,
      input,
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', ...weather }],
    }),
    goOn: false,
  },
  gemini: {
    path: '/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse',
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    body: (contents, maxOutputTokens) => ({
      contents,
      generationConfig: { maxOutputTokens },
      tools: [{ functionDeclarations: [weather] }],
    }),
    goOn: false,
  },
  ollama: {
    path: '/api/chat',
    user: (content) => ({ role: 'user', content }),
    body: (messages, num_predict) => ({
      model: 'qwen3',
      stream: true,
      messages,
      options: { num_predict },
      tools: [{ type: 'function', function: weather }],
    }),
    goOn: true,
  },
}
