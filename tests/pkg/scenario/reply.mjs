// Replies from a real server, for each runtime: therefore only the language and `fetch`.

/** Reads each reply of reply-server.mjs at `origin`, and throws on the first error. Returns the number of checks. */
export async function replyScenario({ ResponseError, readReply, visibleText }, origin) {
  const { paths, said } = await (await fetch(`${origin}/expected`)).json()
  let checks = 0
  const same = (what, actual, expected) => {
    const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
    if (got !== wanted) throw new Error(`${what}: ${got} instead of ${wanted}`)
    checks++
  }
  const failure = async (promise) => {
    try {
      await promise
    } catch (error) {
      return error
    }
    throw new Error('nothing was thrown')
  }
  const isClosed = async (id) => {
    for (let tries = 0; tries < 1_000; tries++) {
      if ((await (await fetch(`${origin}/closed?id=${id}`)).text()) === 'true') return true
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return false
  }

  for (const path of paths) {
    for (const size of [1, 7, 100_000]) {
      const { text, thinking, finishReason } = await readReply(await fetch(`${origin}${path}?size=${size}`)).result()
      same(`${path} in pieces of ${size}`, { text, thinking }, said)
      same(`${path} ends`, finishReason, path === '/text' ? undefined : 'stop')
    }
    let shown = ''
    for await (const text of visibleText(fetch(`${origin}${path}`))) shown += text
    same(`${path}, what is visible`, shown, said.text)
  }

  const limited = await failure(readReply(fetch(`${origin}/429`)).result())
  same('a status', [limited instanceof ResponseError, limited.status, limited.code, limited.body.length > 10], [true, 429, 'rate_limit_error', true])
  const broken = await failure(visibleText(fetch(`${origin}/500`)).next())
  same('a long body', [broken.status, broken.code, broken.body.length], [500, undefined, 65_536])
  same('no body', (await failure(readReply(await fetch(`${origin}/404`)).next())).message, 'the server answered with status 404')

  const run = `${Math.random()}`.slice(2)
  for (const [how, leave] of Object.entries({
    'an abort': async (url) => {
      const stop = new AbortController()
      const reply = readReply(await fetch(url), { signal: stop.signal })
      for (let events = 0; events < 2; events++) await reply.next()
      const waiting = reply.next()
      stop.abort(new Error('enough'))
      const begun = Date.now()
      same('the reason', (await failure(waiting)).message, 'enough')
      same('immediately', Date.now() - begun < 100, true)
      same('and from result', (await failure(reply.result())).message, 'enough')
    },
    'return while it waits': async (url) => {
      const texts = visibleText(await fetch(url))
      await texts.next()
      const waiting = texts.next()
      same('return', (await texts.return()).done, true)
      same('what waits', (await waiting).done, true)
    },
    'leaving the loop': async (url) => {
      for await (const text of visibleText(fetch(url))) {
        same('text before', text.length > 0, true)
        break
      }
    },
    'a stop sequence': async (url) => {
      const { text, finishReason } = await readReply(fetch(url), { stopSequences: ['\nAlice:'] }).result()
      same('text up to it', [text, finishReason], ['Hello.', 'stop'])
    },
  })) {
    const id = `${run}-${how.replaceAll(' ', '-')}`
    await leave(`${origin}/stall?id=${id}`)
    same(`${how} closes the connection`, await isClosed(id), true)
  }
  return checks
}
