// One loop, five providers, each on a bad day: overloaded, cut off, broken off.
//
//     node examples/providers-loop/start.mjs
//
// The loop is in loop.mjs, what differs between providers in requests.mjs, the server that plays them in server.mjs.
import { answer } from './loop.mjs'
import { badDay } from './server.mjs'

for (const provider of /** @type {const} */ (['anthropic', 'openai', 'responses', 'gemini', 'ollama'])) {
  const server = await badDay()
  console.log(`${provider}:`)
  const text = await answer(provider, server.url, 'Where is it warmest?', (name, args) => {
    console.log(`  ${name} ${JSON.stringify(args)}`)
    return typeof args === 'object' && args !== null && 'city' in args ? `${args.city}: rain` : 'no city'
  })
  console.log(`  ${text} (${server.requests()} requests)`)
  server.close()
}
