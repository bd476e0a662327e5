// What the reader has set.

import { batch, computed, signal } from '@preact/signals'
import { PACES } from './pace'
import type { Choices, FrontEnd } from './readings/front-ends'
import { type Sample, SAMPLES, TOOLS } from './samples'

/** A longer text would make the page slow, not the parser. */
export const LONGEST_TEXT = 100_000

const first = SAMPLES[0] as Sample

/** The sample that is shown; undefined is the reader's own text. */
export const sample = signal<Sample | undefined>(first)
export const text = signal(first.text)
export const frontEnd = signal<FrontEnd>(first.frontEnd)
export const chunkSize = signal(4)
/** A place in `PACES`. */
export const pace = signal(PACES.indexOf(50))
export const strategy = signal<'xml' | 'json' | 'sentinel'>('xml')
export const protocol = signal<'hermes' | 'morph'>('hermes')
export const tools = signal(TOOLS)
export const schema = signal('')

/** What was chosen for each front-end. */
export const choices = computed<Choices>(() => ({
  segments: { strategy: strategy.value },
  fields: { schema: schema.value },
  'tool-calls': { protocol: protocol.value, tools: tools.value },
}))

/** Shows a sample as it is meant to be read. */
export function chooseSample(chosen: Sample): void {
  batch(() => {
    sample.value = chosen
    text.value = chosen.text
    frontEnd.value = chosen.frontEnd
    strategy.value = chosen.strategy ?? strategy.value
    protocol.value = chosen.protocol ?? protocol.value
    schema.value = chosen.schema ?? ''
  })
}

/** Takes the reader's own text; false if it is too long. */
export function chooseText(own: string): boolean {
  if (own.length > LONGEST_TEXT) return false
  batch(() => {
    sample.value = undefined
    text.value = own
  })
  return true
}
