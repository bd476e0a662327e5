// A file while the model writes it: its content grows, and it may be approved as soon
// as its path is there. It is saved when its call is whole.
import { useState, useSyncExternalStore } from 'react'
import type { ArgumentsReader } from 'tokenweir/args'
import type { tools } from './readCalls.ts'

export function FilePreview({ call }: { call: ArgumentsReader<typeof tools.write_file> }) {
  const args = useSyncExternalStore(call.subscribe, call.partial)
  // What gets done doesn't change `partial()`, so it is a snapshot of its own.
  const hasPath = useSyncExternalStore(call.subscribe, () => call.state('path') === 'done')
  const content = useSyncExternalStore(call.subscribe, () => call.state('content'))
  const status = useSyncExternalStore(call.subscribe, () => call.status)
  const [saved, setSaved] = useState('')
  const save = () => {
    setSaved('will be saved')
    call.result().then(
      ({ path }) => setSaved(`saved: ${path}`),
      (error: Error) => setSaved(`not saved: ${error.message}`),
    )
  }
  return (
    <section aria-busy={status === 'open'}>
      <b>{args?.path}</b> <span className="content-state">{content}</span>
      <pre>{args?.content}</pre>
      <button disabled={!hasPath || saved !== ''} onClick={save}>
        Save it
      </button>{' '}
      <span role="status">{saved || status}</span>
    </section>
  )
}
