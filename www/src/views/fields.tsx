// A JSON answer as a tree that grows.

import type { FieldReading, FieldState } from '../readings/fields'
import { Faults } from './faults'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'
import { Tree } from './tree'

const STATES: Readonly<Record<FieldState, string>> = { growing: 'growing', observed_boundary: 'done', final_reconciliation: 'done', synthetic_repair: 'cut off' }

export function Fields({ reading }: { readonly reading: FieldReading } & Shown) {
  const { data, states, done, faults, tolerated, resets, rootState } = reading
  return (
    <Pane name="structure" title="Fields" note={`done: ${done} of ${states.size}`}>
      {data === undefined ? (
        <Empty>The document has not started.</Empty>
      ) : (
        // The root has no events.
        <Tree name="answer" value={data} stateOf={(path) => STATES[path.length === 0 ? rootState : (states.get(pointerTo(path)) ?? 'growing')]} />
      )}
      {resets > 0 && <p class="note">An earlier document was withdrawn: a better one was found.</p>}
      {tolerated.length > 0 && <p class="note">Tolerated errors: {tolerated.join(', ')}.</p>}
      <Faults of={faults} />
    </Pane>
  )
}

/** A JSON Pointer. */
function pointerTo(path: ReadonlyArray<string | number>): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
