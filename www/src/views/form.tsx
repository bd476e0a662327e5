// Arguments as a form that fills itself in: one read-only input for each value.

import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { JsonValue } from 'tokenweir/fields'
import { Last } from './last'

/** The maximum number of values shown of an object or a list, the maximum depth, and the maximum length of a text. */
const MOST = 50
const DEEPEST = 12
const LONGEST = 4000

/** The maximum number of lines of an input. */
const MOST_LINES = 8
/** The approximate length of a line, for browsers that can't size an input by its text. */
const LINE = 30

export function ArgumentForm({ label, value }: { readonly label: string; readonly value: JsonValue | undefined }) {
  return (
    <form class="arguments" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <Entries value={value} depth={0} />
    </form>
  )
}

function Entries({ value, depth }: { readonly value: JsonValue | undefined; readonly depth: number }) {
  if (value === undefined) return <p class="empty">No arguments yet.</p>
  if (typeof value !== 'object' || value === null) return <Field name="value" value={value} depth={depth} />
  const entries = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item] as const) : Object.entries(value)
  if (entries.length === 0) return <p class="empty">Empty</p>
  if (depth > DEEPEST) return <p class="empty">What is in it is not shown: it lies too deep.</p>
  return (
    <Last of={entries} most={MOST} name="values">
      {([name, item]) => <Field key={name} name={name} value={item} depth={depth} />}
    </Last>
  )
}

function Field({ name, value, depth }: { readonly name: string; readonly value: JsonValue; readonly depth: number }) {
  if (typeof value === 'object' && value !== null) {
    return (
      <fieldset>
        <legend>{name}</legend>
        <Entries value={value} depth={depth + 1} />
      </fieldset>
    )
  }
  return <Input name={name} text={String(value)} type={value === null ? 'null' : typeof value} />
}

function Input({ name, text: whole, type }: { readonly name: string; readonly text: string; readonly type: string }) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const text = whole.slice(-LONGEST)
  const lines = text.split('\n').reduce((count, line) => count + Math.max(1, Math.ceil(line.length / LINE)), 0)
  useLayoutEffect(() => {
    if (area.current && lines > MOST_LINES) area.current.scrollTop = area.current.scrollHeight
  })
  return (
    <div class="input">
      <label for={id}>
        {name}
        {type !== 'string' && <span class="note"> {type}</span>}
        {text.length < whole.length && <span class="note"> its last {LONGEST} characters</span>}
      </label>
      {type === 'string' ? <textarea id={id} ref={area} readOnly rows={Math.min(MOST_LINES, lines)} value={text} /> : <input id={id} readOnly value={text} />}
    </div>
  )
}
