// The settings of the page.

import { batch, computed, signal } from '@preact/signals'
import { PACES } from './pace'
import type { Choices, FrontEnd } from './readings/front-ends'
import { type Sample, SAMPLES, TOOLS } from './samples'

/** A longer text would slow down the page, not the parser. */
export const LONGEST_TEXT = 100_000

const first = SAMPLES[0] as Sample

/** The selected sample; undefined for the reader's own text. */
export const sample = signal<Sample | undefined>(first)
export const text = signal(first.text)
export const frontEnd = signal<FrontEnd>(first.frontEnd)
export const chunkSize = signal(4)
/** An index into `PACES`. */
export const pace = signal(PACES.indexOf(50))
export const strategy = signal<'xml' | 'json' | 'sentinel'>('xml')
export const protocol = signal<'hermes' | 'morph'>('hermes')
export const tools = signal(TOOLS)
export const schema = signal('')

/** The settings of each parser. */
export const choices = computed<Choices>(() => ({
  segments: { strategy: strategy.value },
  fields: { schema: schema.value },
  'tool-calls': { protocol: protocol.value, tools: tools.value },
}))

/** Shows a sample with its parser. */
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

/** Uses the reader's own text; false if it is too long. */
export function chooseText(own: string): boolean {
  if (own.length > LONGEST_TEXT) return false
  batch(() => {
    sample.value = undefined
    text.value = own
  })
  return true
}
