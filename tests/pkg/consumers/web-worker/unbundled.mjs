// A module worker without a bundler. Workers ignore import maps, so the package is
// imported by its URL, which comes with the name of the entry.
import { byEntry } from '../../scenario/by-entry.mjs'
import { replyScenario } from '../../scenario/reply.mjs'

addEventListener('message', async ({ data: entry }) => {
  try {
    const run = entry === 'replies' ? (tokenweir) => replyScenario(tokenweir, location.origin) : byEntry[entry]
    const address = new URLSearchParams(location.search).get('address')
    // What saves and restores has no exports: what uses it are the parsers.
    const parsers = entry === 'tokenweir/snapshot' ? await import(address.replace('snapshot', 'blocks')) : {}
    postMessage(await run({ ...parsers, ...(await import(address)) }))
  } catch (error) {
    postMessage(String(error?.stack ?? error))
  }
})
