/** In a page: asks a worker for an entry (see worker.mjs); gives its outcome. */
export function askWorker(worker, entry) {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    worker.postMessage(entry)
  })
}
