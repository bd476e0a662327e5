// Which paths a document has so far, as far as Agently's guess asks: does some
// path come after this one?
//
// Source: facts/agently.md, `_is_path_before`. Two paths of the schema are in
// its order; any other two are compared by length, or as text. Both count code
// points, as Python does.

/** The longest and the last of some paths, and whether that one has surrogates. */
interface Bounds {
  length: number
  greatest: string
  hasHalf: boolean
}

/** A path: its place in the schema, or -1, and whether it has surrogates. */
export interface Place {
  readonly dotPath: string
  readonly index: number
  readonly hasHalf: boolean
}

/** The paths that are present. They only grow. */
export class PresentPaths {
  /** The index of the last path of the schema that is present. */
  furthest = -1
  /** How often a path came that says more than those before it. */
  changes = 0
  private readonly all: Bounds = { length: 0, greatest: '', hasHalf: false }
  private readonly others: Bounds = { length: 0, greatest: '', hasHalf: false }

  constructor(private readonly order: OrderList) {}

  /** The place of a path in the schema, or -1. */
  indexOf(path: string): number {
    return this.order.indexOf(path)
  }

  add(place: Place): void {
    let isMore = widen(this.all, place)
    if (place.index === -1) {
      if (widen(this.others, place)) isMore = true
    } else if (place.index > this.furthest) {
      this.furthest = place.index
      isMore = true
    }
    if (isMore) this.changes++
  }

  /** Whether a path comes before the furthest one. */
  isBeforeFurthest({ dotPath: path, index, hasHalf }: Place): boolean {
    if (this.furthest === -1) return false
    if (index !== -1) return index < this.furthest
    const furthest = this.order.pathAt(this.furthest)
    const isOther = HALF.test(furthest)
    return lengthOf(path, hasHalf) < lengthOf(furthest, isOther) || isLess(path, furthest, hasHalf || isOther)
  }

  /** Whether a path comes before any other. */
  isBeforeAny({ dotPath: path, index, hasHalf }: Place): boolean {
    const others = index === -1 ? this.all : this.others
    return (
      (index !== -1 && index < this.furthest) ||
      lengthOf(path, hasHalf) < others.length ||
      isLess(path, others.greatest, hasHalf || others.hasHalf)
    )
  }
}

/** The schema's paths, in its order. */
export class OrderList {
  private readonly indexes: ReadonlyMap<string, number>

  constructor(private readonly paths: readonly string[]) {
    this.indexes = new Map(paths.map((path, index) => [path, index]))
  }

  get length(): number {
    return this.paths.length
  }

  /** -1 for a path that isn't literally in the schema, such as those of elements. */
  indexOf(path: string): number {
    // Without a schema there is the root alone.
    if (this.paths.length === 1) return path === this.paths[0] ? 0 : -1
    return this.indexes.get(path) ?? -1
  }

  pathAt(index: number): string {
    return this.paths[index] as string
  }
}

/** Whether a path is longer than those before it, or comes after them. */
function widen(bounds: Bounds, { dotPath: path, hasHalf }: Place): boolean {
  const length = lengthOf(path, hasHalf)
  const isLonger = length > bounds.length
  if (isLonger) bounds.length = length
  if (!isLess(bounds.greatest, path, hasHalf || bounds.hasHalf)) return isLonger
  bounds.greatest = path
  bounds.hasHalf = hasHalf
  return true
}

const HALF = /[\ud800-\udfff]/

/** Whether a text has surrogates. */
export function hasHalves(text: string): boolean {
  return HALF.test(text)
}

function lengthOf(text: string, hasHalf: boolean): number {
  return hasHalf ? [...text].length : text.length
}

/** Whether a text comes first by code points. That differs from JavaScript's order only where one has surrogates. */
function isLess(a: string, b: string, hasHalf: boolean): boolean {
  if (!hasHalf) return a < b
  const left = [...a]
  const right = [...b]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at === -1) return left.length < right.length
  const other = right[at]
  return other !== undefined && (left[at] as string).codePointAt(0)! < other.codePointAt(0)!
}
