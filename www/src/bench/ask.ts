// Runs the benchmark in the worker, and reports its progress.

import { signal } from '@preact/signals'
import type { Answer, Question } from './race'

/** The benchmark's state on the page. */
export type Bench = { readonly kind: 'idle' } | { readonly kind: 'starting' } | Answer

export const bench = signal<Bench>({ kind: 'idle' })

export function runBench(question: Question): void {
  if (bench.value.kind === 'starting' || bench.value.kind === 'round') return
  bench.value = { kind: 'starting' }
  let worker: Worker
  try {
    worker = new Worker(new URL('./bench.js', import.meta.url), { type: 'module' })
  } catch (error) {
    bench.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
    return
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    bench.value = data
    if (data.kind !== 'round') worker.terminate()
  })
  worker.addEventListener('error', ({ message }) => {
    bench.value = { kind: 'failed', message: message || 'its worker could not be loaded' }
    worker.terminate()
  })
  worker.postMessage(question)
}
