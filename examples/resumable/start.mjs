// Starts everything: Redis, the model, two servers, and a balancer before them, whose
// address it prints. A server that is killed is started again after a second, and so is Redis.
//
//     node examples/serve.mjs resumable [--port 8080]
//
// With REDIS_URL it uses a Redis that is running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import { env, execPath, exit } from 'node:process'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createModel } from './model.mjs'
import { startRedis } from './redis.mjs'

/** The servers that listen, by their process ids. */
const servers = new Map()

const processes = new Set()

export async function start(port) {
  const redis = env.REDIS_URL === undefined ? await startRedis() : { url: env.REDIS_URL, stop() {} }
  process.once('exit', () => {
    for (const child of processes) child.kill('SIGKILL')
    redis.stop()
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => exit())

  const model = createModel().listen(0, '127.0.0.1')
  await once(model, 'listening')
  const settings = { ...env, REDIS_URL: redis.url, MODEL_URL: `http://127.0.0.1:${model.address().port}`, PORT: '0' }
  await Promise.all([keepAlive(settings), keepAlive(settings)])

  const balancer = createServer(balance).listen(port, '127.0.0.1')
  await once(balancer, 'listening')
  console.log(`http://127.0.0.1:${balancer.address().port}/`)
}

/** Runs a server, and after a second again when it ends. */
async function keepAlive(settings) {
  const child = spawn(execPath, [fileURLToPath(new URL('server.mjs', import.meta.url))], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
  processes.add(child)
  child.once('exit', () => processes.delete(child))
  const [address] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`a server ended with ${code} before it listened`)
    }),
  ])
  servers.set(child.pid, { child, address: address.trim() })
  child.once('exit', async () => {
    servers.delete(child.pid)
    await wait(1000)
    await keepAlive(settings)
  })
}

/** Passes a request to a server, in turns; a reader whose server goes loses the connection and comes again. */
async function balance(request, response) {
  const [, victim] = /^\/kill\/(\d+)$/.exec(request.url) ?? []
  if (request.method === 'POST' && victim !== undefined) {
    servers.get(Number(victim))?.child.kill('SIGKILL')
    return response.writeHead(204).end()
  }
  const [first] = servers
  if (first === undefined) return response.destroy()
  const [pid, server] = first
  servers.delete(pid)
  servers.set(pid, server)
  try {
    const { method, url, headers } = request
    const passed = ask(new URL(url, server.address), { method, headers })
    response.once('close', () => passed.destroy())
    pipeline(request, passed).catch(() => {})
    const [reply] = await once(passed, 'response')
    response.writeHead(reply.statusCode, reply.headers)
    await pipeline(reply, response)
  } catch {
    response.destroy()
  }
}
