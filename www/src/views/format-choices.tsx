// The format, by its name or by a model's name, and what its row says.

import { signal } from '@preact/signals'
import { type Format, formatFor } from 'tokenweir/formats'
import { FORMATS, formatOf } from '../readings/formats'
import { isOwnSample, nameOf, ownSampleOf } from '../samples'
import { chooseFormat, chooseSample, format, formatTools, prefill, sample } from '../settings'
import { Json } from './json-setting'

const model = signal('')

export function FormatChoices() {
  const chosen = formatOf(format.value)
  return (
    <>
      <label class="format">
        <span class="caption">Format</span>
        <select value={format.value} onChange={(event) => chooseFormat(event.currentTarget.value)}>
          {FORMATS.map((one) => (
            <option key={one.id} value={one.id}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </label>
      <Model />
      <label>
        <span class="caption">The prompt ended with</span>
        <input value={prefill.value} placeholder="nothing of the reply" spellcheck={false} autocomplete="off" onInput={(event) => (prefill.value = event.currentTarget.value)} />
      </label>
      <Facts row={chosen} />
      <details class="tools">
        <summary>Tools, which say the types of arguments</summary>
        <Json label="Tools: JSON schemas by name" typed={formatTools} />
      </details>
    </>
  )
}

/** Finds the format of a model. */
function Model() {
  const found = model.value.trim() === '' ? undefined : formatFor(model.value)
  const type = (name: string): void => {
    model.value = name
    const row = formatFor(name)
    if (row !== undefined && row.id !== format.value) chooseFormat(row.id)
  }
  return (
    <label>
      <span class="caption">Find by a model's name</span>
      <input value={model.value} placeholder="Qwen/Qwen3-Coder-30B-A3B" spellcheck={false} autocomplete="off" aria-describedby="model-note" onInput={(event) => type(event.currentTarget.value)} />
      <span id="model-note" class="note" role="status">
        {model.value.trim() === '' ? '' : found === undefined ? 'No format is known for this name.' : `It writes ${nameOf(found)}.`}
      </span>
    </label>
  )
}

function Facts({ row }: { readonly row: Format }) {
  const { models = [], repairs = [], special, notes = [], id } = row
  const isShown = sample.value?.format === id && isOwnSample(sample.value)
  return (
    <div class="facts">
      <dl>
        <Fact name="Models" items={models} />
        <Fact name="Special tokens" items={special === 'all' ? ['all markers'] : (special ?? [])} />
        <Fact name="Repairs" items={repairs} />
        {notes.length > 0 && (
          <div>
            <dt>Notes</dt>
            <dd class="prose">
              <Prose text={notes.map((note) => note.replace(/\.?$/, '. ')).join('')} />
            </dd>
          </div>
        )}
      </dl>
      {!isShown && (
        <button type="button" class="quiet" onClick={() => chooseSample(ownSampleOf(row))}>
          Show its own sample
        </button>
      )}
    </div>
  )
}

function Fact({ name, items }: { readonly name: string; readonly items: readonly string[] }) {
  return items.length === 0 ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        {items.map((item) => (
          <code key={item}>{item}</code>
        ))}
      </dd>
    </div>
  )
}

/** A text with code between backticks. */
function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
}
