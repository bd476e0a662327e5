// Serves the pages of this folder, and the package for their import maps.
//
//     npm run build && node examples/serve.mjs [--port 8080]
//     npm run build && node examples/serve.mjs resumable   starts examples/resumable instead
//
// A browser can't read node_modules. `/tokenweir/<entry>` redirects it to the file
// that the package exports for that entry, as Node would.
import { createServer } from 'node:http'
import { exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import sirv from 'sirv'

const { values, positionals } = parseArgs({ options: { port: { type: 'string', default: '8080' } }, allowPositionals: true })
const port = Number(values.port)
const [example, ...others] = positionals
if (others.length > 0 || (example !== undefined && example !== 'resumable')) {
  console.error(`There is no server for "${positionals.join(' ')}"; there is one for "resumable".`)
  exit(2)
}
if (example === undefined) servePages()
else await startResumable()

function servePages() {
  const root = new URL('./', import.meta.resolve('tokenweir/package.json')).href
  const pages = sirv(fileURLToPath(new URL('./', import.meta.url)), { dev: true })
  const files = sirv(fileURLToPath(root), { dev: true })

  createServer((request, response) => {
    const missing = () => response.writeHead(404).end('There is no such page.')
    if (request.url === '/') return response.writeHead(302, { location: '/visible-filter.html' }).end()
    if (request.url.startsWith('/package/')) {
      request.url = request.url.slice('/package'.length)
      return files(request, response, missing)
    }
    if (!/^\/tokenweir(\/|$)/.test(request.url)) return pages(request, response, missing)
    try {
      response.writeHead(302, { location: import.meta.resolve(request.url.slice(1)).replace(root, '/package/') }).end()
    } catch {
      missing()
    }
  }).listen(port, '127.0.0.1', function () {
    const { port } = this.address()
    for (const page of ['visible-filter', 'fields-form', 'guarded-chat', 'in-browser-model']) console.log(`http://127.0.0.1:${port}/${page}.html`)
  })
}

async function startResumable() {
  const { start } = await import('./resumable/start.mjs')
  try {
    await start(port)
  } catch (error) {
    console.error(error.message)
    exit(1)
  }
}
