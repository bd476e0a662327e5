// A reply in the wire format of a model, and what the page knows of each format.
// Both come from the package's own rows.

import { type Format, type FormatId, formats } from 'tokenweir/formats'
import { toolsFrom } from './parts'
import type { ReplySource } from './replies'

export interface FormatChoice {
  /** The id of a format. */
  readonly format: string
  /** What the prompt ended with, as typed: `\n` is a line end. */
  readonly prefill: string
  /** The tools as typed: JSON schemas by name. */
  readonly tools: string
  /** Adds what reads YAML to a format; undefined while it isn't loaded. */
  readonly withYaml: ((format: Format) => Format) | undefined
}

export const FORMATS: readonly Format[] = Object.values(formats)

export function formatOf(id: string): Format {
  return formats[id as FormatId]
}

export function needsYaml({ call }: Format): boolean {
  return call?.body === 'yaml'
}

export function formatSource({ format: id, prefill, tools, withYaml }: FormatChoice): ReplySource {
  const format = formatOf(id)
  if (needsYaml(format) && withYaml === undefined) throw new Error('The library that reads YAML is loading.')
  const ending = prefill.replaceAll('\\n', '\n')
  return { format: withYaml?.(format) ?? format, tools: toolsFrom(tools), ...(ending === '' ? {} : { prefill: ending }) }
}

/** What the prompt ended with before a sample that starts inside reasoning: it closes what it doesn't open. */
export function prefillOf({ reasoning, sample = '' }: Format): string {
  const [open] = reasoning?.open ?? []
  if (open === undefined || reasoning?.prefilled !== 'sometimes') return ''
  const isIn = (markers: readonly string[]): boolean => markers.some((marker) => sample.includes(marker))
  return isIn(reasoning.close) && !isIn(reasoning.open) ? open.replaceAll('\n', '\\n') : ''
}

/** The markers around reasoning and calls, which a program would put in a regular expression. */
export function markersOf({ reasoning, section, call }: Format): Array<{ open: readonly string[]; close: readonly string[] }> {
  return [reasoning, section, call].flatMap((part) => (part?.open && part.close ? [{ open: part.open, close: part.close }] : []))
}
