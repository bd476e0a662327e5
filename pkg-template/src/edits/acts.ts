// What happens to files by the arguments of a call, in the order in which it is written.
//
//     {"edits": [{"new_string": "B", "path": "a", "old_str|          until "a" is whole, two acts wait: update, new "B"
//
// What an object replaces or writes is a unit: the arguments themselves, or an element of a list. What happens to one
// waits until its path is known, and with it all that comes later.

import { EditFlag } from '../generated/ops.js'
import type { ArgumentsEmitter } from './arguments-emitter.js'
import type { Names } from './names.js'
import { type Settings, wholePatch } from './options.js'
import { Edits } from './reading.js'
import type { FileOp } from './types.js'

/** Most text that waits for its path, in UTF-16 code units. */
const LONGEST = 1_048_576

/** What each type of operation does, and how its diff is read. */
export const OPERATIONS: Readonly<Record<string, readonly [op: FileOp, flags?: number]>> = {
  create_file: ['add', EditFlag.BareAdd],
  update_file: ['update', EditFlag.BareUpdate],
  delete_file: ['delete'],
}

/** How a call's arguments are read. */
export interface ArgumentSettings extends Settings {
  readonly names: Names
}

/** An object that replaces or writes text: that of the arguments, or one in a list. */
export class Unit {
  path: string | undefined
  hasOld = false
  hasNew = false
  hasContent = false
  isAll = false

  /** Whether any text of it has begun. */
  get isOpen(): boolean {
    return this.hasOld || this.hasNew || this.hasContent
  }
}

/** What happens to a unit, or with the diff of an operation: it has its place in the JSON. */
export type Act = 'add' | 'update' | 'old' | 'new' | 'done' | 'diff' | 'diff-done'

interface Waiting {
  readonly unit: Unit
  readonly act: Act
  text: string
  readonly from: number
  to: number
}

/** What happens, and waits. */
export class Acts {
  /** The arguments themselves. */
  readonly root = new Unit()
  /** The type of the operation. */
  type: string | undefined
  /** The patch in a string. */
  patch: Edits | undefined
  private waiting: Waiting[] = []
  /** How much text waits. */
  private waits = 0
  /** The path that hunks go to. */
  private last = ''

  constructor(
    private readonly settings: ArgumentSettings,
    private readonly emitter: ArgumentsEmitter,
  ) {}

  get isWaiting(): boolean {
    return this.waiting.length > 0
  }

  /** The path of all that has none of its own. */
  get path(): string | undefined {
    return this.root.path ?? this.settings.path
  }

  pathOf(unit: Unit): string | undefined {
    return unit.path ?? this.path
  }

  /** Does what needs a path, now or when it is known. Gives where the text that waits gets too long, if it does. */
  do(next: Waiting): number | undefined {
    const { waiting, waits } = this
    const { unit, act, text, from, to } = next
    if (waiting.length === 0 && this.isReady(next)) {
      this.perform(next)
      return undefined
    }
    this.waits += text.length
    // The same place, wherever the text is cut.
    if (this.waits > LONGEST) return Math.min(to, from + LONGEST - waits)
    const last = waiting.at(-1)
    if (text !== '' && last?.unit === unit && last.act === act && last.text !== '') {
      last.text += text
      last.to = to
    } else waiting.push(next)
    return undefined
  }

  /** A path or a type is known. */
  flush(): void {
    const { waiting } = this
    let ready = 0
    while (ready < waiting.length && this.isReady(waiting[ready] as Waiting)) this.perform(waiting[ready++] as Waiting)
    waiting.splice(0, ready)
    if (waiting.length === 0) this.waits = 0
  }

  /** Nothing happens any more. */
  drop(): void {
    this.waiting = []
  }

  /** A patch begins, in any notation. */
  beginPatch(): void {
    const { path } = this
    if (path !== undefined) this.emitter.useFor(path)
    this.openPatch(wholePatch(path))
  }

  /** `flags`: how it is read. */
  private openPatch(flags: number | undefined): void {
    if (flags !== undefined) this.patch = new Edits({ ...this.settings, flags }, this.emitter)
  }

  private isReady({ unit, act }: Waiting): boolean {
    const isOperation = act === 'diff' || act === 'diff-done'
    return this.pathOf(unit) !== undefined && (!isOperation || this.type !== undefined)
  }

  private perform({ unit, act, text, from, to }: Waiting): void {
    const { emitter } = this
    if (act === 'old' || act === 'new') emitter.grow(act, text, from, to)
    else if (act === 'add' || act === 'update') this.openHunk(act, this.pathOf(unit) as string, from)
    else if (act === 'done') emitter.endHunk(to, false, unit.isAll)
    else if (act === 'diff-done') this.patch?.end('stop')
    else if (text !== '') this.patch?.write(text)
    else {
      const [op, flags] = OPERATIONS[this.type as string] as readonly [FileOp, number?]
      emitter.openFile(op, this.pathOf(unit) as string, undefined, 'v4a', from)
      this.openPatch(flags)
    }
  }

  private openHunk(op: 'add' | 'update', path: string, at: number): void {
    const { emitter } = this
    if (this.last !== path || op === 'add') emitter.openFile(op, path, undefined, 'arguments', at)
    this.last = op === 'add' ? '' : path
    emitter.openHunk(at, [])
  }
}
