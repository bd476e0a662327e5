// Starts Redis on a free port. It writes each command to its append-only file before it
// answers (appendfsync always), so nothing that it has answered is lost when it is killed
// and started again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

/** The URL, a function that kills it, and one that ends it for good. One that ends otherwise is started again, after so many milliseconds. */
export async function startRedis({ restartAfter = 1000 } = {}) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'resumable-redis-'))
  let isOver = false
  let child
  const run = async () => {
    child = await launch(port, folder)
    child.once('exit', async () => {
      await wait(restartAfter)
      if (!isOver) await run().catch((error) => console.error(error.message))
    })
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  try {
    await run()
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async stop() {
      isOver = true
      const ended = kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      await ended
    },
  }
}

/** Resolves when it accepts connections, after it has read its file. */
async function launch(port, folder) {
  const settings = { bind: '127.0.0.1', port, dir: folder, save: '', appendonly: 'yes', appendfsync: 'always' }
  const child = spawn(env.REDIS_SERVER ?? 'redis-server', Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]), { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  await new Promise((resolve, reject) => {
    child.once('error', ({ code }) => reject(new Error(`redis-server could not be started (${code}). Install it with your system's package manager (on Debian and Ubuntu: apt-get install redis-server), set REDIS_SERVER to its path, or set REDIS_URL to a Redis that is running.`)))
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${said}`)))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-10_000)
      if (said.includes('Ready to accept connections')) resolve()
    })
  })
  return child
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
