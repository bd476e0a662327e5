// `EditArguments`: what a call's JSON arguments change in files, while they are written.
//
// Source: spec/edits.md, 13 and 14.

import { ParseError, requireString } from '../errors.js'
import { Journal, type Kind, type Snapshot } from '../journal.js'
import { type OptionTable, checkOptions, flag, must, resolveOptions, text } from '../options.js'
import { argumentsBorder, editBorder } from '../wasm/borders.js'
import type { ArgumentSettings } from './acts.js'
import { ArgumentEdits } from './argument-edits.js'
import { areNames, namesOf } from './names.js'
import type { EditArgumentsOptions, EditEvent } from './types.js'

const OPTIONS = {
  names: [must('an object of lists of names, such as { path: ["file"] }', areNames)],
  path: [text],
  spans: [flag, false],
  keepText: [flag, true],
} satisfies OptionTable<EditArgumentsOptions>

/** Checks options. */
export function argumentSettingsOf(place: string, options: EditArgumentsOptions | undefined): ArgumentSettings {
  for (const border of [argumentsBorder, editBorder]) border.requireReady(place)
  checkOptions(place, options, OPTIONS, '.')
  const given = resolveOptions<EditArgumentsOptions, typeof OPTIONS>(OPTIONS, options)
  return { ...given, names: namesOf(given.names), flags: 0 }
}

const KIND: Kind = { parser: 'edit-arguments', place: 'EditArguments', text: 'feed', calls: ['finish'], hearers: [] }

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
  readonly #journal: Journal
  readonly #edits: ArgumentEdits

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
    this.#journal = Journal.of(KIND, options)
    this.#edits = new ArgumentEdits(argumentSettingsOf('EditArguments', options))
  }

  /**
   * Goes on from a snapshot, in any process. The options are in the snapshot.
   *
   * @throws TypeError that names the option, if one is not the snapshot's; ParseError
   * `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { EditArguments } from 'tokenweir/edits'
   *
   * const before = new EditArguments()
   * before.feed('{"path": "a.txt", "content": "He')
   * const after = EditArguments.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * for (const event of after.feed('llo"')) if (event.type === 'delta') console.log(event.delta) // llo
   * ```
   */
  static restore(snapshot: Snapshot, options?: EditArgumentsOptions): EditArguments {
    return Journal.restore(KIND, snapshot, options, { make: (whole) => new EditArguments(whole) })
  }

  /**
   * What was read, between two deltas, as plain JSON: for `EditArguments.restore`. It has all deltas so far.
   *
   * @example
   * ```ts
   * import { EditArguments } from 'tokenweir/edits'
   *
   * console.log(new EditArguments().snapshot().parser) // edit-arguments
   * ```
   */
  snapshot(): Snapshot {
    return this.#journal.snapshot(false)
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
    if (this.#edits.isFinished) throw new ParseError('finished', 'EditArguments.feed was called after finish')
    this.#journal.read(chunk)
    return this.#edits.read(chunk)
  }

  /**
   * The arguments have ended. What isn't whole is `unterminated`, whatever the reason.
   *
   * @throws TypeError if the reason is not a string.
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
    if (finishReason !== undefined && finishReason !== null) requireString('EditArguments.finish', finishReason)
    this.#journal.call('finish', finishReason)
    return this.#edits.finish(finishReason)
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
    return this.#edits.isFinished && this.#edits.emitter.faults === 0
  }
}
