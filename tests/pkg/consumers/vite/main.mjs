// The page's program, as written for Vite.
import { runEntry } from '../../scenario/imports.mjs'
import { askWorker } from '../support/ask-worker.mjs'
import { report } from '../support/report.mjs'

report(async (entry) => {
  if (entry === 'worker') return askWorker(new Worker(new URL('../support/worker.mjs', import.meta.url), { type: 'module' }), 'tokenweir')
  return runEntry(entry)
})
