// Calls that are alike but for a few strings or numbers, as most events of a stream are: of each only what differs is
// kept.
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
  private readonly leaves: unknown[] = []
  private readonly isJson: boolean
  private at: readonly number[] | undefined
  private readonly rows: unknown[][] = []

  constructor(
    readonly method: string,
    private readonly first: readonly unknown[],
  ) {
    eachLeaf(first, (leaf) => void this.leaves.push(leaf))
    this.isJson = this.leaves.every((leaf) => leaf === null || ['string', 'number', 'boolean'].includes(typeof leaf))
  }

  /** Adds another call, if it is alike. */
  takes(method: string, given: readonly unknown[]): boolean {
    if (method !== this.method || !this.isJson) return false
    const found = new Difference()
    if (!found.compare(this.first, given)) return false
    const { at = found.at } = this
    if (!found.at.every((place) => at.includes(place))) return false
    this.at = at
    this.rows.push(
      at.map((place) => (found.at.includes(place) ? found.leaves[found.at.indexOf(place)] : this.leaves[place])),
    )
    return true
  }

  /** As JSON. */
  toJSON(): WrittenCalls {
    return this.at === undefined ? this.first : { first: this.first, at: this.at, rows: this.rows }
  }
}

/** The leaves in which a value differs from another one of the same form. */
class Difference {
  readonly at: number[] = []
  readonly leaves: unknown[] = []
  private place = 0

  /** False if it has another form, or differs in more than may be. */
  compare(form: unknown, value: unknown): boolean {
    if (typeof form !== 'object' || form === null || typeof value !== 'object' || value === null) {
      const at = this.place++
      if (form === value) return true
      this.at.push(at)
      this.leaves.push(value)
      return typeof form === typeof value && typeof value !== 'object' && this.at.length <= MOST
    }
    const names = Object.keys(form)
    const own = Object.keys(value)
    if (own.length !== names.length || Array.isArray(form) !== Array.isArray(value)) return false
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as keyof typeof form
      if (own[at] !== name || !this.compare(form[name], value[name])) return false
    }
    return true
  }
}

/** All calls, one by one. */
export function* callsIn(written: WrittenCalls): Generator<readonly unknown[]> {
  if (Array.isArray(written)) return yield written
  const { first, at, rows } = written as Alike
  yield first
  for (const row of rows) {
    const others = new Map(at.map((place, index) => [place, row[index]]))
    let place = 0
    yield eachLeaf(first, (leaf) => (others.has(place++) ? others.get(place - 1) : leaf)) as unknown[]
  }
}

/** Whether something is such JSON. */
export function areCalls(value: unknown): value is WrittenCalls {
  const { first, at, rows } = (value ?? {}) as Partial<Alike>
  const isAlike = Array.isArray(first) && Array.isArray(at) && Array.isArray(rows) && rows.every(Array.isArray)
  return Array.isArray(value) || isAlike
}

/** A copy of a value, with what is made of each leaf. */
function eachLeaf(value: unknown, make: (leaf: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return make(value)
  if (Array.isArray(value)) return value.map((each) => eachLeaf(each, make))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachLeaf(each, make)]))
}
