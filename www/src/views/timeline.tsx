// The parts of an AI SDK stream in order, each with its chunk.

import type { TimedPart } from '../readings/parts'
import { Before } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

/** Earlier parts are left out, so that a long stream stays fast. */
const MOST = 300

export function Timeline({ parts }: { readonly parts: readonly TimedPart[] } & Shown) {
  const from = Math.max(0, parts.length - MOST)
  return (
    <Pane name="timeline" title="AI SDK parts" note={`parts: ${parts.length}`}>
      {parts.length === 0 && <Empty>No part yet.</Empty>}
      <Before count={from} name="parts" />
      <ol start={from + 1}>
        {parts.slice(from).map(({ chunk, part }, index) => (
          <li key={from + index} class={`part part-${part.type}`}>
            <span class="chunk">
              <span class="hidden">chunk </span>
              {chunk}
            </span>
            <span class="type">{part.type}</span> <span class="detail">{detailOf(part)}</span>
          </li>
        ))}
      </ol>
    </Pane>
  )
}

function detailOf(part: TimedPart['part']): string {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return JSON.stringify(part.delta)
    case 'tool-input-start':
      return `${part.toolName} ${part.id}`
    case 'tool-call':
      return `${part.toolName} ${part.input}`
    default:
      return part.id
  }
}
