// The settings of a parser, and their errors.

import type { Signal } from '@preact/signals'
import { choiceProblem } from '../player'
import { frontEnd, protocol, schema, strategy, tools } from '../settings'

export function Choices() {
  return (
    <div class="choices">
      {frontEnd.value === 'segments' && <Select label="Strategy" chosen={strategy} options={{ xml: 'XML', json: 'JSON', sentinel: 'Sentinel' }} />}
      {frontEnd.value === 'fields' && <Json label="Schema of the answer (may be empty)" typed={schema} />}
      {frontEnd.value === 'tool-calls' && (
        <>
          <Select label="Protocol" chosen={protocol} options={{ hermes: 'Hermes (JSON)', morph: 'Morph (XML)' }} />
          <Json label="Tools: JSON schemas by name" typed={tools} />
        </>
      )}
      <p id="choice-problem" class="wrong" role="alert">
        {choiceProblem.value}
      </p>
    </div>
  )
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly chosen: Signal<Value>
  readonly options: Readonly<Record<Value, string>>
}

function Select<Value extends string>({ label, chosen, options }: SelectProps<Value>) {
  return (
    <label>
      <span class="caption">{label}</span>
      <select value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value as Value)}>
        {(Object.keys(options) as Value[]).map((value) => (
          <option key={value} value={value}>
            {options[value]}
          </option>
        ))}
      </select>
    </label>
  )
}

function Json({ label, typed }: { readonly label: string; readonly typed: Signal<string> }) {
  const isWrong = choiceProblem.value !== undefined
  return (
    <label class="wide">
      <span class="caption">{label}</span>
      <textarea rows={3} spellcheck={false} value={typed.value} aria-invalid={isWrong} aria-describedby="choice-problem" onInput={(event) => (typed.value = event.currentTarget.value)} />
    </label>
  )
}
