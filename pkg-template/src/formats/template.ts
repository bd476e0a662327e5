// Templates of texts: `<function={name}>` with placeholders in braces. Other braces are
// text, so that JSON can stand in one: `{"name": {name:json}}`.

import type { Format } from './types.js'

/** A word, and how it is written: `{name}`, `{name:json}`, `{index:9}`. */
const PLACEHOLDER = /\{([a-z]+)(?::([a-z]+|\d+))?\}/g

/** The words of the placeholders of a template. */
export function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, word = '']) => word)
}

/** Whether a format writes each parameter on lines of its own. */
export function hasLineParams(params: Format['params'], write: Format['write']): boolean {
  return /^\n|\n$/.test((write?.param ?? '') + (write?.paramJoin ?? '')) || params?.trim === 'line'
}

/** A placeholder of a template. */
export interface Placeholder {
  readonly word: string
  readonly manner: string | undefined
}

/** A template's texts and placeholders, in their order. */
export function templateParts(template: string): ReadonlyArray<string | Placeholder> {
  const parts: Array<string | Placeholder> = []
  let from = 0
  for (const { 0: whole, 1: word = '', 2: manner, index } of template.matchAll(PLACEHOLDER)) {
    parts.push(template.slice(from, index), { word, manner })
    from = index + whole.length
  }
  return [...parts, template.slice(from)]
}

/** Writes a template; `value` has what stands for a word, or `undefined` if that is text. */
export function fillTemplate(
  template: string,
  value: (word: string, manner: string | undefined) => string | undefined,
): string {
  return template.replace(
    PLACEHOLDER,
    (whole, word: string, manner: string | undefined) => value(word, manner) ?? whole,
  )
}
