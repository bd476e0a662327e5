// The text that was fed, coloured by role, with pending characters marked.

import type { Role, Emitted } from '../emitted'
import { Before } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

/** Earlier text is left out, so that a long text stays fast: the maximum numbers of characters and runs shown. */
const MOST = 6000
const MOST_RUNS = 600

export const ROLE_NAMES: Readonly<Record<Role, string>> = { pending: 'pending', visible: 'visible', thinking: 'thinking', call: 'tool call', result: 'tool result', value: 'value', markup: 'markup' }

export function Raw({ emitted }: { readonly emitted: Emitted } & Shown) {
  const runs = emitted.runs(Math.max(0, emitted.fed - MOST), emitted.fed).slice(-MOST_RUNS)
  const from = runs[0]?.from ?? 0
  const { pending } = emitted
  return (
    <Pane name="raw" title="Raw text" note={<span class={pending > 0 ? 'pending-count' : undefined}>pending: {pending}</span>}>
      {emitted.fed === 0 && <Empty>Press “Play” or “Step”.</Empty>}
      <Before count={from} name="characters" />
      <div class="text">
        {runs.map(({ from, to, role }) => {
          const text = emitted.text.slice(from, to)
          return role === 'pending' ? (
            <mark key={from} title="pending">
              {text}
            </mark>
          ) : (
            <span key={from} class={`role-${role}`} title={ROLE_NAMES[role]}>
              {text}
            </span>
          )
        })}
      </div>
    </Pane>
  )
}
