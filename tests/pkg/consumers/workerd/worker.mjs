// A Cloudflare Worker that runs the entry named in its URL.
import { BlockParser } from 'tokenweir'
import module from 'tokenweir/tokenweir.wasm'
import { runEntry } from '../../scenario/imports.mjs'
import { runSlimSync } from '../../scenario/slim.mjs'

// A Worker compiles WebAssembly at its start, and a parser may be created there too.
const early = new BlockParser()

export default {
  async fetch(request) {
    const entry = new URL(request.url).searchParams.get('entry')
    try {
      if (entry === 'at the start') return new Response(String(early.processChunk('<thinking>a</thinking>b').emissions.length + early.flush().emissions.length))
      return new Response(String(await (entry === 'tokenweir/slim' ? runSlimSync(module) : runEntry(entry))))
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
