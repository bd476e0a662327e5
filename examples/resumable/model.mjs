// A model that replays recorded replies, and can be asked for a reply from any chunk on.
//
//     GET /replies/<recording>?from=12&size=3&pace=20
//
// sends server-sent events: `id` is the number of a chunk, `data` its text as JSON; the last
// one is [DONE]. `size` is the length of a chunk in characters, `pace` the milliseconds
// between two. `all` is all recordings of Anthropic, one after the other.
//
// A provider that works in this way is OpenAI's Responses API in background mode, with
// `starting_after`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const RECORDINGS = ['anthropic-thinking', 'anthropic-tools', 'anthropic-web-search', 'anthropic-text']

/** The names of the replies. */
export const replies = ['all', ...RECORDINGS]

/** A reply's chunks. */
export function chunksOf(name, size) {
  const names = name === 'all' ? RECORDINGS : [name]
  const text = names.map((name) => readFileSync(new URL(`../streams/${name}.xml`, import.meta.url), 'utf8')).join('\n\n')
  return text.match(new RegExp(`.{1,${size}}`, 'gsu'))
}

export function createModel() {
  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://model')
    const name = pathname.replace('/replies/', '')
    const [from, size, pace] = ['from', 'size', 'pace'].map((key) => Number(searchParams.get(key)))
    if (!replies.includes(name) || !(from >= 1) || !(size >= 1) || !(pace >= 0)) return response.writeHead(400).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [at, text] of chunksOf(name, size).entries()) {
      if (at + 1 < from) continue
      await wait(pace)
      if (response.closed) return
      response.write(`id: ${at + 1}\ndata: ${JSON.stringify(text)}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })
}
