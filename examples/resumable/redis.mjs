// Starts Redis on a free port, with nothing on disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { env } from 'node:process'

/** The URL, and a function that ends it. */
export async function startRedis() {
  const port = await freePort()
  const child = spawn(env.REDIS_SERVER ?? 'redis-server', ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', tmpdir()], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  await new Promise((resolve, reject) => {
    child.once('error', ({ code }) => reject(new Error(`redis-server could not be started (${code}). Install it with your system's package manager (on Debian and Ubuntu: apt-get install redis-server), set REDIS_SERVER to its path, or set REDIS_URL to a Redis that is running.`)))
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${said}`)))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-10_000)
      if (said.includes('Ready to accept connections')) resolve()
    })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
