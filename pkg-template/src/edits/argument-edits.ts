// The edits in the JSON of one call, while it is written: what of it is edits. What happens to files is in acts.ts.
//
// Source: spec/edits.md, 13 and 14.

import { endedByItself } from '../finish-reason.js'
import { Reading } from '../args/reading.js'
import type { JsonValue } from '../json/value.js'
import type { Step } from '../json/path.js'
import { isRecord } from '../own.js'
import { endsInHalf } from '../surrogates.js'
import { type Act, Acts, type ArgumentSettings, OPERATIONS, Unit } from './acts.js'
import { ArgumentsEmitter } from './arguments-emitter.js'
import { LISTS } from './names.js'
import type { EditEvent, EditFault, EditMeaning } from './types.js'

const LIMITS = { maxDepth: 512, maxLength: 16_777_216, bigNumbers: 'number', rules: 0, takesRepeated: false } as const

/** The edits of one call. */
export class ArgumentEdits {
  readonly emitter: ArgumentsEmitter
  readonly acts: Acts
  private readonly reading: Reading
  /** The object in a list, and the one whose hunk has begun. */
  private inner: Unit | undefined
  private open: Unit | undefined
  /** What takes the string that is open. */
  private target: '' | 'old' | 'new' | 'patch' | 'diff' = ''
  /** Whether there are texts, a patch or an operation, and a diff of it. */
  private hasTexts = false
  private hasPatch = false
  private hasDiff = false
  private length = 0
  isFinished = false
  private isOver = false

  constructor(private readonly settings: ArgumentSettings) {
    this.emitter = new ArgumentsEmitter(settings)
    this.acts = new Acts(settings, this.emitter)
    this.reading = new Reading(LIMITS, {
      begin: (kind) => this.begin(kind, this.reading.from),
      grow: (delta) => this.grow(delta, this.reading.from, this.reading.place),
      done: (value) => this.done(value, this.reading.place),
      fault: ({ message, offset }) => this.fail('bad-arguments', offset, message),
    })
  }

  /** The events of a chunk. */
  read(chunk: string): EditEvent[] {
    const { emitter, reading } = this
    if (chunk === '') return []
    this.length += chunk.length
    emitter.receive(chunk)
    if (!this.isOver) reading.write(chunk)
    if (this.isOver) emitter.fill(this.length - (endsInHalf(chunk) ? 1 : 0))
    // What waits, or is open in a patch, is no markup.
    else if (!this.acts.isWaiting && this.target !== 'patch' && this.target !== 'diff') emitter.fill(reading.place)
    return emitter.take()
  }

  /** The events of the end. */
  finish(finishReason: string | null | undefined): EditEvent[] {
    if (this.isFinished) return []
    this.isFinished = true
    const { emitter, reading, length } = this
    const reason = finishReason ?? undefined
    if (!this.isOver) reading.conclude(reason, reason !== undefined && endedByItself(reason))
    emitter.isCut = !reading.document.isDone && !this.isOver
    if (emitter.isCut) {
      this.acts.patch?.end('stop')
      if (emitter.faults === 0 || emitter.isOpen) this.fail('unterminated', length)
    } else if (this.acts.isWaiting)
      this.fail(this.acts.path === undefined ? 'missing-path' : 'missing-argument', length)
    emitter.end(!this.isOver && !emitter.isCut, length)
    return emitter.take()
  }

  private fail(code: EditFault, at: number, message?: string): void {
    if (this.isOver) return
    this.isOver = true
    this.target = ''
    this.acts.drop()
    this.emitter.fail(code, at, at, message)
  }

  private bad(at: number): void {
    this.fail('bad-arguments', at)
  }

  /** What the value at a path means, and to which object. */
  private meaningOf([first, second, third, ...more]: readonly Step[]): readonly [EditMeaning, Unit] | undefined {
    const { inner } = this
    const { root } = this.acts
    const isListed = inner !== undefined && third !== undefined && more.length === 0 && isElement(first, second)
    const [name, unit] = isListed ? [third, inner] : [second === undefined ? first : undefined, root]
    const meaning = typeof name === 'string' ? this.settings.names.get(name) : undefined
    return meaning === undefined || (isListed && meaning === 'patch') ? undefined : [meaning, unit]
  }

  private begin(kind: 'string' | 'object' | 'array', at: number): void {
    if (this.isOver) return
    const path = this.reading.document.path()
    const [first, second] = path
    if (path.length === 0 && kind !== 'object') return this.bad(at)
    if (path.length === 1 && first === 'operation' && kind === 'object') return this.beginPatch(at)
    if (path.length === 2 && isElement(first, second) && kind === 'object') this.inner = new Unit()
    if (path.length === 2 && first === 'operation' && second === 'diff' && kind === 'string') return this.beginDiff(at)
    const [meaning, unit] = this.meaningOf(path) ?? []
    if (meaning === undefined || meaning === 'all') return
    if (kind !== 'string') return this.bad(at)
    if (meaning === 'patch') {
      this.beginPatch(at)
      if (!this.isOver) this.target = 'patch'
    } else if (meaning !== 'path') this.beginText(meaning, unit as Unit, at)
  }

  private beginText(meaning: 'old' | 'new' | 'content', unit: Unit, at: number): void {
    const { open, hasPatch } = this
    const isFirst = !unit.isOpen
    const has = meaning === 'old' ? 'hasOld' : meaning === 'new' ? 'hasNew' : 'hasContent'
    const isOther = meaning === 'content' ? !isFirst : unit.hasContent
    if (hasPatch || isOther || unit[has] || (open !== undefined && open !== unit)) return this.bad(at)
    this.hasTexts = unit[has] = true
    this.open = unit
    this.target = meaning === 'old' ? 'old' : 'new'
    if (isFirst) this.act(unit, meaning === 'content' ? 'add' : 'update', '', at, at)
  }

  /** A patch, or an operation, has nothing beside it. */
  private beginPatch(at: number): void {
    if (this.hasTexts || this.hasPatch) return this.bad(at)
    this.hasPatch = true
  }

  private beginDiff(at: number): void {
    this.hasDiff = true
    this.target = 'diff'
    this.emitter.places.add('', at, at, 0)
    this.act(this.acts.root, 'diff', '', at, at)
  }

  private grow(delta: string, from: number, to: number): void {
    const { target, emitter, acts } = this
    if (target === '') return
    if (target === 'old' || target === 'new') return this.act(this.open as Unit, target, delta, from, to)
    emitter.places.add(delta, from, to, acts.patch?.decided ?? 0)
    if (target === 'diff') return this.act(acts.root, 'diff', delta, from, to)
    if (acts.patch === undefined) acts.beginPatch()
    acts.patch?.write(delta)
  }

  private done(value: JsonValue, at: number): void {
    if (this.isOver) return
    const path = this.reading.document.path()
    const [first, second] = path
    const { target, inner } = this
    this.target = ''
    if (target === 'patch') this.acts.patch?.end('stop')
    if (target === 'diff') this.act(this.acts.root, 'diff-done', '', at, at)
    if (path.length === 0) return this.endRoot(at)
    if (first === 'operation') return this.endOperation(path, value, at)
    if (path.length === 2 && isElement(first, second) && inner !== undefined) return this.endUnit(inner, at)
    const [meaning, unit] = this.meaningOf(path) ?? []
    if (unit === undefined || value === null) return
    if (meaning === 'all') unit.isAll = value === true
    else if (typeof value !== 'string') this.bad(at)
    else if (meaning === 'path') this.takePath(value, unit, at)
  }

  private endOperation(path: readonly Step[], value: JsonValue, at: number): void {
    if (path.length === 1 && isRecord(value) && !this.hasDiff) {
      this.beginDiff(at)
      this.target = ''
      this.act(this.acts.root, 'diff-done', '', at, at)
    }
    if (path.length !== 2 || value === null) return
    if (path[1] === 'type') {
      if (typeof value !== 'string' || !Object.hasOwn(OPERATIONS, value)) return this.bad(at)
      this.acts.type = value
      this.acts.flush()
    } else if (path[1] === 'path' || path[1] === 'diff') {
      if (typeof value !== 'string') this.bad(at)
      else if (path[1] === 'path') this.takePath(value, this.acts.root, at)
    }
  }

  private takePath(path: string, unit: Unit, at: number): void {
    if (path === '') return
    // What was emitted for another file can't be taken back.
    const isUsed = unit === this.acts.root ? this.emitter.files > 0 : unit.isOpen
    const known = unit.path ?? (isUsed ? this.acts.pathOf(unit) : undefined)
    if (known !== undefined && known !== path) return this.bad(at)
    unit.path = path
    this.acts.flush()
  }

  private endUnit(unit: Unit, at: number): void {
    this.inner = undefined
    this.open = undefined
    if (!unit.isOpen || (unit.hasOld && !unit.hasNew)) return this.fail('missing-argument', at)
    this.act(unit, 'done', '', at, at)
  }

  /** Does it, unless too much text waits already. */
  private act(unit: Unit, act: Act, text: string, from: number, to: number): void {
    const tooLong = this.acts.do({ unit, act, text, from, to })
    if (tooLong !== undefined) this.fail('too-long', tooLong)
  }

  private endRoot(at: number): void {
    if (this.acts.root.isOpen) this.endUnit(this.acts.root, at)
    else if (!this.hasTexts && !this.hasDiff && this.acts.patch === undefined) this.fail('missing-argument', at)
  }
}

/** Whether it is a list of edits, and one of its elements. */
function isElement(first: Step | undefined, second: Step | undefined): boolean {
  return LISTS.includes(first) && typeof second === 'number'
}
