// Warns of paths that a schema does not have: a handler of one is never called.

import { nearest } from '../nearest.js'
import { ELEMENT, type Outline } from '../schema/outline.js'
import { type Pattern, dotSegment } from '../json/path.js'

/** Warnings that were given. Paths that a program makes must not pile up. */
const given = new Set<string>()
const MOST_GIVEN = 256

/** Warns once of a path that a schema doesn't list (`on`), or that it excludes (`onAny`). */
export function warnIfMissing(name: 'on' | 'onAny', pattern: Pattern, schema: Outline | undefined): void {
  const what = schema === undefined ? undefined : missing(pattern, schema, name === 'on')
  if (what === undefined) return
  const other =
    name === 'on' ? '; onAny takes paths that the schema does not list' : ', so this handler is never called'
  const warning = `tokenweir: parseFields.${name}(${JSON.stringify(pattern.source)}): ${what}${other}`
  if (given.has(warning) || given.size >= MOST_GIVEN) return
  given.add(warning)
  console.warn(warning)
}

/** What a path asks for that the schema does not have; undefined if it may be there. */
function missing({ steps }: Pattern, schema: Outline, mustList: boolean): string | undefined {
  let outline: Outline | undefined = schema
  let path = ''
  for (const { key, index } of steps) {
    if (outline === undefined) return undefined
    const { keys, kinds }: Outline = outline
    const isKey: boolean = key !== undefined && kinds.has('object')
    const isIndex: boolean = index !== undefined && kinds.has('array')
    if (!isKey && !isIndex)
      return `${path === '' ? 'the document' : path} is not an ${key === undefined ? 'array' : 'object'} in the schema`
    // What is at any key, or at one that may be an index, is not said in one place.
    if (key === true || (isKey && isIndex)) return undefined
    if (isIndex) {
      path += '[*]'
      outline = outline.at(ELEMENT)
      continue
    }
    const step = key as string
    path += dotSegment(step, path === '')
    const isUnlisted = mustList && keys !== undefined && keys.size > 0 && !keys.has(step)
    if (isUnlisted || outline.forbids(step)) {
      const like = nearest(step, keys ?? [])
      return `the schema has no ${path}${like === undefined ? '' : ` (is it ${JSON.stringify(like)}?)`}`
    }
    outline = outline.at(step)
  }
  return undefined
}
