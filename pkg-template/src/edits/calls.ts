// `EditCalls`: the edits of a stream's calls, by the parts and callbacks of what reads the stream.
//
// Source: spec/edits.md, 15.

import { describe, requireString } from '../errors.js'
import { type OptionTable, checkOptions, elsewhere } from '../options.js'
import { isRecord, own } from '../own.js'
import { fieldsOf, stringOf } from '../untrusted.js'
import { type OpenCall, StreamCalls } from '../args/stream-calls.js'
import { EditArguments } from './arguments.js'
import { settingsOf } from './options.js'
import { Edits } from './reading.js'
import type {
  CallBlockEvent,
  CallChunkMeta,
  CallEditEvent,
  EditArgumentsOptions,
  EditCallsOptions,
  EditEvent,
  EditSegmentEvent,
} from './types.js'

const OPTIONS = { tools: [elsewhere] } satisfies OptionTable<EditCallsOptions>

/** What segments of files are: what the content of each is. */
const SEGMENTS: Readonly<Record<string, 'patch' | 'file'>> = {
  patch_file: 'patch',
  edit_file: 'patch',
  write_file: 'file',
}

/** One call: its arguments, or a patch, once its first character says which. */
class Call implements OpenCall {
  length = 0
  /** White space before it says. */
  #front = ''
  #reader: { feed(chunk: string): EditEvent[]; finish(reason: string | undefined): EditEvent[] } | undefined

  constructor(
    readonly id: string,
    readonly name: string,
    private readonly options: EditArgumentsOptions,
    private readonly emit: (events: readonly CallEditEvent[]) => void,
  ) {}

  write(chunk: string): void {
    this.length += chunk.length
    const text = this.#front + chunk
    if (this.#reader === undefined && text.trim() === '') {
      this.#front = text
      return
    }
    this.#front = ''
    this.#reader ??= text.trimStart().startsWith('{') ? new EditArguments(this.options) : this.#patch()
    this.emit(tagged(this.#reader.feed(text), this.id, this.name))
  }

  /** Whatever the reason, only a call that has ended as calls do is whole. */
  end(_finishReason: string | undefined, isWhole: boolean): void {
    // Nothing says what it was to be: arguments, which lack everything.
    this.#reader ??= new EditArguments(this.options)
    this.emit(tagged(this.#reader.finish(isWhole ? 'tool-calls' : undefined), this.id, this.name))
  }

  #patch(): { feed(chunk: string): EditEvent[]; finish(reason: string | undefined): EditEvent[] } {
    const { path, keepText } = this.options
    const edits = new Edits(settingsOf('EditCalls', { whole: true, path, keepText }))
    return {
      feed: (chunk) => edits.read(chunk),
      finish: (reason) => {
        edits.emitter.isCut = reason === undefined
        return edits.finish(reason)
      },
    }
  }
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
  readonly #calls: StreamCalls<Call>
  #events: CallEditEvent[] = []
  #segment: { readonly id: string; readonly name: string; readonly edits: Edits; readonly isFile: boolean } | undefined

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
    const tools = toolsIn(options?.tools)
    this.#calls = new StreamCalls('EditCalls', (id, name) =>
      Object.hasOwn(tools, name)
        ? new Call(id, name, own(tools, name) as EditArgumentsOptions, (events) => this.#events.push(...events))
        : undefined,
    )
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
    const payload = fieldsOf(event.payload)
    if (event.type === 'SEGMENT_START') return this.#beginSegment(event, payload)
    const open = this.#segment
    if (open === undefined || event.segment_id !== open.id) return []
    const { emitter } = open.edits
    if (event.type === 'SEGMENT_CONTENT') {
      const delta = stringOf(payload?.['delta'])
      if (open.isFile) emitter.delta(1, delta, 0)
      else open.edits.write(delta)
    } else if (event.type === 'SEGMENT_END') {
      this.#segment = undefined
      const isCut = payload?.['incomplete'] === true || payload?.['interrupted'] === true
      emitter.isCut = isCut
      if (open.isFile) {
        emitter.hunkDone(false, 0)
        emitter.fileDone(0)
      } else open.edits.end(isCut ? undefined : 'tool-calls')
    }
    return tagged(emitter.take(), open.id, open.name)
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
    return this.#take()
  }

  #beginSegment(event: EditSegmentEvent, payload: Readonly<Record<string, unknown>> | undefined): CallEditEvent[] {
    const name = stringOf(event.segment_type)
    const content = Object.hasOwn(SEGMENTS, name) ? SEGMENTS[name] : undefined
    if (content === undefined) return []
    const path = stringOf(fieldsOf(payload?.['metadata'])?.['path'])
    const edits = new Edits(settingsOf('EditCalls', { whole: true, ...(path === '' ? {} : { path }) }))
    const id = stringOf(event.segment_id)
    this.#segment = { id, name, edits, isFile: content === 'file' }
    if (content === 'file') {
      edits.emitter.openFile('add', path, undefined, 'arguments', 0)
      edits.emitter.beginSection(0)
      edits.emitter.hunkBegins()
    }
    return tagged(edits.emitter.take(), id, name)
  }

  #take(): CallEditEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}

/** The tools that edit, with their options. */
function toolsIn(tools: unknown): Readonly<Record<string, EditArgumentsOptions>> {
  const byName =
    Array.isArray(tools) && tools.every((name) => typeof name === 'string')
      ? Object.fromEntries(tools.map((name) => [name, {}]))
      : tools
  if (!isRecord(byName))
    throw new TypeError(`EditCalls.tools must be a list of names, or an object of options, but is ${describe(tools)}`)
  for (const options of Object.values(byName)) new EditArguments(options as EditArgumentsOptions)
  return byName as Readonly<Record<string, EditArgumentsOptions>>
}

function tagged(events: readonly EditEvent[], callId: string, toolName: string): CallEditEvent[] {
  return events.map((event) => ({ ...event, callId, toolName }))
}
