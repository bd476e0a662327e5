// The response that the reply is read from: its server-sent events.

import { Before } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

/** Earlier lines are left out, so that a long stream stays fast. */
const MOST = 200

export function Response({ lines }: { readonly lines: readonly string[] } & Shown) {
  const from = Math.max(0, lines.length - MOST)
  return (
    <Pane name="response" title="Response" note={`events: ${lines.length}`}>
      {lines.length === 0 && <Empty>No event yet.</Empty>}
      <Before count={from} name="events" />
      {lines.slice(from).map((line, index) => (
        <div key={from + index} class="text">
          {line}
        </div>
      ))}
    </Pane>
  )
}
