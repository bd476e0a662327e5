// JSON paths as Gemini writes them: `$.city`, `$.days[0]`, `$['a b']`.

import type { Step } from './path.js'

const STEP = /\.([\w$-]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/y

/** The names and indices in a path; undefined if it isn't one. */
export function stepsOfJsonPath(path: string): Step[] | undefined {
  const steps: Step[] = []
  STEP.lastIndex = 1
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path)
    if (match === null) return undefined
    const [, name, index, quoted, other] = match
    steps.push(index === undefined ? ((name ?? quoted ?? other) as string) : Number(index))
  }
  return path.startsWith('$') ? steps : undefined
}
