// A module worker without a bundler. Workers ignore import maps, so the package is
// imported by its URL, which comes with the name of the entry.
import { byEntry } from '../../scenario/by-entry.mjs'

addEventListener('message', async ({ data: entry }) => {
  try {
    postMessage(await byEntry[entry](await import(new URLSearchParams(location.search).get('address'))))
  } catch (error) {
    postMessage(String(error?.stack ?? error))
  }
})
