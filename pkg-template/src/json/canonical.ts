// A value as a text that equal values have in common.

import { isRecord, put } from '../own.js'

/** The JSON of a value, with its keys in order; of one that is nested too deep `written`, as it came. */
export function canonical(value: unknown, written: string): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === 'bigint') return `${inner}n`
      return isRecord(inner) ? sorted(inner) : inner
    })
  } catch {
    return written
  }
}

function sorted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {}
  for (const key of Object.keys(fields).sort()) put(ordered, key, fields[key])
  return ordered
}
