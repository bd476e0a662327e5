// In a page: starts the worker that the address names, and asks it for the entry.
import { askWorker } from '../support/ask-worker.mjs'
import { report } from '../support/report.mjs'

const { worker, type } = Object.fromEntries(new URLSearchParams(location.search))
report((entry) => askWorker(new Worker(worker, { type }), entry))
