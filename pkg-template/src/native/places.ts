// Which item of a reply a delta belongs to: one answer for all providers.
//
// An id counts more than a position: servers give every call the index 0, or none. So a delta belongs to the item of
// its id; without one, to that of its position; without both, to the last one. What opens an item puts it here.
//
// Source: spec/policy.md, 17.

/** Items by id and by position. */
export class Places<Item> {
  private readonly ids = new Map<string, Item>()
  private readonly positions = new Map<unknown, Item>()
  private last: Item | undefined
  private readonly all = new Set<Item>()

  /** The item that a delta belongs to. A position that is absent is `undefined` or `null`. */
  find(id: string, position: unknown): Item | undefined {
    return this.known(id) ?? (position === undefined || position === null ? this.last : this.positions.get(position))
  }

  known(id: string): Item | undefined {
    return id === '' ? undefined : this.ids.get(id)
  }

  /** Opens an item, or gives one that is open its id or position. */
  put(id: string, position: unknown, item: Item): void {
    if (id !== '') this.ids.set(id, item)
    if (position !== undefined && position !== null) this.positions.set(position, item)
    this.last = item
    this.all.add(item)
  }

  /** The items in the order in which they were opened. */
  [Symbol.iterator](): IterableIterator<Item> {
    return this.all.values()
  }

  /** The reply is over. */
  clear(): void {
    this.ids.clear()
    this.positions.clear()
    this.all.clear()
    this.last = undefined
  }
}
