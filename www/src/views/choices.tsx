// The settings of a parser, and their errors.

import type { Signal } from '@preact/signals'
import { choiceProblem } from '../player'
import { frontEnd, protocol, schema, strategy, tools } from '../settings'
import { FormatChoices } from './format-choices'
import { Json } from './json-setting'

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
      {frontEnd.value === 'formats' && <FormatChoices />}
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
