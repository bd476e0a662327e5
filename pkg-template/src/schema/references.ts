// What the `$ref`s of a schema name.

import type { Keywords } from './keywords.js'

/** The `$ref`s of one document. */
export class References {
  #names: ReadonlyMap<string, unknown> | undefined

  constructor(readonly root: unknown) {}

  /**
   * The document itself, or the part that a JSON pointer, an `$anchor` or an `$id` names; undefined if there is none.
   */
  find(reference: string): unknown {
    if (reference === '#') return this.root
    if (!reference.startsWith('#/')) return (this.#names ??= namesIn(this.root)).get(reference)
    let target: unknown = this.root
    for (const step of pointerSteps(reference))
      target =
        typeof target === 'object' && target !== null && Object.hasOwn(target, step)
          ? (target as Keywords)[step]
          : undefined
    return target
  }
}

/** The steps of `#/$defs/a~1b`. A reference is a URI, in which characters may be written as `%20`. */
export function pointerSteps(reference: string): string[] {
  let text = reference
  try {
    text = decodeURIComponent(reference)
  } catch {
    // A `%` that stands for itself.
  }
  return text
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Everything that has an `$anchor` or an `$id`, by how a `$ref` writes it. */
function namesIn(root: unknown): ReadonlyMap<string, unknown> {
  const names = new Map<string, unknown>()
  const seen = new Set<unknown>()
  const waiting = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const { $anchor, $id } = value as Keywords
    if (typeof $anchor === 'string') names.set(`#${$anchor}`, value)
    if (typeof $id === 'string') names.set($id, value)
    waiting.push(...(Object.values(value) as unknown[]).filter((inner) => inner !== undefined))
  }
  return names
}
