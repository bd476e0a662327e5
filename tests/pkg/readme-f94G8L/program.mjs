import { createToolMiddleware, hermesProtocol } from 'tokenweir/ai-sdk'

const middleware = createToolMiddleware({
  protocol: hermesProtocol(),
  // 4 and 5 passed an array of tools; here, as in 2, it is a string with one tool per line.
  toolSystemPromptTemplate: (tools) => `You may call these tools:\n${tools}`,
})
const params = { prompt: [], tools: [{ type: 'function', name: 'now', description: 'The time', inputSchema: { type: 'object' } }] }
console.log((await middleware.transformParams({ params })).prompt[0].content)
