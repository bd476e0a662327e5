// Vite, and an endpoint that replaces a model: it sends a reply in chunks of a few
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

async function answer(request, response) {
  const pace = Number(new URL(request.url, 'http://localhost').searchParams.get('pace') ?? 20)
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  for (const [piece] of reply.matchAll(/.{1,4}/gsu)) {
    if (response.destroyed) return console.log('reply: stopped')
    response.write(piece)
    await wait(pace)
  }
  response.end()
  console.log('reply: sent')
}

export default defineConfig({
  plugins: [
    {
      name: 'model',
      configureServer: ({ middlewares }) => void middlewares.use('/api/reply', answer),
      configurePreviewServer: ({ middlewares }) => void middlewares.use('/api/reply', answer),
    },
  ],
  // In this repository the package is a link to pkg/, outside this folder.
  server: { fs: { allow: ['../..'] } },
})
