// In a page: starts the worker named in the URL, and asks it to run the entry.
import { askWorker } from '../support/ask-worker.mjs'
import { report } from '../support/report.mjs'

const { worker, type } = Object.fromEntries(new URLSearchParams(location.search))
report((entry) => askWorker(new Worker(worker, { type }), entry))
