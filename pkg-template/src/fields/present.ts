// Which paths a document has so far, as far as Agently's guess asks: does some
// path come after this one?
//
// Source: facts/agently.md, `_is_path_before`. Two paths of the schema are in
// its order; any other two are compared by length, or as text. Both count code
// points, as Python does.

import { count, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'

const BOUNDS = shape<{ length: number; greatest: string }>({ length: count, greatest: text })

/** The paths that are present. They only grow. */
export class PresentPaths {
  static get saved(): SavedClass {
    return { fields: { furthest: count, all: BOUNDS, others: BOUNDS, order: (value) => value instanceof OrderList }, isSound: ({ order, furthest }: PresentPaths) => furthest < order.length }
  }
  /** The index of the last path of the schema that is present. */
  furthest = -1
  private readonly all = { length: 0, greatest: '' }
  private readonly others = { length: 0, greatest: '' }

  constructor(private readonly order: OrderList) {}

  add(path: string): void {
    const index = this.order.indexOf(path)
    widen(this.all, path)
    if (index === -1) widen(this.others, path)
    else if (index > this.furthest) this.furthest = index
  }

  /** Whether a path comes before the furthest one. */
  isBeforeFurthest(path: string): boolean {
    if (this.furthest === -1) return false
    const index = this.order.indexOf(path)
    if (index !== -1) return index < this.furthest
    const furthest = this.order.pathAt(this.furthest)
    return lengthOf(path) < lengthOf(furthest) || isLess(path, furthest)
  }

  /** Whether a path comes before any other. */
  isBeforeAny(path: string): boolean {
    const index = this.order.indexOf(path)
    const others = index === -1 ? this.all : this.others
    return (index !== -1 && index < this.furthest) || lengthOf(path) < others.length || isLess(path, others.greatest)
  }
}

/** The schema's paths, in its order. */
export class OrderList {
  static get saved(): SavedClass {
    return { skips: ['indexes', 'paths'] }
  }
  private readonly indexes: ReadonlyMap<string, number>

  constructor(private readonly paths: readonly string[]) {
    this.indexes = new Map(paths.map((path, index) => [path, index]))
  }

  get length(): number {
    return this.paths.length
  }

  /** -1 for a path that isn't literally in the schema, such as those of elements. */
  indexOf(path: string): number {
    return this.indexes.get(path) ?? -1
  }

  pathAt(index: number): string {
    return this.paths[index] as string
  }
}

function widen(bounds: { length: number; greatest: string }, path: string): void {
  bounds.length = Math.max(bounds.length, lengthOf(path))
  if (isLess(bounds.greatest, path)) bounds.greatest = path
}

const HALF = /[\ud800-\udfff]/

function lengthOf(text: string): number {
  return HALF.test(text) ? [...text].length : text.length
}

/** Whether a text comes first by code points. That differs from JavaScript's order only where there are surrogates. */
function isLess(a: string, b: string): boolean {
  if (!HALF.test(a) && !HALF.test(b)) return a < b
  const left = [...a]
  const right = [...b]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at === -1) return left.length < right.length
  const other = right[at]
  return other !== undefined && (left[at] as string).codePointAt(0)! < other.codePointAt(0)!
}
