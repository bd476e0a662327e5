import type { BlockEmission } from './types.js'

/** The visible text in emissions. */
export function visibleIn(emissions: readonly BlockEmission[]): string[] {
  const texts: string[] = []
  for (const emission of emissions) if (emission.kind === 'content' && emission.meta.visible) texts.push(emission.text)
  return texts
}
