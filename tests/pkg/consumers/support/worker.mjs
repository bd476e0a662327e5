// In a worker of any kind: runs the requested entry, and posts the outcome.
import { runEntry } from '../../scenario/imports.mjs'

addEventListener('message', async ({ data }) => {
  try {
    postMessage(await runEntry(data))
  } catch (error) {
    postMessage(String(error?.stack ?? error))
  }
})
