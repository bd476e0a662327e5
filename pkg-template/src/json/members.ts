// Writes an object of arguments, member by member: each key once.
//
//     a, b               {"a":1,"b":2}
//     list, list         {"list":["x","y"]}    where its schema is a list: the values are its items
//     a, b, a            {"a":1,"b":2          then the owner decides: the last value counts
//
// A list is written while it comes, but for what may be its end, since another value may follow. A value that is not a
// list waits for the next member: if that has the same key, it is an item.
//
// Source: spec/policy.md, 7.

import type { Span } from '../span.js'

/**
 * What a member is whose key comes again: a list of its values, which may be `lists` themselves. Undefined: the last of
 * them.
 */
export type Listing = 'items' | 'lists' | undefined

/** Whoever gets what is written. Places are those of the text that it stands for. */
export interface MembersOutput {
  /** A piece of JSON. */
  write(json: string, from: number, to: number): void
  /** A member is written next, for the place from `from` on; `isAgain`: its key was written before. */
  begin(key: string, isAgain: boolean, from: number): void
  /** A bracket was left out, since the list has several values. */
  leaveOut?(json: string, from: number, to: number): void
}

/** A list as it was written; with brackets unless it was a value alone. */
interface WrittenList {
  readonly json: string
  readonly isBracketed: boolean
}

/** The members of one object. Who wants no places leaves them out. */
export class Members {
  /** Whether nothing is written. */
  isEmpty = true
  private readonly keys = new Set<string>()
  /** The lists that have ended. */
  private readonly lists = new Map<string, WrittenList>()
  /** The list that is open, what of it is written, and what of its last value is not. */
  private open: string | undefined
  private json = ''
  private held = ''
  private heldAt: Span = [0, 0]
  /** Where in that value it stands: in white space before it, in its brackets, or in something else than a list. */
  private part: 'front' | 'items' | 'value' = 'front'
  private hasLists = false
  private isBracketed = false
  private hasItems = false
  private needsComma = false

  constructor(private readonly output: MembersOutput) {}

  /** A member begins; false if it is one more value of the list that is open, whose key is not written again. */
  begin(key: string, listing: Listing, from = 0, to = 0): boolean {
    if (listing !== undefined && this.open === key) {
      this.#endValue()
      return false
    }
    this.#endList()
    const before = listing === undefined ? undefined : this.lists.get(key)
    this.output.begin(key, this.keys.has(key), from)
    this.keys.add(key)
    this.output.write(`${this.isEmpty ? '{' : ','}${JSON.stringify(key)}:`, from, to)
    this.isEmpty = false
    if (listing === undefined) return true
    this.open = key
    if (before !== undefined) {
      // Others came since.
      this.hasLists = !before.isBracketed && listing === 'lists'
      this.add(before.json, from, from)
      this.#endValue()
    }
    this.hasLists = listing === 'lists'
    return true
  }

  /** Whether a member of the key was written. */
  has(key: string): boolean {
    return this.keys.has(key)
  }

  add(json: string, from = 0, to = 0): void {
    if (this.open === undefined) return this.output.write(json, from, to)
    let piece = json
    if (this.held === '') this.heldAt = [from, to]
    if (this.part === 'front') {
      piece = piece.trimStart()
      if (piece === '') return
      const isList = piece.startsWith('[') && !this.hasLists
      this.part = isList ? 'items' : 'value'
      if (isList) {
        piece = piece.slice(1)
        const inside = placeAt(piece.length, from, to)
        if (this.isBracketed) this.output.leaveOut?.('[', from, inside)
        else this.#put('[', from, inside)
        this.isBracketed = true
        this.heldAt = [inside, to]
      }
    }
    const end = this.part === 'items' ? endOfItems(piece) : 0
    if (end > 0) {
      const at = placeAt(piece.length - end, from, to)
      this.#item(this.held + piece.slice(0, end), this.heldAt[0], at)
      this.held = piece.slice(end)
      this.heldAt = [at, to]
    } else {
      this.held += piece
      this.heldAt = [this.heldAt[0], to]
    }
  }

  /** The object begins again: of what was written nothing counts but the lists. */
  startOver(): void {
    this.keys.clear()
    this.isEmpty = true
  }

  reset(): void {
    this.startOver()
    this.lists.clear()
    this.#closeList()
  }

  /** The object has ended; `more` are members as they were written before. */
  finish(at = 0, more: Iterable<string> = []): void {
    this.#endList()
    for (const member of more) {
      this.output.write(`${this.isEmpty ? '{' : ','}${member}`, at, at)
      this.isEmpty = false
    }
    this.output.write(this.isEmpty ? '{}' : '}', at, at)
  }

  /** A value of the list has ended, and another one follows. */
  #endValue(): void {
    if (this.part === 'items') {
      const rest = withoutBracket(this.held)
      if (rest === '') this.output.leaveOut?.(this.held, ...this.heldAt)
      else this.#put(rest, ...this.heldAt)
    } else if (this.part === 'value') {
      if (!this.isBracketed) this.held = `[${this.held}`
      this.isBracketed = true
      this.#item(this.held, ...this.heldAt)
    }
    this.held = ''
    this.part = 'front'
    this.needsComma = this.hasItems
  }

  #endList(): void {
    const { open } = this
    if (open === undefined) return
    const [, at] = this.heldAt
    if (this.isBracketed && this.part !== 'items') {
      this.#endValue()
      this.#put(']', at, at)
    } else this.#put(this.held, ...this.heldAt)
    this.lists.set(open, { json: this.json, isBracketed: this.isBracketed })
    this.#closeList()
  }

  #closeList(): void {
    this.open = undefined
    this.json = this.held = ''
    this.part = 'front'
    this.isBracketed = this.hasItems = this.needsComma = false
  }

  #item(json: string, from: number, to: number): void {
    this.#put(this.needsComma ? `,${json}` : json, from, to)
    this.needsComma = false
    this.hasItems = true
  }

  #put(json: string, from: number, to: number): void {
    this.json += json
    if (json !== '') this.output.write(json, from, to)
  }
}

/** The place before the last units of a text. */
function placeAt(units: number, from: number, to: number): number {
  return Math.max(from, to - units)
}

/** What may be the end of a list, with a comma too many. */
const END = ' \t\n\r,]'

/** Where what may be the end of a list begins. */
function endOfItems(json: string): number {
  let at = json.length
  while (at > 0 && END.includes(json[at - 1] as string)) at--
  return at
}

/** The end of a list's text without its last bracket, and a comma before it. */
function withoutBracket(json: string): string {
  const end = json.lastIndexOf(']')
  const rest = json.slice(0, end === -1 ? json.length : end).trimEnd()
  return rest.endsWith(',') ? rest.slice(0, -1) : rest
}
