// The text as it was fed, coloured by what it was told to be, held characters marked.

import type { Role, Told } from '../told'
import { Before } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './told'

/** Earlier text is left out, so that a long one stays quick: so many characters are shown, in so many stretches. */
const MOST = 6000
const MOST_RUNS = 600

export const ROLE_NAMES: Readonly<Record<Role, string>> = { held: 'held', visible: 'visible', thinking: 'thinking', call: 'tool call', result: 'tool result', value: 'value', markup: 'markup' }

export function Raw({ told }: { readonly told: Told } & Shown) {
  const runs = told.runs(Math.max(0, told.fed - MOST), told.fed).slice(-MOST_RUNS)
  const from = runs[0]?.from ?? 0
  const { held } = told
  return (
    <Pane name="raw" title="Raw text" note={<span class={held > 0 ? 'held-count' : undefined}>held: {held}</span>}>
      {told.fed === 0 && <Empty>Press “Play” or “Step”.</Empty>}
      <Before count={from} name="characters" />
      <div class="text">
        {runs.map(({ from, to, role }) => {
          const text = told.text.slice(from, to)
          return role === 'held' ? (
            <mark key={from} title="held">
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
