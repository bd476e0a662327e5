// A module worker without a bundler. Workers ignore import maps, so the package is
// imported by its URL, which comes with the name of the entry.
import { byEntry } from '../../scenario/by-entry.mjs'
import { replyScenario } from '../../scenario/reply.mjs'

addEventListener('message', async ({ data: entry }) => {
  try {
    const run = entry === 'replies' ? (tokenweir) => replyScenario(tokenweir, location.origin) : byEntry[entry]
    const address = new URLSearchParams(location.search).get('address')
    postMessage(await run(await import(address)))
  } catch (error) {
    postMessage(String(error?.stack ?? error))
  }
})
