// A JSON value as a tree that grows, with the state of each value. Objects and lists can be folded.

import type { JsonValue } from 'tokenweir/fields'
import { Before } from './last'

/** The maximum number of values shown of an object or a list, and the maximum depth. */
const MOST = 100
const DEEPEST = 24

type Step = string | number

interface NodeProps {
  readonly name: string
  /** Keys and indices. */
  readonly path: readonly Step[]
  readonly value: JsonValue
  readonly stateOf: (path: readonly Step[]) => string
}

export function Tree({ name, value, stateOf }: Omit<NodeProps, 'path'>) {
  return (
    <ul class="tree">
      <Node name={name} path={[]} value={value} stateOf={stateOf} />
    </ul>
  )
}

export function State({ of: state }: { readonly of: string }) {
  return <span class={`state state-${state.replace(' ', '-')}`}>{state}</span>
}

function Node({ name, path, value, stateOf }: NodeProps) {
  const mark = <State of={stateOf(path)} />
  if (typeof value !== 'object' || value === null) {
    return (
      <li class="leaf">
        <span class="key">{name}</span> <span class={`value value-${value === null ? 'null' : typeof value}`}>{typeof value === 'string' ? `“${value}”` : String(value)}</span> {mark}
      </li>
    )
  }
  const size = Array.isArray(value) ? value.length : Object.keys(value).length
  const before = Math.max(0, size - MOST)
  const entries = Array.isArray(value) ? value.slice(before).map((item, index) => [before + index, item] as const) : Object.entries(value).slice(before)
  return (
    <li>
      <details open>
        <summary>
          <span class="key">{name}</span> <span class="note">{sizeOf(value, size)}</span> {mark}
        </summary>
        {path.length >= DEEPEST ? (
          <p class="note">Not shown: nested too deep.</p>
        ) : (
          <ul>
            {before > 0 && (
              <li>
                <Before count={before} name="values" />
              </li>
            )}
            {entries.map(([key, item]) => (
              <Node key={key} name={String(key)} path={[...path, key]} value={item} stateOf={stateOf} />
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
