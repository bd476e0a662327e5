// Arguments as a form that fills in: one read-only input for each value.

import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { JsonValue } from 'tokenweir/fields'

/** The most lines that an input grows to. */
const MOST_LINES = 8
/** About so many characters are a line, where the browser can't size an input by its text. */
const LINE = 30

export function ArgumentForm({ label, value }: { readonly label: string; readonly value: JsonValue | undefined }) {
  return (
    <form class="arguments" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <Entries value={value} />
    </form>
  )
}

function Entries({ value }: { readonly value: JsonValue | undefined }) {
  if (value === undefined) return <p class="empty">No arguments yet.</p>
  if (Array.isArray(value)) return value.length === 0 ? <p class="empty">Empty</p> : <>{value.map((item, index) => <Field key={index} name={String(index + 1)} value={item} />)}</>
  if (typeof value !== 'object' || value === null) return <Field name="value" value={value} />
  const entries = Object.entries(value)
  return entries.length === 0 ? <p class="empty">No arguments</p> : <>{entries.map(([name, item]) => <Field key={name} name={name} value={item} />)}</>
}

function Field({ name, value }: { readonly name: string; readonly value: JsonValue }) {
  if (typeof value === 'object' && value !== null) {
    return (
      <fieldset>
        <legend>{name}</legend>
        <Entries value={value} />
      </fieldset>
    )
  }
  return <Input name={name} text={String(value)} type={value === null ? 'null' : typeof value} />
}

function Input({ name, text, type }: { readonly name: string; readonly text: string; readonly type: string }) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = text.split('\n').reduce((count, line) => count + Math.max(1, Math.ceil(line.length / LINE)), 0)
  useLayoutEffect(() => {
    if (area.current && lines > MOST_LINES) area.current.scrollTop = area.current.scrollHeight
  })
  return (
    <div class="input">
      <label for={id}>
        {name}
        {type !== 'string' && <span class="note"> {type}</span>}
      </label>
      {type === 'string' ? <textarea id={id} ref={area} readOnly rows={Math.min(MOST_LINES, lines)} value={text} /> : <input id={id} readOnly value={text} />}
    </div>
  )
}
