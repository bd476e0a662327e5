// `EditParser`: what a model changes in files, while it writes it.
//
// Source: spec/edits.md.

import { ParseError, requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { Journal, type Kind, type Snapshot } from '../journal.js'
import { type SourceOptions, type TextSource, chunksOf, withReason, withSignal } from '../sources.js'
import { editBorder } from '../wasm/borders.js'
import { whileWarming } from '../wasm/warming.js'
import { READING_OPTIONS, settingsOf } from './options.js'
import { Edits } from './reading.js'
import type { EditEvent, EditOptions, FileEdit, FileHunk } from './types.js'

const KIND: Kind = { parser: 'edits', place: 'EditParser', text: 'feed', calls: ['finish'], hearers: [] }

/**
 * Emits what a model changes in files, while it writes it: patches (`*** Begin Patch`), SEARCH/REPLACE blocks and
 * unified diffs, wherever they stand in a text.
 *
 * A hunk is an edit after its `hunk-done`, a file's edits may be applied after its `file-done`; what was cut off or is
 * doubtful never gets one. Nothing is applied, and no file is searched. Text never raises an error. Chunk boundaries
 * don't matter: any way of cutting the text gives the same events, once neighbouring deltas are joined.
 *
 * @example
 * ```ts
 * import { EditParser } from 'tokenweir/edits'
 *
 * const parser = new EditParser()
 * const show = (events: ReturnType<typeof parser.feed>) => {
 *   for (const event of events) {
 *     if (event.type === 'file') console.log(event.op, event.path)
 *     if (event.type === 'delta') console.log(event.side, JSON.stringify(event.delta))
 *     if (event.type === 'file-done') console.log('apply it')
 *   }
 * }
 * for (const chunk of ['*** Begin Patch\n*** Update Fi', 'le: a.py\n@@\n-x = ', '1\n+x = 2\n*** End Patch\n']) {
 *   show(parser.feed(chunk))
 * }
 * show(parser.finish('stop'))
 * ```
 * ```text
 * update a.py
 * old "x = "
 * old "1\n"
 * new "x = 2\n"
 * apply it
 * ```
 */
export class EditParser {
  readonly #journal: Journal
  readonly #edits: Edits

  /**
   * @throws TypeError for an unknown option, or one of a wrong type, naming it.
   */
  constructor(options?: EditOptions) {
    this.#journal = Journal.of(KIND, options)
    this.#edits = new Edits(settingsOf('EditParser', options))
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives the events that it would have given the parser that
   * the snapshot is of. The options are in the snapshot.
   *
   * @throws TypeError that names the option, if one is not the snapshot's; ParseError
   * `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { EditParser } from 'tokenweir/edits'
   *
   * const before = new EditParser()
   * before.feed('*** Begin Patch\n*** Delete Fi')
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = EditParser.restore(JSON.parse(stored))
   * console.log(after.feed('le: a.py\n').map(({ type }) => type)) // [ 'file' ]
   * ```
   */
  static restore(snapshot: Snapshot, options?: EditOptions): EditParser {
    return Journal.restore(KIND, snapshot, options, { make: (whole) => new EditParser(whole) })
  }

  /**
   * What the parser has read, between two chunks, as plain JSON: for `EditParser.restore`. It has all text so far.
   *
   * @example
   * ```ts
   * import { EditParser } from 'tokenweir/edits'
   *
   * console.log(new EditParser().snapshot().parser) // edits
   * ```
   */
  snapshot(): Snapshot {
    return this.#journal.snapshot(false)
  }

  /**
   * Reads a chunk and gives what happened in it, in order.
   *
   * @throws TypeError if the chunk is not a string; ParseError `finished` after `finish`.
   * @example
   * ```ts
   * import { EditParser } from 'tokenweir/edits'
   *
   * const parser = new EditParser()
   * console.log(parser.feed('*** Begin Pa').length) // 0
   * console.log(parser.feed('rt').map(({ type }) => type)) // [ 'text' ]
   * ```
   */
  feed(chunk: string): EditEvent[] {
    requireString('EditParser.feed', chunk)
    if (this.#edits.isFinished)
      throw new ParseError('finished', 'EditParser.feed was called after finish: make a parser for each stream')
    if (chunk === '') return []
    this.#journal.read(chunk)
    return this.#edits.read(chunk)
  }

  /**
   * Ends the stream: what is open and whole is done, anything else `malformed`. A second call gives nothing more.
   *
   * `finishReason` is why the model stopped, in any provider's words. Nothing but that says whether the last hunk of a
   * diff is whole whose header has no counts, or wrong ones: it is, if the model had finished (`stop`, `end_turn`,
   * `tool_use` and the like).
   *
   * @throws TypeError if the reason is not a string.
   * @example
   * ```ts
   * import { EditParser } from 'tokenweir/edits'
   *
   * const diff = '--- a\n+++ a\n@@ ... @@\n-x\n+y\n'
   * for (const reason of ['length', 'stop']) {
   *   const parser = new EditParser()
   *   parser.feed(diff)
   *   console.log(reason, parser.finish(reason).map(({ type }) => type))
   * }
   * ```
   * ```text
   * length [ 'delta', 'malformed' ]
   * stop [ 'delta', 'hunk-done', 'file-done' ]
   * ```
   */
  finish(finishReason?: string | null): EditEvent[] {
    if (finishReason !== undefined && finishReason !== null) requireString('EditParser.finish', finishReason)
    this.#journal.call('finish', finishReason)
    return this.#edits.finish(finishReason)
  }

  /**
   * Whether the stream has ended, and nothing in it was malformed or cut off.
   *
   * @example
   * ```ts
   * import { EditParser } from 'tokenweir/edits'
   *
   * const parser = new EditParser()
   * parser.feed('*** Begin Patch\n*** Delete File: a\n')
   * parser.finish('stop')
   * console.log(parser.isComplete) // false
   * ```
   */
  get isComplete(): boolean {
    return this.#edits.isFinished && this.#edits.emitter.faults === 0
  }
}

/**
 * Yields the edits of a source, event by event. Leaving the loop early stops the source, and so does an abort of
 * `signal`.
 *
 * @throws TypeError for a wrong source or option, immediately; for a chunk that is not a string, from the loop.
 * @example
 * ```ts
 * import { parseEdits } from 'tokenweir/edits'
 *
 * for await (const event of parseEdits(['*** Begin Patch\n*** Delete File: ', 'a.py\n*** End Patch\n'])) {
 *   console.log(event)
 * }
 * ```
 * ```text
 * { type: 'file', file: 0, op: 'delete', path: 'a.py', format: 'v4a' }
 * { type: 'file-done', file: 0 }
 * ```
 */
export function parseEdits(
  source: TextSource,
  options?: EditOptions & SourceOptions,
): AsyncGenerator<EditEvent, void, undefined> {
  const chunks = chunksOf('parseEdits', source)
  const [rest, signal] = withSignal<EditOptions>('parseEdits', options)
  const edits = new Edits(settingsOf('parseEdits', rest))
  const parse = (chunk: string) => {
    requireString('parseEdits', chunk)
    return edits.read(chunk)
  }
  return new EventGenerator(
    whileWarming(editBorder, chunks),
    parse,
    () => withReason(source, (reason) => edits.finish(reason)),
    signal,
  )
}

/**
 * The edits of a whole text that are complete: files with all of their hunks. What is malformed or cut off is left out,
 * with the other hunks of its file.
 *
 * @throws TypeError if the text is not a string, or for an unknown option.
 * @example
 * ```ts
 * import { extractEdits } from 'tokenweir/edits'
 *
 * const reply = 'a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n'
 * for (const { op, path, hunks } of extractEdits(reply)) console.log(op, path, hunks)
 * ```
 * ```text
 * update a.py [ { context: [], old: 'x = 1\n', new: 'x = 2\n' } ]
 * ```
 */
export function extractEdits(text: string, options?: Pick<EditOptions, 'formats' | 'path' | 'whole'>): FileEdit[] {
  requireString('extractEdits', text)
  const edits = new Edits(settingsOf('extractEdits', options, READING_OPTIONS))
  const done: FileEdit[] = []
  let edit: FileEdit = { op: 'update', path: '', hunks: [] }
  let context: readonly string[] = []
  for (const event of [...edits.read(text), ...edits.finish('stop')]) {
    if (event.type === 'file') {
      const { op, path, moveTo } = event
      edit = { op, path, ...(moveTo === undefined ? {} : { moveTo }), hunks: [] }
    } else if (event.type === 'hunk') {
      context = event.context
    } else if (event.type === 'hunk-done') {
      const { old = '', new: now = '', atEnd } = event
      const hunk: FileHunk = { context, old, new: now, ...(atEnd === true ? { atEnd } : {}) }
      edit.hunks.push(hunk)
    } else if (event.type === 'file-done') done.push(edit)
  }
  return done
}
