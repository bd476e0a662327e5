// What a schema asks of a document, and the order of its values.

import { ELEMENT, type Outline, SAME, union } from '../schema/outline.js'
import { dotSegment } from '../json/path.js'

/** What a document must look like to be taken. Where `keys` is undefined, any key fits. */
export type RootShape =
  | { readonly kind: 'any' }
  /** Neither an object nor an array. */
  | { readonly kind: 'scalar' }
  | { readonly kind: 'object'; readonly keys: ReadonlySet<string> | undefined }
  | {
      readonly kind: 'array'
      /** What an element is; `any` also where several kinds fit. */
      readonly item: 'any' | 'string' | 'number' | 'object'
      /** The keys of an element that is an object. */
      readonly keys: ReadonlySet<string> | undefined
      /** Whether an element may be `null` instead. */
      readonly isNullable: boolean
    }

/** What an outline asks of the document. */
export function rootShape({ kinds, keys, first }: Outline): RootShape {
  if (!kinds.has('object') && !kinds.has('array')) return { kind: 'scalar' }
  if (kinds.has('object') && kinds.has('array')) return { kind: 'any' }
  if (kinds.has('object')) return { kind: 'object', keys: listed(keys) }
  const elements = new Set(first?.flatMap((element) => [...element.kinds]))
  const isNullable = first === undefined || elements.delete('null')
  const [kind, ...others] = elements
  const isOne = others.length === 0 && (kind === 'string' || kind === 'number' || kind === 'object')
  const objects = first?.filter((element) => element.kinds.has('object')) ?? []
  return {
    kind: 'array',
    item: isOne ? kind : 'any',
    keys: kind === 'object' && isOne ? listed(union(objects.map(({ keys }) => keys))) : undefined,
    isNullable,
  }
}

/** Where no key is listed, any fits. */
function listed(keys: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined {
  return keys?.size === 0 ? undefined : keys
}

/** Longer lists of paths are useless, and references that cross could make them endless. */
const MOST_PATHS = 65_536
const MOST_OUTLINES_DEEP = 2_048
const TOO_LARGE =
  `schema is too large for completion by order: it has more than ${MOST_PATHS} paths, or is ` +
  `more than ${MOST_OUTLINES_DEEP} schemas deep`

/**
 * The wildcard paths of everything in an outline, in dot style and in the order of Agently 4.0.7's
 * `extract_parsing_key_orders`: a container after what is in it, the root, `''`, last; a path that comes twice is where
 * it came first.
 *
 * A `$ref` back to an outline above is not followed. Keys that look like integers come first in a JavaScript object,
 * wherever they were written.
 */
export function keyOrder(root: Outline): readonly string[] {
  const order = new Set<string>()
  const visit = (outline: Outline, path: string, above: readonly Outline[]) => {
    if (order.size >= MOST_PATHS || above.length > MOST_OUTLINES_DEEP) throw new TypeError(TOO_LARGE)
    visitInside(outline, path, above)
    order.add(path)
  }
  const visitInside = (outline: Outline, path: string, above: readonly Outline[]) => {
    if (above.includes(outline)) return
    const within = [...above, outline]
    for (const [step, inner] of outline.inside()) {
      if (step === SAME) visitInside(inner, path, within)
      else visit(inner, path + (step === ELEMENT ? '[*]' : dotSegment(step, path === '')), within)
    }
  }
  visit(root, '', [])
  return [...order]
}
