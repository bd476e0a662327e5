/** In a page: asks a worker to run an entry (see worker.mjs); returns its outcome. */
export function askWorker(worker, entry) {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    worker.postMessage(entry)
  })
}
