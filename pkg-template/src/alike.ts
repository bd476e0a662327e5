// Calls that are alike but for a few strings or numbers: most events of a stream are. Only what differs is kept of each.
//
//     first   {"index":0,"delta":{"type":"text","text":"The"}}        leaves   0  "text"  "The"
//     next    {"index":0,"delta":{"type":"text","text":" weir"}}      at [2]   " weir"

/** Several calls: the first, and of each of the others its leaves at some places. */
interface Alike {
  readonly first: readonly unknown[]
  readonly at: readonly number[]
  readonly rows: ReadonlyArray<readonly unknown[]>
}

/** Calls as JSON has them: what one is given, or several. */
type WrittenCalls = readonly unknown[] | Alike

/** So many leaves may differ. */
const MOST = 4

/** What one method was given, by calls that follow each other. */
export class AlikeCalls {
  readonly #leaves: unknown[] = []
  readonly #isJson: boolean
  #at: number[] | undefined
  readonly #rows: unknown[][] = []

  constructor(
    readonly method: string,
    private readonly first: readonly unknown[],
  ) {
    walk(first, first, this.#leaves)
    this.#isJson = this.#leaves.every((leaf) => leaf === null || ['string', 'number', 'boolean'].includes(typeof leaf))
  }

  /** Adds another call, if it is alike. */
  takes(method: string, given: readonly unknown[]): boolean {
    const leaves: unknown[] = []
    if (method !== this.method || !this.#isJson || !walk(this.first, given, leaves)) return false
    const other = leaves.flatMap((leaf, at) => (Object.is(leaf, this.#leaves[at]) ? [] : [at]))
    if (other.length > MOST || (this.#at !== undefined && !other.every((at) => this.#at?.includes(at)))) return false
    this.#at ??= other
    this.#rows.push(this.#at.map((at) => leaves[at]))
    return true
  }

  /** As JSON. */
  toJSON(): WrittenCalls {
    return this.#at === undefined ? this.first : { first: this.first, at: this.#at, rows: this.#rows }
  }
}

/** All calls, one by one. */
export function* callsIn(written: WrittenCalls): Generator<readonly unknown[]> {
  if (Array.isArray(written)) return yield written
  const { first, at, rows } = written as Alike
  yield first
  for (const row of rows) yield withLeaves(first, new Map(at.map((place, index) => [place, row[index]]))) as unknown[]
}

/** Whether something is such JSON. */
export function areCalls(value: unknown): value is WrittenCalls {
  const { first, at, rows } = (value ?? {}) as Partial<Alike>
  const isAlike = Array.isArray(first) && Array.isArray(at) && Array.isArray(rows) && rows.every(Array.isArray)
  return Array.isArray(value) || isAlike
}

/** Adds the leaves of a value, if it has the form of another. */
function walk(form: unknown, value: unknown, leaves: unknown[]): boolean {
  if (typeof form !== 'object' || form === null || typeof value !== 'object' || value === null) {
    leaves.push(value)
    return typeof form === typeof value && (typeof value !== 'object' || form === value)
  }
  const names = Object.keys(form)
  const own = Object.keys(value)
  if (own.length !== names.length || Array.isArray(form) !== Array.isArray(value)) return false
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as keyof typeof form
    if (own[at] !== name || !walk(form[name], value[name], leaves)) return false
  }
  return true
}

/** A copy with other leaves at some places. */
function withLeaves(form: unknown, others: ReadonlyMap<number, unknown>): unknown {
  let place = 0
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) {
      const at = place++
      return others.has(at) ? others.get(at) : value
    }
    if (Array.isArray(value)) return value.map(copy)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]))
  }
  return copy(form)
}
