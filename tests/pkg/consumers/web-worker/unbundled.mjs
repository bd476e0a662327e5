// A module worker without a bundler. Workers ignore import maps, so the package is
// imported by its URL, which comes with the name of the entry.
import { byEntry } from '../../scenario/by-entry.mjs'
import { replyScenario } from '../../scenario/reply.mjs'

addEventListener('message', async ({ data: entry }) => {
  try {
    const run = entry === 'replies' ? (blocks) => replyScenario(blocks, location.origin) : byEntry[entry]
    postMessage(await run(await import(new URLSearchParams(location.search).get('address'))))
  } catch (error) {
    postMessage(String(error?.stack ?? error))
  }
})
