// The values of `const` and `enum`, and which of them a value stands for.
//
// Source: facts/ai-sdk-tool-parser.md, 2c: white space and quotes don't count, capitals do.
// Differences: the reference knows strings alone, and those by `enum`; here `"2"` is
// the 2 of `{ enum: [1, 2] }` whatever `type` says, and `const` is an `enum` of one.

import type { View } from './view.js'
import { numberIn, booleanIn, isNullWord } from './texts.js'

export type Literals = NonNullable<View['literals']>

const QUOTED = /^(["'])(.*)\1$/s

/** The literal that a value stands for, which may be `null`; undefined if it stands for none of them. */
export function literalFor(value: unknown, literals: Literals): unknown {
  if (literals.has(value)) return value
  if (typeof value === 'string') return literalWritten(value, literals)
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  return isScalar && literals.has(String(value)) ? String(value) : undefined
}

function literalWritten(text: string, literals: Literals): unknown {
  const byCompact = compactOf(literals)
  const trimmed = text.trim()
  const unquoted = QUOTED.exec(trimmed)?.[2]
  const written =
    byCompact.get(compact(trimmed)) ??
    (unquoted === undefined ? undefined : literals.has(unquoted) ? unquoted : byCompact.get(compact(unquoted)))
  if (written !== undefined) return written
  if (isNullWord(text) && literals.has(null)) return null
  return [booleanIn(text), numberIn(text, false)].find((value) => value !== undefined && literals.has(value))
}

const compacted = new WeakMap<Literals, ReadonlyMap<string, string>>()

/** The strings among them by what they are without white space; of equals the first. */
function compactOf(literals: Literals): ReadonlyMap<string, string> {
  let known = compacted.get(literals)
  if (known === undefined) {
    known = new Map(
      [...literals]
        .filter((value): value is string => typeof value === 'string')
        .map((text) => [compact(text), text] as const)
        .reverse(),
    )
    compacted.set(literals, known)
  }
  return known
}

function compact(text: string): string {
  return text.replace(/\s+/g, '')
}
