// An edge function that runs the entry named in its address.
import { runEntry } from '../../scenario/imports.mjs'

addEventListener('fetch', (event) => event.respondWith(answer(new URL(event.request.url).searchParams.get('entry'))))

async function answer(entry) {
  try {
    return new Response(String(await runEntry(entry)))
  } catch (error) {
    return new Response(String(error?.stack ?? error), { status: 500 })
  }
}
