// Builds the browser demo and serves it.
//
//     npm run www                    on port 8080, or the next free one
//     npm run www -- --port 3000     on this port
import { createServer } from 'node:http'
import { exit } from 'node:process'
import { parseArgs } from 'node:util'
import sirv from 'sirv'
import { buildPage, dist } from './build.mjs'

const FIRST = 8080
const TRIES = 20

try {
  const wanted = readPort()
  await buildPage()
  const server = createServer(sirv(dist, { dev: true }))
  const port = wanted === undefined ? await listenFrom(server, FIRST) : await listen(server, wanted)
  console.log(`The demo is at http://localhost:${port}/ (Ctrl+C ends it).`)
} catch (error) {
  console.error(error.message)
  exit(1)
}

/** The requested port. */
function readPort() {
  const { values } = parseArgs({ options: { port: { type: 'string' } } })
  if (values.port === undefined) return undefined
  const port = Number(values.port)
  if (values.port.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port must be a number from 0 to 65535, but is "${values.port}".`)
  return port
}

/** The first free port. */
async function listenFrom(server, first) {
  for (let port = first; ; port++) {
    try {
      return await listen(server, port)
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port >= first + TRIES) throw error
    }
  }
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve(server.address().port)
    })
  })
}
