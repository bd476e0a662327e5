// The settings of the page.

import { batch, computed, signal } from '@preact/signals'
import { PACES } from './pace'
import { report, sentenceOf } from './problems'
import { naiveFor } from './naive/strip'
import { tagsFrom } from './readings/blocks'
import { type FormatChoice, formatOf, markersOf, needsYaml, prefillOf } from './readings/formats'
import type { Choices, FrontEnd, Late } from './readings/front-ends'
import { FORMAT_TOOLS, type Sample, SAMPLES, TOOLS, firstSampleOf, ownSampleOf } from './samples'

/** A longer text would slow down the page, not the parser. */
export const LONGEST_TEXT = 100_000

const first = SAMPLES[0] as Sample
/** The largest chunk that can be set. */
export const LARGEST_CHUNK = 64
export const DEFAULT_SIZE = 4
export const DEFAULT_PACE = 20

/** The selected sample; undefined for the reader's own text. */
export const sample = signal<Sample | undefined>(first)
export const text = signal(first.text)
export const frontEnd = signal<FrontEnd>(first.frontEnd)
export const chunkSize = signal(DEFAULT_SIZE)
/** An index into `PACES`. */
export const pace = signal(PACES.indexOf(DEFAULT_PACE))
export const strategy = signal<'xml' | 'json' | 'sentinel'>('xml')
export const protocol = signal<'hermes' | 'morph'>('hermes')
export const tools = signal(TOOLS)
export const schema = signal('')
/** Tags of blocks besides the known ones, as typed. */
export const tags = signal('')
export const DEFAULT_FORMAT = 'qwen3'
export const format = signal(DEFAULT_FORMAT)
/** What the prompt ended with, as typed. */
export const prefill = signal('')
export const formatTools = signal(FORMAT_TOOLS)
const late = signal<Late | undefined>(undefined)
const withYaml = signal<FormatChoice['withYaml']>(undefined)

/** The settings of each parser. */
export const choices = computed<Choices>(() => ({
  blocks: { tags: tags.value },
  segments: { strategy: strategy.value },
  fields: { schema: schema.value },
  'tool-calls': { protocol: protocol.value, tools: tools.value },
  formats: { format: format.value, prefill: prefill.value, tools: formatTools.value, withYaml: withYaml.value },
  arguments: { schema: schema.value },
  late: late.value,
}))

/** What a regular expression would do in this tab. */
export const naive = computed(() => {
  const thinking = Object.entries(tagsFrom(tags.value)).flatMap(([name, role]) => (role === 'thinking' ? [name] : []))
  return naiveFor({ frontEnd: frontEnd.value, thinking, strategy: strategy.value, protocol: protocol.value, tools: namesIn(tools.value), markers: markersOf(formatOf(format.value)) })
})

/** The names of tools; the parser reports what is invalid. */
function namesIn(typed: string): string[] {
  try {
    return Object.keys(JSON.parse(typed) as object)
  } catch {
    return []
  }
}

/** Shows a sample with its parser. */
export function chooseSample(chosen: Sample): void {
  batch(() => {
    sample.value = chosen
    text.value = chosen.text
    strategy.value = chosen.strategy ?? strategy.value
    protocol.value = chosen.protocol ?? protocol.value
    schema.value = chosen.schema ?? ''
    tags.value = chosen.tags ?? ''
    if (chosen.format !== undefined) readBy(chosen.format, chosen.prefill ?? '')
    showTab(chosen.frontEnd)
  })
}

/** The samples of a tab. */
export function samplesOf(tab: FrontEnd): readonly Sample[] {
  const samples = SAMPLES.filter((one) => one.frontEnd === tab)
  return tab === 'formats' ? [...samples, ownSampleOf(formatOf(format.value))] : samples
}

/** The sample that a tab begins with. */
export function firstOf(tab: FrontEnd): Sample {
  return tab === 'formats' ? firstSampleOf(formatOf(format.value)) : (samplesOf(tab)[0] as Sample)
}

/** Goes to a tab, with its first sample; the reader's own text stays. */
export function chooseTab(tab: FrontEnd): void {
  if (sample.value === undefined) showTab(tab)
  else chooseSample(firstOf(tab))
}

function showTab(tab: FrontEnd): void {
  frontEnd.value = tab
  if ((tab === 'arguments' || tab === 'edits') && late.value === undefined) void loadLate()
}

/** Reads by another format: its sample, or the reader's own text. */
export function chooseFormat(id: string): void {
  if (sample.value === undefined) readBy(id, prefillOf(formatOf(id)))
  else chooseSample(firstSampleOf(formatOf(id)))
}

function readBy(id: string, ending: string): void {
  batch(() => {
    format.value = id
    prefill.value = ending
  })
  if (needsYaml(formatOf(id)) && withYaml.value === undefined) void loadYaml()
}

/** One format needs it, so the page begins without it. */
async function loadYaml(): Promise<void> {
  try {
    withYaml.value = (await import('./yaml')).withYaml
  } catch (error) {
    report(`The library that reads YAML could not be loaded: ${sentenceOf(error)}`)
  }
}

/** Two tabs need it. */
async function loadLate(): Promise<void> {
  try {
    late.value = await import('./readings/late')
  } catch (error) {
    report(`What reads this tab could not be loaded: ${sentenceOf(error)}`)
  }
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
