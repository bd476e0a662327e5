// What the elements of a call hold while they come.

import { Joined } from '../joined.js'
import { put } from '../own.js'
import type { Kind } from '../schema/keywords.js'
import { ANYTHING, type Schema } from '../schema/schema.js'

const NO_TYPES: ReadonlySet<Kind> = new Set()

/** A member of an object: its value, and whether that is a list because it came twice. */
interface Member {
  value: unknown
  isCollected: boolean
}

/** What an element holds: members, or the items of a list. */
export class Container {
  readonly members = new Map<string, Member>()

  /** `part` is the schema of the object or of the list's items; undefined if nothing is said of them. */
  constructor(
    readonly isList: boolean,
    public part: Schema | undefined,
    /** Whether it is the only item of a list. */
    readonly isItem = false,
    readonly items: unknown[] = [],
  ) {}

  /** Adds a member; false if it is there already, and must not come again. */
  add(name: string, value: unknown, duplicate: 'last' | 'list' | 'reject'): boolean {
    const before = this.members.get(name)
    if (before === undefined) this.members.set(name, { value, isCollected: false })
    else if (duplicate === 'reject') return false
    else if (duplicate === 'last') before.value = value
    else if (before.isCollected) (before.value as unknown[]).push(value)
    else {
      before.value = [before.value, value]
      before.isCollected = true
    }
    return true
  }

  /** Adds to a member that is a list. */
  extend(name: string, items: readonly unknown[]): void {
    const before = this.members.get(name)
    if (before === undefined) this.members.set(name, { value: [...items], isCollected: false })
    else if (Array.isArray(before.value)) before.value.push(...items)
    else this.members.set(name, { value: [before.value, ...items], isCollected: true })
  }

  get value(): Readonly<Record<string, unknown>> | readonly unknown[] {
    if (this.isList) return this.items
    const object: Record<string, unknown> = {}
    for (const [name, { value }] of this.members) put(object, name, value)
    return object
  }
}

/** An element that is open. */
export class OpenElement {
  types: ReadonlySet<Kind>
  /** Whether the machine asked what it is: otherwise its tag closed itself. */
  isAsked = false
  /** What it holds, once an element in it has opened. */
  container: Container | undefined
  readonly text = new Joined()

  /** `part` is what types it; undefined if nothing does. */
  constructor(
    readonly name: string,
    public part: Schema | undefined,
  ) {
    this.types = part?.types ?? NO_TYPES
    this.container = undefined
  }

  /** After a restore: what types it and what it holds. */
  typeBy(part: Schema | undefined): void {
    this.part = part
    this.types = part?.types ?? NO_TYPES
    const { container } = this
    if (container === undefined) return
    if (container.isList || container.isItem) container.part = itemsOf(part)
    else container.part = this.types.has('object') ? part : undefined
  }

  /** What it holds, if an element of this name opens in it first. */
  holding(child: string): Container {
    const { part, types } = this
    const isList = types.has('array') && (!types.has('object') || child === 'item')
    const items = isList ? itemsOf(part) : undefined
    const isItem = child !== 'item' && items?.types.has('object') === true && items.listed?.includes(child) === true
    if (isList && !isItem) return new Container(true, items)
    return new Container(false, isItem ? items : types.has('object') ? part : undefined, isItem)
  }
}

/** What types an element of some name; undefined if nothing does. */
export function partOf({ isList, part }: Container, name: string): Schema | undefined {
  return isList ? part : part?.property(name)
}

/** What is said of a list's items; undefined if nothing is. */
function itemsOf(part: Schema | undefined): Schema | undefined {
  const items = part?.element(0)
  return items === ANYTHING ? undefined : items
}
