// A Cloudflare Worker that runs the entry named in its URL.
import { BlockParser } from 'tokenweir/blocks'
import * as tokenweir from 'tokenweir'
import { runEntry } from '../../scenario/imports.mjs'
import { replyScenario } from '../../scenario/reply.mjs'

// A Worker compiles WebAssembly at its start, and a parser may be created there too.
const early = new BlockParser()

export default {
  async fetch(request) {
    const { entry, server } = Object.fromEntries(new URL(request.url).searchParams)
    try {
      if (entry === 'at the start') return new Response(String(early.processChunk('<thinking>a</thinking>b').emissions.length + early.flush().emissions.length))
      if (entry === 'replies') return new Response(String(await replyScenario(tokenweir, server)))
      return new Response(String(await runEntry(entry)))
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
