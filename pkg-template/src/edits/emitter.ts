// Makes events of the machine's records: which file and which hunk they belong to, and which of these are spoiled.

import { EDIT_FAULTS, EDIT_FORMATS, EDIT_OPS, EDIT_SIDES, EditFault, EditFileOp } from '../generated/ops.js'
import type { EditRecords } from '../generated/edit-records.js'
import { Joined } from '../joined.js'
import type { Span } from '../span.js'
import { messageOf } from './faults.js'
import type { Settings } from './options.js'
import type { EditEvent, EditSide, FileEvent, FileOp, HunkEvent, EditFault as Code } from './types.js'

/** A hunk's header has at most four numbers, each 1 unless it is there. */
const RANGE: readonly number[] = [1, 1, 1, 1]

/** The file that is open, or was the last. Of blocks it stays open between them. */
class OpenFile {
  isOpen = false
  path = ''
  begin = 0
  hunks = 0
  isSpoiled = false
  hasBlocks = false
}

/** The hunk that is open, or was the last. */
class OpenHunk {
  isOpen = false
  begin = 0
  readonly old = new Joined()
  readonly now = new Joined()
}

/** What stands before a file or a hunk. */
class Front {
  /** A line that may be a name, the last one that was, and the file of the last block. */
  line = ''
  name = ''
  last: string | undefined
  /** The paths of a file's header. */
  path = ''
  target: string | undefined
  /** The header of a hunk. */
  section = 0
  context: string[] = []
  range: number[] | undefined
}

/** Emits the events of one stream. Places of records are in the text that is read; of all else, in the input. */
export class EditEmitter implements EditRecords {
  private events: EditEvent[] = []
  /** How many files there were, and how many faults. */
  files = 0
  faults = 0
  protected readonly open = new OpenFile()
  private readonly inner = new OpenHunk()
  protected readonly front = new Front()
  /** At the end of the stream: whether the model had finished. */
  hasFinished = false
  /** The text ends before it is whole: what is open is malformed. */
  isCut = false

  constructor(protected readonly settings: Settings) {
    this.front.last = settings.path
  }

  /** The events since the last call. */
  take(): EditEvent[] {
    const { events } = this
    this.events = []
    return events
  }

  /** Whether a file is open and not spoiled. */
  get isOpen(): boolean {
    return this.open.isOpen && !this.open.isSpoiled
  }

  prose(delta: string, from: number): void {
    this.push({ type: 'text', delta }, this.at(from), this.at(from + delta.length))
  }

  word(isFirst: boolean, delta: string, from: number): void {
    this.front.line = isFirst ? delta : this.front.line + delta
    this.prose(delta, from)
  }

  named(start: number, end: number): void {
    this.front.name = this.front.line.slice(start, end)
  }

  markup(raw: () => string, from: number, to: number): void {
    if (this.settings.spans) this.push({ type: 'markup', delta: raw() }, from, to)
  }

  delta(number: number, delta: string, from: number): void {
    this.grow(EDIT_SIDES[number] as EditSide, delta, this.at(from), this.at(from + delta.length))
  }

  takePath(path: string): void {
    this.front.path = path
    this.front.target = undefined
  }

  takeTarget(path: string): void {
    this.front.target = path
  }

  fileBegins(op: number, format: number, from: number): void {
    const { path, target } = this.front
    const isChanged = op === EditFileOp.Update || op === EditFileOp.Move
    const moveTo = isChanged && target !== path ? target : undefined
    const named = moveTo !== undefined ? 'move' : isChanged ? 'update' : (EDIT_OPS[op] as FileOp)
    this.openFile(named, path, moveTo, EDIT_FORMATS[format] as FileEvent['format'], this.at(from))
  }

  block(isNamed: boolean, from: number): void {
    if (isNamed) this.front.last = this.front.name
    const path = this.front.last ?? ''
    if (this.open.isOpen && this.open.hasBlocks && this.open.path === path) return
    this.openFile('update', path, undefined, 'search-replace', this.at(from))
  }

  beginSection(from: number): void {
    this.front.section = this.at(from)
    this.front.context = []
    this.front.range = undefined
  }

  addContext(line: string): void {
    this.front.context.push(line)
  }

  addNumber(nth: number, digits: string): void {
    this.front.range ??= [...RANGE]
    this.front.range[nth] = Math.min(Number(digits), 0xffff_ffff)
  }

  hunkBegins(): void {
    const { context, range, section } = this.front
    this.openHunk(section, context, range)
    this.front.context = []
    this.front.range = undefined
  }

  hunkDone(isAtEnd: boolean, from: number): void {
    this.endHunk(this.at(from), isAtEnd)
  }

  fileDone(from: number): void {
    this.endFile(this.at(from))
  }

  lastHunk(isReached: boolean, from: number): void {
    if (this.isCut || (!isReached && !this.hasFinished)) return this.fault(EditFault.Unterminated, from, from)
    this.hunkDone(false, from)
    this.fileDone(from)
  }

  fault(number: number, from: number, to: number): void {
    this.fail(EDIT_FAULTS[number] as Code, this.at(from), this.at(to))
  }

  /** A file begins. */
  openFile(op: FileOp, path: string, moveTo: string | undefined, format: FileEvent['format'], at: number): void {
    this.endFile(at)
    this.files++
    this.open.isOpen = true
    this.open.isSpoiled = false
    this.open.hasBlocks = format === 'search-replace'
    this.open.path = path
    this.open.begin = at
    this.open.hunks = 0
    const { file } = this
    const moved = moveTo === undefined ? {} : { moveTo }
    this.push({ type: 'file', file, op, path, ...moved, format }, at, at)
  }

  /** A hunk begins. */
  openHunk(at: number, context: readonly string[], range?: readonly number[]): void {
    if (!this.open.isOpen) return
    this.open.hunks++
    this.inner.isOpen = true
    const { file, hunk } = this
    this.inner.begin = at
    this.inner.old.clear()
    this.inner.now.clear()
    const numbers = range === undefined ? {} : { range: range as unknown as NonNullable<HunkEvent['range']> }
    this.push({ type: 'hunk', file, hunk, context, ...numbers }, at, at)
  }

  /** More of the hunk. */
  grow(side: EditSide, delta: string, from: number, to: number): void {
    if (!this.inner.isOpen) return
    if (this.settings.keepText) {
      if (side !== 'new') this.inner.old.add(delta)
      if (side !== 'old') this.inner.now.add(delta)
    }
    const { file, hunk } = this
    this.push({ type: 'delta', file, hunk, side, delta }, from, to)
  }

  /** The hunk is whole. */
  endHunk(at: number, isAtEnd = false, isAll = false): void {
    if (!this.inner.isOpen || this.isCut) return
    this.inner.isOpen = false
    const { file, hunk } = this
    const texts = this.settings.keepText ? { old: this.inner.old.toString(), new: this.inner.now.toString() } : {}
    const flags = { ...(isAtEnd ? { atEnd: true } : {}), ...(isAll ? { all: true } : {}) }
    this.push({ type: 'hunk-done', file, hunk, ...texts, ...flags }, this.inner.begin, at)
    this.inner.old.clear()
    this.inner.now.clear()
  }

  /** The file has no more hunks. */
  endFile(at: number): void {
    if (this.isCut && this.isOpen) this.fail('unterminated', at, at)
    this.inner.isOpen = false
    if (this.isOpen) this.close(this.file, this.open.begin, at)
    this.open.isOpen = false
  }

  /** Something is wrong: what is open is spoiled, unless it is other text. */
  fail(code: Code, from: number, to: number, message = messageOf(code, from)): void {
    const spoils = this.open.isOpen && code !== 'unexpected-text'
    const { file, hunk } = this
    const place = { ...(spoils ? { file } : {}), ...(spoils && this.inner.isOpen ? { hunk } : {}) }
    this.push({ type: 'malformed', code, message, span: [from, to], ...place }, from, to)
    this.faults++
    if (!spoils) return
    this.open.isSpoiled = true
    this.inner.isOpen = false
  }

  /** Where a place in the text that is read is in the input. */
  protected at(place: number): number {
    return place
  }

  /** A file is whole. */
  protected close(file: number, from: number, to: number): void {
    this.push({ type: 'file-done', file }, from, to)
  }

  protected push(event: EditEvent, from: number, to: number): void {
    // Into the same object: a copy took half of the time.
    if (this.settings.spans) (event as { span?: Span }).span = [from, to]
    this.events.push(event)
  }

  /** The numbers of what is open. */
  private get file(): number {
    return this.files - 1
  }

  private get hunk(): number {
    return this.open.hunks - 1
  }
}
