// A JSON answer as a tree that grows. Objects and lists can be folded.

import type { JsonValue } from 'tokenweir/fields'
import type { FieldReading, FieldState } from '../readings/fields'
import { Empty, Pane } from './pane'
import type { Shown } from './told'

const STATES: Readonly<Record<FieldState, string>> = { growing: 'growing', observed_boundary: 'done', final_reconciliation: 'done', synthetic_repair: 'cut off' }

export function Fields({ reading }: { readonly reading: FieldReading } & Shown) {
  const { data, states, faults, tolerated, resets, rootState } = reading
  const done = [...states.values()].filter((state) => state !== 'growing').length
  return (
    <Pane name="structure" title="Fields" note={`done: ${done} of ${states.size}`}>
      {data === undefined ? (
        <Empty>The document has not begun.</Empty>
      ) : (
        <ul class="tree">
          <Node name="answer" path="" value={data} states={states} rootState={rootState} />
        </ul>
      )}
      {resets > 0 && <p class="note">What was told before was withdrawn: a better document came.</p>}
      {tolerated.length > 0 && <p class="note">Read although it is no JSON: {tolerated.join(', ')}.</p>}
      {faults.map((fault, index) => (
        <p key={index} class="fault">
          {fault}
        </p>
      ))}
    </Pane>
  )
}

interface NodeProps {
  readonly name: string
  /** JSON Pointer. */
  readonly path: string
  readonly value: JsonValue
  readonly states: ReadonlyMap<string, FieldState>
  /** The root has no events of its own. */
  readonly rootState?: FieldState
}

function Node({ name, path, value, states, rootState }: NodeProps) {
  const state = rootState ?? states.get(path) ?? 'growing'
  const mark = <span class={`state state-${STATES[state].replace(' ', '-')}`}>{STATES[state]}</span>
  if (typeof value !== 'object' || value === null) {
    return (
      <li class="leaf">
        <span class="key">{name}</span> <span class={`value value-${value === null ? 'null' : typeof value}`}>{typeof value === 'string' ? `“${value}”` : String(value)}</span> {mark}
      </li>
    )
  }
  const entries = Array.isArray(value) ? value.map((item, index) => [String(index), item] as const) : Object.entries(value)
  return (
    <li>
      <details open>
        <summary>
          <span class="key">{name}</span> <span class="note">{sizeOf(value, entries.length)}</span> {mark}
        </summary>
        <ul>
          {entries.map(([key, item]) => (
            <Node key={key} name={key} path={`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`} value={item} states={states} />
          ))}
        </ul>
      </details>
    </li>
  )
}

function sizeOf(value: object, size: number): string {
  const what = Array.isArray(value) ? ['item', 'items'] : ['field', 'fields']
  return `${size} ${size === 1 ? what[0] : what[1]}`
}
