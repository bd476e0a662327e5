// A JSON answer as a tree that grows. Objects and lists can be folded.

import type { JsonValue } from 'tokenweir/fields'
import type { FieldReading, FieldState } from '../readings/fields'
import { Faults } from './faults'
import { Before } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

/** The maximum number of values shown of an object or a list, and the maximum depth. */
const MOST = 100
const DEEPEST = 24

const STATES: Readonly<Record<FieldState, string>> = { growing: 'growing', observed_boundary: 'done', final_reconciliation: 'done', synthetic_repair: 'cut off' }

export function Fields({ reading }: { readonly reading: FieldReading } & Shown) {
  const { data, states, done, faults, tolerated, resets, rootState } = reading
  return (
    <Pane name="structure" title="Fields" note={`done: ${done} of ${states.size}`}>
      {data === undefined ? (
        <Empty>The document has not started.</Empty>
      ) : (
        <ul class="tree">
          <Node name="answer" path="" value={data} states={states} depth={0} rootState={rootState} />
        </ul>
      )}
      {resets > 0 && <p class="note">An earlier document was withdrawn: a better one was found.</p>}
      {tolerated.length > 0 && <p class="note">Tolerated errors: {tolerated.join(', ')}.</p>}
      <Faults of={faults} />
    </Pane>
  )
}

interface NodeProps {
  readonly name: string
  /** JSON Pointer. */
  readonly path: string
  readonly value: JsonValue
  readonly states: ReadonlyMap<string, FieldState>
  readonly depth: number
  /** The root has no events. */
  readonly rootState?: FieldState
}

function Node({ name, path, value, states, depth, rootState }: NodeProps) {
  const state = rootState ?? states.get(path) ?? 'growing'
  const mark = <span class={`state state-${STATES[state].replace(' ', '-')}`}>{STATES[state]}</span>
  if (typeof value !== 'object' || value === null) {
    return (
      <li class="leaf">
        <span class="key">{name}</span> <span class={`value value-${value === null ? 'null' : typeof value}`}>{typeof value === 'string' ? `“${value}”` : String(value)}</span> {mark}
      </li>
    )
  }
  const size = Array.isArray(value) ? value.length : Object.keys(value).length
  const before = Math.max(0, size - MOST)
  const entries = Array.isArray(value) ? value.slice(before).map((item, index) => [String(before + index), item] as const) : Object.entries(value).slice(before)
  return (
    <li>
      <details open>
        <summary>
          <span class="key">{name}</span> <span class="note">{sizeOf(value, size)}</span> {mark}
        </summary>
        {depth >= DEEPEST ? (
          <p class="note">Not shown: nested too deep.</p>
        ) : (
          <ul>
            {before > 0 && (
              <li>
                <Before count={before} name="values" />
              </li>
            )}
            {entries.map(([key, item]) => (
              <Node key={key} name={key} path={`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`} value={item} states={states} depth={depth + 1} />
            ))}
          </ul>
        )}
      </details>
    </li>
  )
}

function sizeOf(value: object, size: number): string {
  const what = Array.isArray(value) ? ['item', 'items'] : ['field', 'fields']
  return `${size} ${size === 1 ? what[0] : what[1]}`
}
