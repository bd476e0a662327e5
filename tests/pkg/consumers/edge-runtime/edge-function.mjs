// An edge function that runs the entry named in its address.
import module from 'tokenweir/tokenweir.wasm?module'
import { runEntry } from '../../scenario/imports.mjs'
import { runSlimSync } from '../../scenario/slim.mjs'

addEventListener('fetch', (event) => event.respondWith(answer(new URL(event.request.url).searchParams.get('entry'))))

async function answer(entry) {
  try {
    return new Response(String(await (entry === 'tokenweir/slim' ? runSlimSync(module) : runEntry(entry))))
  } catch (error) {
    return new Response(String(error?.stack ?? error), { status: 500 })
  }
}
