// The types that programs see.

import type { Span } from '../span.js'

/**
 * What happens to a file.
 *
 * @example
 * ```ts
 * import { type FileOp, extractEdits } from 'tokenweir/edits'
 *
 * const ops: FileOp[] = extractEdits('*** Begin Patch\n*** Delete File: a\n*** End Patch').map(({ op }) => op)
 * console.log(ops) // [ 'delete' ]
 * ```
 */
export type FileOp = 'add' | 'update' | 'delete' | 'move'

/**
 * How an edit is written: `*** Begin Patch`, `<<<<<<< SEARCH`, or `--- a` and `+++ b`.
 *
 * @example
 * ```ts
 * import { EditParser, type EditFormat } from 'tokenweir/edits'
 *
 * const formats: EditFormat[] = ['unified']
 * console.log(new EditParser({ formats }).feed('*** Begin Patch\n').length) // 1
 * ```
 */
export type EditFormat = 'v4a' | 'search-replace' | 'unified'

/**
 * Which text of a hunk it is: what goes, what comes, or what stays around them.
 *
 * @example
 * ```ts
 * import { type EditSide, EditParser } from 'tokenweir/edits'
 *
 * const sides: EditSide[] = []
 * for (const event of new EditParser().feed('--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y')) {
 *   if (event.type === 'delta') sides.push(event.side)
 * }
 * console.log(sides) // [ 'old', 'old', 'new' ]
 * ```
 */
export type EditSide = 'old' | 'new' | 'both'

/**
 * What is wrong with a text.
 *
 * @example
 * ```ts
 * import { type EditFault, EditParser } from 'tokenweir/edits'
 *
 * const parser = new EditParser()
 * parser.feed('*** Begin Patch\n*** Delete File: a\n')
 * const codes: EditFault[] = parser.finish().flatMap((event) => (event.type === 'malformed' ? [event.code] : []))
 * console.log(codes) // [ 'unterminated' ]
 * ```
 */
export type EditFault =
  | 'unterminated'
  | 'bad-line'
  | 'unknown-header'
  | 'missing-path'
  | 'empty-update'
  | 'path-too-long'
  | 'ambiguous-separator'
  | 'marker-in-content'
  | 'missing-separator'
  | 'stray-marker'
  | 'unexpected-text'
  | 'missing-argument'
  | 'bad-arguments'
  | 'too-long'

/** What all events have. */
interface Placed {
  /**
   * With `spans: true`: where in the text, or in the JSON of a call. Those of `text`, `delta`, `markup` and `malformed`
   * tile it; those of what is done cover all of it, and those of what begins are empty.
   */
  readonly span?: Span
}

/**
 * One thing that happened. Files count from 0 in the stream, hunks from 0 in their file.
 *
 * A hunk is an edit after its `hunk-done`; a file's edits may be applied after its `file-done`.
 *
 * @example
 * ```ts
 * import { type EditEvent, EditParser } from 'tokenweir/edits'
 *
 * const show = (event: EditEvent) => {
 *   if (event.type === 'file') console.log(event.op, event.path)
 *   if (event.type === 'delta') console.log(event.side, event.delta)
 * }
 * new EditParser().feed('a.py\n<<<<<<< SEARCH\nx = 1\n=======\n').forEach(show)
 * ```
 * ```text
 * update a.py
 * old x = 1
 *
 * ```
 */
export type EditEvent =
  | EditTextEvent
  | FileEvent
  | HunkEvent
  | DeltaEvent
  | HunkDoneEvent
  | FileDoneEvent
  | MalformedEvent

/**
 * Text around edits; `markup`, with `spans: true` alone, is what is neither text nor content, as it is written:
 * markers, headers, signs, and the JSON of a call.
 *
 * @example
 * ```ts
 * import { EditParser, type EditTextEvent } from 'tokenweir/edits'
 *
 * const show = ({ delta }: EditTextEvent) => console.log(JSON.stringify(delta))
 * for (const event of new EditParser().feed('Look:\n')) if (event.type === 'text') show(event) // "Look:\n"
 * ```
 */
export interface EditTextEvent extends Placed {
  /** Which event. */
  readonly type: 'text' | 'markup'
  /** The text. */
  readonly delta: string
}

/**
 * A file is changed.
 *
 * @example
 * ```ts
 * import { EditParser, type FileEvent } from 'tokenweir/edits'
 *
 * const show = ({ path }: FileEvent) => console.log(path)
 * const events = new EditParser().feed('*** Begin Patch\n*** Delete File: a\n')
 * for (const event of events) if (event.type === 'file') show(event) // a
 * ```
 */
export interface FileEvent extends Placed {
  /** Which event. */
  readonly type: 'file'
  /** Which file, from 0 on. */
  readonly file: number
  /** What happens to it. */
  readonly op: FileOp
  /** Its path, as the model wrote it. */
  readonly path: string
  /** Of a move: the path that it gets. */
  readonly moveTo?: string
  /** How the edit is written; `arguments` are those of a call that replaces or writes text. */
  readonly format: EditFormat | 'arguments'
}

/**
 * A hunk begins.
 *
 * @example
 * ```ts
 * import { EditParser, type HunkEvent } from 'tokenweir/edits'
 *
 * const show = ({ context, range }: HunkEvent) => console.log(context, range)
 * const events = new EditParser().feed('--- a\n+++ a\n@@ -1,2 +3,4 @@ def f():\n')
 * for (const event of events) if (event.type === 'hunk') show(event) // [ 'def f():' ] [ 1, 2, 3, 4 ]
 * ```
 */
export interface HunkEvent extends Placed {
  /** Which event. */
  readonly type: 'hunk'
  /** Which file's. */
  readonly file: number
  /** Which hunk, from 0 on in each file. */
  readonly hunk: number
  /** Where in the file, as the model says it: lines around the hunk, outer ones first. */
  readonly context: readonly string[]
  /** The numbers of a diff, which are often wrong: the first old line, how many they are, and the same of the new ones. */
  readonly range?: readonly [oldStart: number, oldLines: number, newStart: number, newLines: number]
}

/**
 * More of a hunk. Lines keep their ends.
 *
 * @example
 * ```ts
 * import { type DeltaEvent, EditParser } from 'tokenweir/edits'
 *
 * const show = ({ side, delta }: DeltaEvent) => console.log(side, delta)
 * const events = new EditParser().feed('*** Begin Patch\n*** Add File: a\n+x')
 * for (const event of events) if (event.type === 'delta') show(event) // new x
 * ```
 */
export interface DeltaEvent extends Placed {
  /** Which event. */
  readonly type: 'delta'
  /** Which file's. */
  readonly file: number
  /** Which hunk's. */
  readonly hunk: number
  /** Old text, new text, or both: context. */
  readonly side: EditSide
  /** The text. */
  readonly delta: string
}

/**
 * A hunk is whole.
 *
 * @example
 * ```ts
 * import { EditParser, type HunkDoneEvent } from 'tokenweir/edits'
 *
 * const parser = new EditParser()
 * const events = parser.feed('a.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n')
 * const show = ({ old, new: now }: HunkDoneEvent) => console.log([old, now])
 * for (const event of events) if (event.type === 'hunk-done') show(event) // [ '1\n', '2\n' ]
 * ```
 */
export interface HunkDoneEvent extends Placed {
  /** Which event. */
  readonly type: 'hunk-done'
  /** Which file's. */
  readonly file: number
  /** Which hunk. */
  readonly hunk: number
  /** What is replaced, with its context; absent with `keepText: false`. */
  readonly old?: string
  /** What replaces it. */
  readonly new?: string
  /** Whether it is at the end of the file, as `*** End of File` says. */
  readonly atEnd?: boolean
  /** Whether all of `old` is replaced, wherever it stands, as an argument says. */
  readonly all?: boolean
}

/**
 * A file's hunks are all there.
 *
 * @example
 * ```ts
 * import { EditParser, type FileDoneEvent } from 'tokenweir/edits'
 *
 * const show = ({ type, file }: FileDoneEvent) => console.log(type, file)
 * const events = new EditParser().feed('*** Begin Patch\n*** Delete File: a\n*** End Patch\n')
 * for (const event of events) if (event.type === 'file-done') show(event) // file-done 0
 * ```
 */
export interface FileDoneEvent extends Placed {
  /** Which event. */
  readonly type: 'file-done'
  /** Which file. */
  readonly file: number
}

/**
 * Something is wrong with the text.
 *
 * @example
 * ```ts
 * import { EditParser, type MalformedEvent } from 'tokenweir/edits'
 *
 * const show = ({ code, message }: MalformedEvent) => console.log(code, message)
 * const events = new EditParser().feed('*** Begin Patch\n*** Update File: a\noops')
 * for (const event of events) if (event.type === 'malformed') show(event)
 * ```
 * ```text
 * bad-line a line of a patch needs a sign: a space, + or -; of a new file +; at 35
 * ```
 */
export interface MalformedEvent extends Placed {
  /** Which event. */
  readonly type: 'malformed'
  /** What is wrong; stable. */
  readonly code: EditFault
  /** The same as a sentence, with the place. */
  readonly message: string
  /** Where, in UTF-16 code units from the start of the stream. */
  readonly span: Span
  /** The file that it spoils: it never gets `file-done`. */
  readonly file?: number
  /** The hunk that it spoils: it never gets `hunk-done`. */
  readonly hunk?: number
}

/**
 * How a text is read.
 *
 * @example
 * ```ts
 * import { EditParser, type EditOptions } from 'tokenweir/edits'
 *
 * const options: EditOptions = { formats: ['search-replace'], path: 'a.py' }
 * console.log(new EditParser(options).feed('<<<<<<< SEARCH\n').map(({ type }) => type)) // [ 'file', 'hunk' ]
 * ```
 */
export interface EditOptions {
  /** What is looked for. @defaultValue all */
  formats?: readonly EditFormat[] | undefined
  /** The file of SEARCH/REPLACE blocks that come before any name of a file. */
  path?: string | undefined
  /** Whether the text is a patch and nothing else: other lines are `unexpected-text`. @defaultValue false */
  whole?: boolean | undefined
  /** Whether events have spans, and `markup` is emitted. @defaultValue false */
  spans?: boolean | undefined
  /** Whether `hunk-done` has the text of the hunk. @defaultValue true */
  keepText?: boolean | undefined
}

/**
 * An edit of one file that is whole.
 *
 * @example
 * ```ts
 * import { type FileEdit, extractEdits } from 'tokenweir/edits'
 *
 * const edits: FileEdit[] = extractEdits('*** Begin Patch\n*** Add File: a.txt\n+Hi\n*** End Patch\n')
 * console.log(edits[0]?.path, edits[0]?.hunks) // a.txt [ { context: [], old: '', new: 'Hi\n' } ]
 * ```
 */
export interface FileEdit {
  /** What happens to the file. */
  op: FileOp
  /** Its path, as the model wrote it. */
  path: string
  /** Of a move: the path that it gets. */
  moveTo?: string
  /** What changes in it. */
  hunks: FileHunk[]
}

/**
 * A hunk of a `FileEdit`.
 *
 * @example
 * ```ts
 * import { type FileHunk, extractEdits } from 'tokenweir/edits'
 *
 * const hunks: FileHunk[] | undefined = extractEdits('--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n')[0]?.hunks
 * console.log(hunks) // [ { context: [], old: 'x\n', new: 'y\n' } ]
 * ```
 */
export interface FileHunk {
  /** Where in the file: lines around the hunk. */
  context: readonly string[]
  /** What is replaced. */
  old: string
  /** What replaces it. */
  new: string
  /** Whether it is at the end of the file. */
  atEnd?: true
}

/**
 * What an argument of a call is.
 *
 * @example
 * ```ts
 * import { EditArguments, type EditMeaning } from 'tokenweir/edits'
 *
 * const names: Partial<Record<EditMeaning, string[]>> = { old: ['before'], new: ['after'] }
 * const call = new EditArguments({ names, path: 'a' })
 * console.log(call.feed('{"before": "x", "after": "y"}').at(-1)?.type) // hunk-done
 * ```
 */
export type EditMeaning = 'path' | 'old' | 'new' | 'all' | 'content' | 'patch'

/**
 * How a call's arguments are read.
 *
 * @example
 * ```ts
 * import { EditArguments, type EditArgumentsOptions } from 'tokenweir/edits'
 *
 * const options: EditArgumentsOptions = { path: 'a.txt' }
 * console.log(new EditArguments(options).feed('{"content": "x').length) // 3
 * ```
 */
export interface EditArgumentsOptions {
  /** What arguments are called: the names of a meaning replace those that are known. */
  names?: Readonly<Partial<Record<EditMeaning, readonly string[]>>> | undefined
  /** The file, where the arguments have no path. */
  path?: string | undefined
  /** Whether events have spans, in the JSON, and `markup` is emitted. @defaultValue false */
  spans?: boolean | undefined
  /** Whether `hunk-done` has the text of the hunk. @defaultValue true */
  keepText?: boolean | undefined
}

/**
 * An event of a call.
 *
 * @example
 * ```ts
 * import type { CallEditEvent } from 'tokenweir/edits'
 *
 * const show = ({ callId, toolName, type }: CallEditEvent) => console.log(callId, toolName, type)
 * console.log(typeof show) // function
 * ```
 */
export type CallEditEvent = EditEvent & {
  /** The id of the call, or of the segment. */
  readonly callId: string
  /** The tool that is called, or the type of the segment. */
  readonly toolName: string
}

/**
 * Options of `EditCalls`.
 *
 * @example
 * ```ts
 * import type { EditCallsOptions } from 'tokenweir/edits'
 *
 * const options: EditCallsOptions = { tools: ['apply_patch'] }
 * console.log(options.tools) // [ 'apply_patch' ]
 * ```
 */
export interface EditCallsOptions {
  /** The tools that edit: their names, or an object that has the options of each. */
  tools: readonly string[] | Readonly<Record<string, EditArgumentsOptions>>
}

export type { CallBlockEvent, CallChunkMeta } from '../args/stream-calls.js'

/**
 * What counts of a segment's event.
 *
 * @example
 * ```ts
 * import type { EditSegmentEvent } from 'tokenweir/edits'
 *
 * const event: EditSegmentEvent = { type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'x' } }
 * console.log(event.segment_id) // seg_1
 * ```
 */
export interface EditSegmentEvent {
  /** `SEGMENT_START`, `SEGMENT_CONTENT` or `SEGMENT_END`. */
  readonly type: string
  /** The id of the segment. */
  readonly segment_id: string | null
  /** The type of the segment, in its START. */
  readonly segment_type?: string | undefined
  /** What it has. */
  readonly payload?: unknown
}
