// The settings of a parser, and their errors.

import type { Signal } from '@preact/signals'
import { choiceProblem } from '../player'
import { frontEnd, protocol, schema, strategy, tags, tools } from '../settings'
import { FormatChoices } from './format-choices'
import { Json } from './json-setting'

export function Choices() {
  return (
    <section class="choices" aria-label="The parser's settings">
      {frontEnd.value === 'blocks' && <Tags />}
      {frontEnd.value === 'segments' && <Select label="Strategy" chosen={strategy} options={{ xml: 'XML', json: 'JSON', sentinel: 'Sentinel' }} />}
      {frontEnd.value === 'fields' && <Json label="Schema of the answer (may be empty)" typed={schema} />}
      {frontEnd.value === 'arguments' && <Json label="JSON schema of the tool (may be empty)" typed={schema} />}
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
    </section>
  )
}

function Tags() {
  return (
    <label>
      <span class="caption">Tags besides the known ones</span>
      <input value={tags.value} placeholder="scratchpad, plan: thinking" spellcheck={false} autocomplete="off" aria-invalid={choiceProblem.value !== undefined} aria-describedby="tags-note choice-problem" onInput={(event) => (tags.value = event.currentTarget.value)} />
      <span id="tags-note" class="note">
        A name is thinking; after a colon it has another role, such as <code>invoke</code>.
      </span>
    </label>
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
