// `EditCalls`: the edits of a stream's calls, by the parts and callbacks of what reads the stream.
//
// Source: spec/edits.md, 15.

import { StreamCalls } from '../args/stream-calls.js'
import { describe, requireString } from '../errors.js'
import { Journal, type Kind, type Snapshot } from '../journal.js'
import { type OptionTable, checkOptions, elsewhere } from '../options.js'
import { isRecord } from '../own.js'
import { fieldsOf, stringOf } from '../untrusted.js'
import type { ArgumentSettings } from './acts.js'
import { argumentSettingsOf } from './arguments.js'
import { Call, Segment, isSegmentType } from './open-calls.js'
import type {
  CallBlockEvent,
  CallChunkMeta,
  CallEditEvent,
  EditArgumentsOptions,
  EditCallsOptions,
  EditSegmentEvent,
} from './types.js'

const OPTIONS = { tools: [elsewhere] } satisfies OptionTable<EditCallsOptions>

const KIND: Kind = {
  parser: 'edit-calls',
  place: 'EditCalls',
  text: 'part',
  calls: ['chunk', 'block', 'segment'],
  hearers: [],
}

/**
 * Emits what the calls of a stream change in files, while they are written: many calls, each event with its call. It
 * takes the parts of `ToolCallParser`, of the AI SDK's `fullStream` and its UI messages; the chunks and boundaries of
 * blocks; and the events of segments. Calls of other tools are left alone.
 *
 * @example
 * ```ts
 * import { EditCalls } from 'tokenweir/edits'
 *
 * const calls = new EditCalls({ tools: ['str_replace', 'apply_patch'] })
 * for (const part of [
 *   { type: 'tool-input-start', id: 'call_1', toolName: 'str_replace' },
 *   { type: 'tool-input-delta', id: 'call_1', delta: '{"path": "a", "old_str": "x", "new_str": "y' },
 * ]) {
 *   for (const event of calls.part(part))
 *     if (event.type === 'delta') console.log(event.callId, event.toolName, event.side, event.delta)
 * }
 * ```
 * ```text
 * call_1 str_replace old x
 * call_1 str_replace new y
 * ```
 */
export class EditCalls {
  readonly #journal: Journal
  readonly #tools: ReadonlyMap<string, ArgumentSettings>
  readonly #calls: StreamCalls<Call>
  #events: CallEditEvent[] = []
  #segment: Segment | undefined

  /**
   * @throws TypeError for a wrong option.
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   *
   * const calls = new EditCalls({ tools: { replace: { names: { old: ['before'], new: ['after'] } }, write_file: {} } })
   * console.log(calls.end().length) // 0
   * ```
   */
  constructor(options: EditCallsOptions) {
    checkOptions('EditCalls', options, OPTIONS, '.')
    this.#journal = Journal.of(KIND, options)
    this.#tools = toolsIn(options?.tools)
    this.#calls = new StreamCalls('EditCalls', (id, name) => this.#call(id, name))
  }

  /**
   * Goes on from a snapshot, in any process. The tools are in the snapshot.
   *
   * @throws TypeError that names the option, if one is not the snapshot's; ParseError
   * `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   *
   * const before = new EditCalls({ tools: ['write'] })
   * before.part({ type: 'tool-input-start', id: 'call_1', toolName: 'write' })
   * before.part({ type: 'tool-input-delta', id: 'call_1', delta: '{"path": "a", "content": "He' })
   *
   * const after = EditCalls.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * for (const event of after.part({ type: 'tool-input-delta', id: 'call_1', delta: 'llo"' }))
   *   if (event.type === 'delta') console.log(event.callId, event.delta) // call_1 llo
   * ```
   */
  static restore(snapshot: Snapshot, options?: EditCallsOptions): EditCalls {
    return Journal.restore(KIND, snapshot, options, { make: (whole) => new EditCalls(whole as EditCallsOptions) })
  }

  /**
   * What was read, between two events, as plain JSON: for `EditCalls.restore`. It has all events so far.
   *
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   *
   * console.log(new EditCalls({ tools: [] }).snapshot().parser) // edit-calls
   * ```
   */
  snapshot(): Snapshot {
    return this.#journal.snapshot(false)
  }

  /**
   * Reads a part. Others than those of tools are passed over.
   *
   * @throws TypeError for what isn't an object.
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   *
   * const calls = new EditCalls({ tools: ['write_file'] })
   * const input = { path: 'a', content: 'x' }
   * const part = { type: 'tool-call', toolCallId: 'call_1', toolName: 'write_file', input }
   * console.log(calls.part(part).map(({ type }) => type)) // [ 'file', 'hunk', 'delta', 'hunk-done', 'file-done' ]
   * ```
   */
  part(part: object): CallEditEvent[] {
    this.#journal.call('part', part)
    this.#calls.part(part)
    return this.#take()
  }

  /**
   * Reads a chunk of blocks: `onChunk`. What closes a call that was cut off (`meta.incomplete`) is left out.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   * import { EditCalls } from 'tokenweir/edits'
   *
   * const calls = new EditCalls({ tools: ['write'] })
   * const parser = new BlockParser({
   *   onChunk: (text, meta) => calls.chunk(text, meta).forEach(({ type }) => console.log(type)),
   *   onBlock: (event) => calls.block(event).forEach(({ type }) => console.log(type)),
   * })
   * parser.processChunk('<invoke name="write"><parameter name="path">a</parameter></invoke>')
   * ```
   * ```text
   * malformed
   * ```
   */
  chunk(text: string, meta: CallChunkMeta): CallEditEvent[] {
    this.#journal.call('chunk', text, meta)
    this.#calls.chunk(text, meta)
    return this.#take()
  }

  /**
   * Reads the boundary of a block: `onBlock`.
   *
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   *
   * const calls = new EditCalls({ tools: ['write'] })
   * const block = { type: 'tool_call', toolId: 'call_1', toolName: 'write', input: '{"path": "a", "content": ""}' }
   * console.log(calls.block({ event: 'block_complete', index: 0, block }).at(-1)?.type) // file-done
   * ```
   */
  block(event: CallBlockEvent): CallEditEvent[] {
    this.#journal.call('block', event)
    this.#calls.block(event)
    return this.#take()
  }

  /**
   * Reads an event of segments: of `patch_file` and `edit_file`, whose content is a patch, and of `write_file`, which
   * writes the file. `tools` doesn't matter for these.
   *
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const calls = new EditCalls({ tools: [] })
   * for (const event of new StreamingParser().feedAndFinalize('<write_file path="a">x</write_file>'))
   *   for (const edit of calls.segment(event)) console.log(edit.type)
   * ```
   * ```text
   * file
   * hunk
   * delta
   * hunk-done
   * file-done
   * ```
   */
  segment(event: EditSegmentEvent): CallEditEvent[] {
    this.#journal.call('segment', event)
    const payload = fieldsOf(event.payload)
    if (event.type === 'SEGMENT_START') {
      this.#cutSegment()
      const type = stringOf(event.segment_type)
      const path = stringOf(fieldsOf(payload?.['metadata'])?.['path'])
      if (isSegmentType(type)) this.#segment = new Segment({ id: stringOf(event.segment_id), type, path })
      this.#segment?.begin(this.#emit)
    } else if (this.#segment !== undefined && event.segment_id === this.#segment.id) {
      if (event.type === 'SEGMENT_CONTENT') this.#segment.write(stringOf(payload?.['delta']), this.#emit)
      else if (event.type === 'SEGMENT_END') {
        const isCut = payload?.['incomplete'] === true || payload?.['interrupted'] === true
        this.#segment.end(isCut, this.#emit)
        this.#segment = undefined
      }
    }
    return this.#take()
  }

  /**
   * The stream has ended: what is open was cut off, whatever the reason.
   *
   * @example
   * ```ts
   * import { EditCalls } from 'tokenweir/edits'
   *
   * const calls = new EditCalls({ tools: ['write'] })
   * calls.part({ type: 'tool-input-start', id: 'call_1', toolName: 'write' })
   * calls.part({ type: 'tool-input-delta', id: 'call_1', delta: '{"path": "/etc/pass' })
   * console.log(calls.end('length').map((event) => event.type === 'malformed' && event.code)) // [ 'unterminated' ]
   * ```
   */
  end(finishReason?: string | null): CallEditEvent[] {
    if (finishReason !== undefined && finishReason !== null) requireString('EditCalls.end', finishReason)
    this.#calls.end()
    this.#cutSegment()
    this.#journal.clear()
    return this.#take()
  }

  #call(id: string, name: string): Call | undefined {
    const settings = this.#tools.get(name)
    return settings && new Call(id, name, settings, this.#emit)
  }

  #cutSegment(): void {
    this.#segment?.end(true, this.#emit)
    this.#segment = undefined
  }

  readonly #emit = (events: readonly CallEditEvent[]): void => {
    // One by one: a whole call may have more events than a call of a function takes.
    for (const event of events) this.#events.push(event)
  }

  #take(): CallEditEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}

/** The tools that edit, and how their arguments are read. */
function toolsIn(tools: unknown): ReadonlyMap<string, ArgumentSettings> {
  const byName =
    Array.isArray(tools) && tools.every((name) => typeof name === 'string')
      ? Object.fromEntries(tools.map((name) => [name, {}]))
      : tools
  if (!isRecord(byName))
    throw new TypeError(`EditCalls.tools must be a list of names, or an object of options, but is ${describe(tools)}`)
  const settings = ([name, options]: readonly [string, unknown]) =>
    [name, argumentSettingsOf('EditArguments', options as EditArgumentsOptions)] as const
  return new Map(Object.entries(byName).map(settings))
}
