// Makes events of the machine's records: which file and which hunk they belong to, and which of these are spoiled.

import { EDIT_FAULTS, EDIT_FORMATS, EDIT_OPS, EDIT_SIDES, EditFault, EditFileOp, EditFormat } from '../generated/ops.js'
import type { EditRecords } from '../generated/edit-records.js'
import { Joined } from '../joined.js'
import { count, list, maybe, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { messageOf } from './faults.js'
import type { Settings } from './options.js'
import type { EditEvent, EditSide, FileEvent, HunkEvent, EditFault as Code } from './types.js'

/** A hunk's header has at most four numbers, each 1 unless it is there. */
const RANGE: readonly number[] = [1, 1, 1, 1]

/** Emits the events of one stream. */
export class EditEmitter implements EditRecords {
  static get saved(): SavedClass {
    return {
      skips: ['settings', 'events', 'hasFinished'],
      fields: { last: maybe(text), target: maybe(text), context: list(text), range: maybe(list(count)) },
    }
  }
  private events: EditEvent[] = []
  /** How many files there were, and how many faults. */
  private files = 0
  faults = 0
  /** The file that is open. Of blocks it stays open between them. */
  private isOpen = false
  private path = ''
  private begin = 0
  private hunks = 0
  private isSpoiled = false
  private hasBlocks = false
  /** The hunk that is open. */
  private isInHunk = false
  private hunkBegin = 0
  private readonly old = new Joined()
  private readonly now = new Joined()
  /** A line that may be a name, the last one that was, and the file of the last block. */
  private line = ''
  private name = ''
  private last: string | undefined
  /** The paths of a file's header. */
  private header = ''
  private target: string | undefined
  /** The header of a hunk. */
  private section = 0
  private context: string[] = []
  private range: number[] | undefined
  /** At the end of the stream: whether the model had finished. */
  hasFinished = false

  constructor(private readonly settings: Settings) {
    this.last = settings.path
  }

  /** The events since the last call. */
  take(): EditEvent[] {
    const { events } = this
    this.events = []
    return events
  }

  prose(delta: string, from: number): void {
    this.push({ type: 'text', delta }, from, from + delta.length)
  }

  word(isFirst: boolean, delta: string, from: number): void {
    this.line = isFirst ? delta : this.line + delta
    this.prose(delta, from)
  }

  named(start: number, end: number): void {
    this.name = this.line.slice(start, end)
  }

  markup(raw: () => string, from: number, to: number): void {
    if (this.settings.spans) this.push({ type: 'markup', delta: raw() }, from, to)
  }

  delta(number: number, delta: string, from: number): void {
    if (!this.isInHunk) return
    const side = EDIT_SIDES[number] as EditSide
    if (this.settings.keepText) {
      if (side !== 'new') this.old.add(delta)
      if (side !== 'old') this.now.add(delta)
    }
    const { file, hunk } = this
    this.push({ type: 'delta', file, hunk, side, delta }, from, from + delta.length)
  }

  takePath(path: string): void {
    this.header = path
    this.target = undefined
  }

  takeTarget(path: string): void {
    this.target = path
  }

  fileBegins(op: number, format: number, from: number): void {
    const { header: path, target } = this
    const isChanged = op === EditFileOp.Update || op === EditFileOp.Move
    if (!isChanged || target === path || target === undefined)
      this.open(isChanged ? EditFileOp.Update : op, format, path, undefined, from)
    else this.open(EditFileOp.Move, format, path, target, from)
  }

  block(isNamed: boolean, from: number): void {
    if (isNamed) this.last = this.name
    const path = this.last ?? ''
    if (this.isOpen && this.hasBlocks && this.path === path) return
    this.open(EditFileOp.Update, EditFormat.SearchReplace, path, undefined, from)
  }

  beginSection(from: number): void {
    this.section = from
    this.context = []
    this.range = undefined
  }

  addContext(line: string): void {
    this.context.push(line)
  }

  addNumber(nth: number, digits: string): void {
    this.range ??= [...RANGE]
    this.range[nth] = Math.min(Number(digits), 0xffff_ffff)
  }

  hunkBegins(): void {
    if (!this.isOpen) return
    this.hunks++
    this.isInHunk = true
    const { file, hunk, context, range, section } = this
    this.hunkBegin = section
    this.old.clear()
    this.now.clear()
    const numbers = range === undefined ? {} : { range: range as unknown as NonNullable<HunkEvent['range']> }
    this.push({ type: 'hunk', file, hunk, context, ...numbers }, section, section)
    this.context = []
    this.range = undefined
  }

  hunkDone(isAtEnd: boolean, at: number): void {
    if (!this.isInHunk) return
    this.isInHunk = false
    const { file, hunk } = this
    const texts = this.settings.keepText ? { old: this.old.toString(), new: this.now.toString() } : {}
    const atEnd = isAtEnd ? { atEnd: true } : {}
    this.push({ type: 'hunk-done', file, hunk, ...texts, ...atEnd }, this.hunkBegin, at)
    this.old.clear()
    this.now.clear()
  }

  fileDone(at: number): void {
    this.isInHunk = false
    if (this.isOpen && !this.isSpoiled) this.push({ type: 'file-done', file: this.file }, this.begin, at)
    this.isOpen = false
  }

  lastHunk(isReached: boolean, at: number): void {
    if (!isReached && !this.hasFinished) return this.fault(EditFault.Unterminated, at, at)
    this.hunkDone(false, at)
    this.fileDone(at)
  }

  fault(number: number, from: number, to: number): void {
    const code = EDIT_FAULTS[number] as Code
    const spoils = this.isOpen && number !== EditFault.UnexpectedText
    const { file, hunk } = this
    const place = { ...(spoils ? { file } : {}), ...(spoils && this.isInHunk ? { hunk } : {}) }
    this.events.push({ type: 'malformed', code, message: messageOf(code, from), span: [from, to], ...place })
    this.faults++
    if (!spoils) return
    this.isSpoiled = true
    this.isInHunk = false
  }

  private open(op: number, format: number, path: string, moveTo: string | undefined, from: number): void {
    this.fileDone(from)
    this.files++
    this.isOpen = true
    this.isSpoiled = false
    this.hasBlocks = format === EditFormat.SearchReplace
    this.path = path
    this.begin = from
    this.hunks = 0
    const { file } = this
    const names = { op: EDIT_OPS[op], format: EDIT_FORMATS[format] } as Pick<FileEvent, 'op' | 'format'>
    const moved = moveTo === undefined ? {} : { moveTo }
    this.push({ type: 'file', file, op: names.op, path, ...moved, format: names.format }, from, from)
  }

  /** The numbers of what is open. */
  private get file(): number {
    return this.files - 1
  }

  private get hunk(): number {
    return this.hunks - 1
  }

  private push(event: EditEvent, from: number, to: number): void {
    this.events.push(this.settings.spans ? { ...event, span: [from, to] } : event)
  }
}
