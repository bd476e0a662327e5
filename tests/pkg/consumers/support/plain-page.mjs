// A page without a bundler: the browser resolves the package with an import map.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { files } from './browser.mjs'

const project = new URL('../../../../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('node_modules/tokenweir/package.json', project)))
const serveFile = files(fileURLToPath(project))

/** The URL of an entry on this server. */
export const addressOf = (entry) => new URL(targetOf(manifest.exports[entry.replace('tokenweir', '.')]), 'file:///node_modules/tokenweir/').pathname

function targetOf(target) {
  if (typeof target === 'string') return target
  const [, chosen] = Object.entries(target).find(([condition]) => ['browser', 'import', 'default'].includes(condition))
  return targetOf(chosen)
}

const imports = Object.fromEntries(
  Object.keys(manifest.exports)
    .map((key) => key.replace('.', 'tokenweir'))
    .map((entry) => [entry, addressOf(entry)]),
)

/** Responds with the page, which has `program` as its script, or with a file of the project. */
export function servePlainPage(program, policy) {
  return (request, response) => {
    if (!request.url.startsWith('/?')) return serveFile(request, response)
    if (policy) response.setHeader('content-security-policy', policy)
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html>
<meta charset="utf-8">
<title>tokenweir</title>
<link rel="icon" href="data:,">
<script type="importmap" nonce="map">${JSON.stringify({ imports })}</script>
<script type="module" src="${program}"></script>
<body></body>
`)
  }
}
