// Vite, and endpoints that replace a model: each sends a reply in chunks of a few
// characters, stops when the reader leaves, and reports how it ended.
import { setTimeout as wait } from 'node:timers/promises'
import { defineConfig } from 'vite'

const reply = `Let me look. <thinking>The user wants to know whether to take a coat. First the weather, then the calendar.</thinking>I will ask two services.
<function_calls>
<invoke name="weather">
<parameter name="city">Zürich</parameter>
<parameter name="days">2</parameter>
</invoke>
<invoke name="calendar">
<parameter name="query">walks & trips, 5 < 7 pm</parameter>
</invoke>
</function_calls>
<function_results>
<result>5 degrees</result>
</function_results>
It is 5 < 7 degrees: take a <b>coat</b> 🧥.`

const file = JSON.stringify({ path: 'notes/zürich.md', content: '# Zürich\n\n- 5 < 7 degrees 🧥\n- "walks" & trips\n' })

const answer = sending('text/plain; charset=utf-8', reply.match(/.{1,4}/gsu))
const answerWithFile = sending('text/event-stream', [
  eventOf({ id: 'call_1', function: { name: 'write_file', arguments: '' } }),
  ...file.match(/.{1,4}/gsu).map((piece) => eventOf({ function: { arguments: piece } })),
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
])

/** An event of chat completions. */
function eventOf(call) {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }] })}\n\n`
}

function sending(type, pieces) {
  return async (request, response) => {
    const pace = Number(new URL(request.url, 'http://localhost').searchParams.get('pace') ?? 20)
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
    for (const piece of pieces) {
      if (response.destroyed) return console.log('reply: stopped')
      response.write(piece)
      await wait(pace)
    }
    response.end()
    console.log('reply: sent')
  }
}

function endpoints({ middlewares }) {
  middlewares.use('/api/reply', answer)
  middlewares.use('/api/file', answerWithFile)
}

export default defineConfig({
  plugins: [
    {
      name: 'model',
      configureServer: endpoints,
      configurePreviewServer: endpoints,
    },
  ],
  // In this repository the package is a link to pkg/, outside this folder.
  server: { fs: { allow: ['../..'] } },
})
