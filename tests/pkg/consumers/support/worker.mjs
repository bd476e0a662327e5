// In a worker of any kind: runs the entry that it is asked for, and answers with the outcome.
import { runEntry } from '../../scenario/imports.mjs'

addEventListener('message', async ({ data }) => {
  try {
    postMessage(await runEntry(data))
  } catch (error) {
    postMessage(String(error?.stack ?? error))
  }
})
