// A JSON answer as a tree that grows. Objects and lists can be folded.

import type { JsonValue } from 'tokenweir/fields'
import type { FieldReading, FieldState } from '../readings/fields'
import { Faults } from './faults'
import { Before } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './told'

/** So many values of an object or a list are shown, and so deep. */
const MOST = 100
const DEEPEST = 24

const STATES: Readonly<Record<FieldState, string>> = { growing: 'growing', observed_boundary: 'done', final_reconciliation: 'done', synthetic_repair: 'cut off' }

export function Fields({ reading }: { readonly reading: FieldReading } & Shown) {
  const { data, states, done, faults, tolerated, resets, rootState } = reading
  return (
    <Pane name="structure" title="Fields" note={`done: ${done} of ${states.size}`}>
      {data === undefined ? (
        <Empty>The document has not begun.</Empty>
      ) : (
        <ul class="tree">
          <Node name="answer" path="" value={data} states={states} depth={0} rootState={rootState} />
        </ul>
      )}
      {resets > 0 && <p class="note">What was told before was withdrawn: a better document came.</p>}
      {tolerated.length > 0 && <p class="note">Read although it is no JSON: {tolerated.join(', ')}.</p>}
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
  /** The root has no events of its own. */
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
          <p class="note">What is in it is not shown: it lies too deep.</p>
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
