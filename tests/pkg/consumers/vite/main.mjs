// The page's program, as written for Vite.
import wasm from 'tokenweir/tokenweir.wasm?url'
import { runEntry } from '../../scenario/imports.mjs'
import { askWorker } from '../support/ask-worker.mjs'
import { report } from '../support/report.mjs'

report(async (entry) => {
  if (entry === 'worker') return askWorker(new Worker(new URL('../support/worker.mjs', import.meta.url), { type: 'module' }), 'tokenweir')
  if (entry !== 'tokenweir/slim') return runEntry(entry)
  const { runSlim } = await import('../../scenario/slim.mjs')
  return runSlim(wasm)
})
