// `EditArguments`: what a call's JSON arguments change in files, while they are written.
//
// Source: spec/edits.md, 13 and 14.

import { isFinished } from '../args/finished.js'
import { Reading } from '../args/reading.js'
import { ParseError, requireString } from '../errors.js'
import { EditFlag } from '../generated/ops.js'
import type { JsonValue } from '../json/json-value.js'
import type { Step } from '../json/path.js'
import { type OptionTable, checkOptions, flag, must, resolveOptions, text } from '../options.js'
import { isRecord } from '../own.js'
import { argumentsBorder, editBorder } from '../wasm/borders.js'
import { EditEmitter } from './emitter.js'
import type { EditArgumentsOptions, EditEvent, EditMeaning } from './types.js'
import { Edits } from './reading.js'

/** What arguments are called. */
const NAMES: Readonly<Record<EditMeaning, readonly string[]>> = {
  path: ['path', 'file_path', 'filePath', 'file', 'filename', 'target_file'],
  old: ['old_string', 'oldString', 'old_str', 'old_text', 'oldText', 'search'],
  new: ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'replace'],
  all: ['replace_all', 'replaceAll'],
  content: ['content', 'contents', 'file_text'],
  patch: ['patch', 'diff', 'input'],
}

/** What has a list of edits. */
const LISTS: ReadonlySet<unknown> = new Set(['edits', 'replacements', 'changes'])

/** Most text that waits for its path, in UTF-16 code units. */
const LONGEST = 1_048_576

const LIMITS = { maxDepth: 512, maxLength: 16_777_216, bigNumbers: 'number', rules: 0, takesRepeated: false } as const

const names = must(
  'an object of lists of names, such as { path: ["file"] }',
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([meaning, list]) =>
        Object.hasOwn(NAMES, meaning) && Array.isArray(list) && list.every((name) => typeof name === 'string'),
    ),
)

const OPTIONS = { names: [names], path: [text], keepText: [flag, true] } satisfies OptionTable<EditArgumentsOptions>

/** An object that replaces or writes text: that of the arguments, or one in a list. */
interface Unit {
  path: string | undefined
  hasOld: boolean
  hasNew: boolean
  hasContent: boolean
  isAll: boolean
  isOpen: boolean
}

const unit = (): Unit => ({
  path: undefined,
  hasOld: false,
  hasNew: false,
  hasContent: false,
  isAll: false,
  isOpen: false,
})

/**
 * Emits what a call changes in files while its JSON arguments are written: `old_string` and `new_string`, in whatever
 * order, lists of them, the `content` of a file, a `patch` in any notation, and OpenAI's `operation`. Nothing waits but
 * for the path. A hunk is done when its object closes, the file with the arguments.
 *
 * @example
 * ```ts
 * import { EditArguments } from 'tokenweir/edits'
 *
 * const call = new EditArguments()
 * for (const delta of ['{"path": "a.py", "old_string": "x = 1", "new_str', 'ing": "x =', ' 2"}']) {
 *   for (const event of call.feed(delta)) if (event.type === 'delta') console.log(event.side, event.delta)
 * }
 * console.log(call.finish('tool_calls').map(({ type }) => type))
 * ```
 * ```text
 * old x = 1
 * new x =
 * new  2
 * [ 'file-done' ]
 * ```
 */
export class EditArguments {
  readonly #emitter: EditEmitter
  readonly #reading: Reading
  readonly #meanings = new Map<string, EditMeaning>()
  readonly #root = unit()
  readonly #operation: { type?: string; diff: string } = { diff: '' }
  #path: string | undefined
  #inner: Unit | undefined
  /** What takes the open string. */
  #grow: ((delta: string) => void) | undefined
  #patch: Edits | undefined
  /** What waits for a path. */
  #waiting: Array<readonly [unit: Unit, act: () => void]> = []
  #waits = 0
  #hasEdits = false
  #isFinished = false
  #isOver = false
  /** The path of the file that is open, and those that are done if the arguments are. */
  readonly #files: { open: string | undefined; readonly held: number[] } = { open: undefined, held: [] }

  /**
   * @throws TypeError for an unknown option, or one of a wrong type, naming it.
   * @example
   * ```ts
   * import { EditArguments } from 'tokenweir/edits'
   *
   * const call = new EditArguments({ names: { path: ['datei'] }, path: 'a.txt' })
   * console.log(call.feed('{"content": "H').map(({ type }) => type)) // [ 'file', 'hunk', 'delta' ]
   * ```
   */
  constructor(options?: EditArgumentsOptions) {
    for (const border of [argumentsBorder, editBorder]) border.requireReady('EditArguments')
    checkOptions('EditArguments', options, OPTIONS, '.')
    const given = resolveOptions<EditArgumentsOptions, typeof OPTIONS>(OPTIONS, options)
    for (const meaning of Object.keys(NAMES) as EditMeaning[])
      for (const name of given.names?.[meaning] ?? NAMES[meaning]) this.#meanings.set(name, meaning)
    this.#path = given.path
    this.#emitter = new EditEmitter({ flags: 0, path: given.path, spans: false, keepText: given.keepText })
    this.#reading = new Reading(LIMITS, {
      begin: (kind) => this.#begin(kind),
      grow: (delta) => this.#grow?.(delta),
      done: (value) => this.#done(value),
      fault: ({ message, offset }) => this.#fail('bad-arguments', offset, message),
    })
  }

  /**
   * Reads more of the arguments and gives what happened, in order.
   *
   * @throws TypeError if it is not a string; ParseError `finished` after `finish`.
   * @example
   * ```ts
   * import { EditArguments } from 'tokenweir/edits'
   *
   * console.log(new EditArguments().feed('{"content": "H').length) // 0
   * ```
   */
  feed(chunk: string): EditEvent[] {
    requireString('EditArguments.feed', chunk)
    if (this.#isFinished) throw new ParseError('finished', 'EditArguments.feed was called after finish')
    if (!this.#isOver && chunk !== '') this.#reading.write(chunk)
    return this.#emitter.take()
  }

  /**
   * The arguments have ended. What isn't whole is `unterminated`, whatever the reason.
   *
   * @example
   * ```ts
   * import { EditArguments } from 'tokenweir/edits'
   *
   * const call = new EditArguments()
   * call.feed('{"path": "a", "content": "x"')
   * const last = call.finish('tool_calls').at(-1)
   * console.log(last?.type === 'malformed' && last.code) // unterminated
   * ```
   */
  finish(finishReason?: string | null): EditEvent[] {
    if (this.#isFinished) return []
    this.#isFinished = true
    const emitter = this.#emitter
    const reading = this.#reading
    reading.conclude(finishReason ?? undefined, isFinished(finishReason ?? undefined))
    const at = reading.length
    emitter.isCut = !reading.document.isDone && !this.#isOver
    this.#patch?.end('stop')
    if (emitter.isCut) {
      if (emitter.faults === 0) this.#fail('unterminated', at)
    } else if (this.#isOver) {
      // What was wrong has spoiled it.
    } else if (this.#waiting.length > 0) this.#fail('missing-path', at)
    else emitter.fileDone(at)
    for (const file of this.#files.held) emitter.attach(file, emitter.faults === 0, at)
    return emitter.take()
  }

  /**
   * Whether the arguments have ended, and nothing in them was malformed or cut off.
   *
   * @example
   * ```ts
   * import { EditArguments } from 'tokenweir/edits'
   *
   * const call = new EditArguments()
   * call.feed('{"path": "a", "content": "x"}')
   * call.finish('tool_calls')
   * console.log(call.isComplete) // true
   * ```
   */
  get isComplete(): boolean {
    return this.#isFinished && this.#emitter.faults === 0
  }

  #fail(
    code: 'bad-arguments' | 'unterminated' | 'missing-path' | 'missing-argument' | 'too-long',
    at: number,
    message?: string,
  ): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#emitter.fail(code, at, at, message)
    this.#grow = undefined
  }

  /** What the value at a path means, and to which object. */
  #meaningOf(path: readonly Step[]): readonly [EditMeaning, Unit] | undefined {
    const [first, second, third] = path
    if (path.length === 1 && typeof first === 'string') return this.#named(first, this.#root)
    const isListed = path.length === 3 && LISTS.has(first) && typeof second === 'number' && typeof third === 'string'
    return isListed && this.#inner !== undefined ? this.#named(third, this.#inner) : undefined
  }

  #named(name: string, of: Unit): readonly [EditMeaning, Unit] | undefined {
    const meaning = this.#meanings.get(name)
    return meaning === undefined ? undefined : [meaning, of]
  }

  #begin(kind: 'string' | 'object' | 'array'): void {
    if (this.#isOver) return
    const path = this.#reading.document.path()
    if (path.length === 0 && kind !== 'object') return this.#bad(this.#reading.from)
    if (kind === 'object' && path.length === 2 && LISTS.has(path[0])) this.#inner = unit()
    const found = this.#meaningOf(path)
    if (kind !== 'string') {
      if (found !== undefined && found[0] !== 'all') this.#bad(this.#reading.from)
      return
    }
    if (path.length === 2 && path[0] === 'operation' && path[1] === 'diff')
      this.#grow = (delta) => this.#readDiff(delta)
    if (found === undefined) return
    const [meaning, of] = found
    if (meaning === 'patch' && of === this.#root) this.#grow = (delta) => this.#readPatch(delta)
    if (meaning === 'old' || meaning === 'new' || meaning === 'content') this.#beginText(meaning, of)
  }

  #beginText(meaning: 'old' | 'new' | 'content', of: Unit): void {
    if (meaning === 'content' ? of.hasOld || of.hasNew : of.hasContent) return this.#bad(this.#reading.from)
    this.#hasEdits = true
    if (meaning === 'old') of.hasOld = true
    else if (meaning === 'new') of.hasNew = true
    else of.hasContent = true
    if (!of.isOpen) {
      of.isOpen = true
      this.#act(of, () => this.#openHunk(of, meaning === 'content' ? 'add' : 'update'))
    }
    const side = meaning === 'old' ? 0 : 1
    this.#grow = (delta) => {
      if (this.#waiting.length > 0 || this.#pathOf(of) === undefined) this.#waits += delta.length
      if (this.#waits > LONGEST) return this.#fail('too-long', this.#reading.place)
      this.#act(of, () => this.#emitter.delta(side, delta, 0))
    }
  }

  #openHunk(of: Unit, op: 'add' | 'update'): void {
    const path = this.#pathOf(of) as string
    if (this.#files.open !== path || op === 'add') {
      // A file is done with the arguments.
      const file = this.#emitter.detach()
      if (file !== undefined) this.#files.held.push(file)
      this.#emitter.openFile(op, path, undefined, 'arguments', 0)
    }
    this.#files.open = op === 'add' ? undefined : path
    this.#emitter.beginSection(0)
    this.#emitter.hunkBegins()
  }

  #done(value: JsonValue): void {
    if (this.#isOver) return
    const path = this.#reading.document.path()
    this.#grow = undefined
    if (path.length === 0) return this.#endRoot()
    if (path.length === 2 && LISTS.has(path[0]) && this.#inner !== undefined) return this.#endUnit(this.#inner)
    if (path.length === 2 && path[0] === 'operation') this.#takeOperation(path[1] as Step, value)
    const found = this.#meaningOf(path)
    if (found === undefined || value === null) return
    const [meaning, of] = found
    if (meaning === 'all') of.isAll = value === true
    else if (typeof value !== 'string') this.#bad()
    else if (meaning === 'path') this.#takePath(value, of)
  }

  #takePath(path: string, of: Unit): void {
    if (path === '') return
    // What was emitted for another file can't be taken back.
    if (of.isOpen && this.#pathOf(of) !== undefined && this.#pathOf(of) !== path) return this.#bad()
    if (of === this.#root) this.#path = path
    else of.path = path
    this.#flush()
  }

  #takeOperation(name: Step, value: JsonValue): void {
    if (typeof value !== 'string') return
    if (name === 'type') this.#operation.type = value
    else if (name === 'path' && value !== '') this.#path = value
    this.#readDiff('')
  }

  #endUnit(of: Unit): void {
    this.#inner = undefined
    const { place } = this.#reading
    if (of.hasOld && !of.hasNew) return this.#act(of, () => this.#fail('missing-argument', place))
    if (!of.isOpen) return this.#fail('missing-argument', place)
    this.#act(of, () => this.#emitter.hunkDone(false, 0, of.isAll))
  }

  #endRoot(): void {
    const { type } = this.#operation
    if (type === 'delete_file' && this.#path !== undefined) {
      this.#hasEdits = true
      this.#emitter.openFile('delete', this.#path, undefined, 'v4a', 0)
    }
    if (this.#root.isOpen) this.#endUnit(this.#root)
    else if (type !== undefined && this.#path === undefined) this.#fail('missing-path', this.#reading.place)
    else if (!this.#hasEdits) this.#fail('missing-argument', this.#reading.place)
  }

  #bad(at = this.#reading.place): void {
    this.#fail('bad-arguments', at)
  }

  #readPatch(delta: string): void {
    this.#hasEdits = true
    this.#patch ??= this.#edits(EditFlag.V4a | EditFlag.SearchReplace | EditFlag.Unified | EditFlag.Whole)
    this.#patch.write(delta)
  }

  /** The diff of an operation, which waits for its type and its path. */
  #readDiff(delta: string): void {
    const { type } = this.#operation
    this.#operation.diff += delta
    if (this.#operation.diff.length > LONGEST) return this.#fail('too-long', this.#reading.place)
    const isAdd = type === 'create_file'
    if ((!isAdd && type !== 'update_file') || this.#path === undefined) return
    const { diff } = this.#operation
    this.#operation.diff = ''
    this.#hasEdits = true
    if (this.#patch === undefined) {
      this.#emitter.openFile(isAdd ? 'add' : 'update', this.#path, undefined, 'v4a', 0)
      this.#patch = this.#edits(isAdd ? EditFlag.BareAdd : EditFlag.BareUpdate)
    }
    if (diff !== '') this.#patch.write(diff)
  }

  #edits(flags: number): Edits {
    const path = this.#path
    if (path !== undefined) this.#emitter.useFor(path)
    return new Edits(
      { flags: flags | (path === undefined ? 0 : EditFlag.HasPath), path, spans: false, keepText: true },
      this.#emitter,
    )
  }

  #pathOf(of: Unit): string | undefined {
    return of.path ?? this.#path
  }

  /** Does what needs the path, now or when it is known. */
  #act(of: Unit, act: () => void): void {
    this.#waiting.push([of, act])
    this.#flush()
  }

  #flush(): void {
    let count = 0
    for (const [of, act] of this.#waiting) {
      if (this.#isOver || this.#pathOf(of) === undefined) break
      count++
      act()
    }
    this.#waiting.splice(0, count)
    if (this.#waiting.length === 0) this.#waits = 0
  }
}
