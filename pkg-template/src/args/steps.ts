// Paths in `get`, `text`, `items`, `onDone` and `onText`: as fields have them, or lists of steps.

import { describe } from '../errors.js'
import { type Pattern, type Step, dotSegment, matches, parsePattern } from '../json/path.js'

export type { Step }

/** A path that was given: which values it matches. */
export type GivenPath = string | readonly Step[]

type PatternStep = Pattern['steps'][number]

/** Reads a path. @throws TypeError if it can't be read, or is a pattern where that is not allowed. */
export function patternOf(place: string, path: GivenPath, isOne: boolean): Pattern {
  if (path === '') return { source: '', steps: [] }
  if (typeof path === 'string') {
    const pattern = parsePattern(path, place)
    if (isOne && pattern.steps.some(({ key, index }) => key === true || index === true))
      throw new TypeError(`${place} takes the path of one value, but ${JSON.stringify(path)} is a pattern`)
    return pattern
  }
  const isStep = (step: unknown) => typeof step === 'string' || (Number.isSafeInteger(step) && (step as number) >= 0)
  if (!Array.isArray(path) || !path.every(isStep))
    throw new TypeError(
      `${place} takes a path such as edits[0].path, or a list of keys and indices, but got ${describe(path)}`,
    )
  return { source: writtenOf(path), steps: path.map(stepOf) }
}

/** The pattern of what is in the values of another one. */
export function elementsOf({ source, steps }: Pattern): Pattern {
  return { source: `${source}[*]`, steps: [...steps, { key: undefined, index: true }] }
}

function stepOf(step: Step): PatternStep {
  return typeof step === 'number' ? { key: undefined, index: step } : { key: step, index: undefined }
}

/** A path as it is written. */
function writtenOf(path: readonly Step[]): string {
  return path.map((step, at) => dotSegment(step, at === 0)).join('')
}

/** Whether a pattern matches what is inside of a value. */
export function isInside({ source, steps }: Pattern, path: readonly Step[]): boolean {
  return steps.length > path.length && matches({ source, steps: steps.slice(0, path.length) }, path)
}
