// `EditCalls`: the edits of a stream's calls, by the parts and callbacks of what reads the stream.
//
// Source: spec/edits.md, 15.

import { describe, requireString } from '../errors.js'
import { type OptionTable, checkOptions, elsewhere } from '../options.js'
import { isRecord, own } from '../own.js'
import { argumentsOf, fieldsOf, requireFields, stringOf } from '../untrusted.js'
import { asFullStreamPart } from '../args/sdk-part.js'
import { EditArguments } from './arguments.js'
import { settingsOf } from './options.js'
import { Edits } from './reading.js'
import type {
  CallEditEvent,
  EditArgumentsOptions,
  EditBlockEvent,
  EditCallsOptions,
  EditChunkMeta,
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
class Call {
  length = 0
  /** White space before it says. */
  #front = ''
  #reader: { feed(chunk: string): EditEvent[]; finish(reason: string | undefined): EditEvent[] } | undefined

  constructor(
    readonly id: string,
    readonly name: string,
    private readonly options: EditArgumentsOptions,
  ) {}

  feed(chunk: string): EditEvent[] {
    this.length += chunk.length
    const text = this.#front + chunk
    if (this.#reader === undefined && text.trim() === '') {
      this.#front = text
      return []
    }
    this.#front = ''
    this.#reader ??= text.trimStart().startsWith('{') ? new EditArguments(this.options) : this.#patch()
    return this.#reader.feed(text)
  }

  /** `isWhole`: it has ended as calls do. */
  finish(isWhole: boolean): EditEvent[] {
    // Nothing says what it was to be: arguments, which lack everything.
    this.#reader ??= new EditArguments(this.options)
    return this.#reader.finish(isWhole ? 'tool-calls' : undefined)
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
  readonly #tools: Readonly<Record<string, EditArgumentsOptions>>
  readonly #open = new Map<string, Call>()
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
    const tools: unknown = options?.tools
    if (Array.isArray(tools) && tools.every((name) => typeof name === 'string'))
      this.#tools = Object.fromEntries(tools.map((name) => [name, {}]))
    else if (isRecord(tools)) this.#tools = tools as Readonly<Record<string, EditArgumentsOptions>>
    else
      throw new TypeError(`EditCalls.tools must be a list of names, or an object of options, but is ${describe(tools)}`)
    for (const [, each] of Object.entries(this.#tools)) new EditArguments(each)
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
    const fields = asFullStreamPart(requireFields('EditCalls.part', part))
    const id = stringOf(fields['id'])
    const callId = stringOf(fields['toolCallId'])
    if (fields['providerExecuted'] === true) return []
    switch (fields['type']) {
      case 'tool-input-start':
        return this.#begin(id, stringOf(fields['toolName']))
      case 'tool-input-delta':
        return this.#feed(id, stringOf(fields['delta']))
      case 'tool-call':
        return this.#whole(callId, callId, stringOf(fields['toolName']), fields['input'])
      case 'tool-input-error':
        return this.#end(callId, false)
      case 'finish-step':
      case 'finish':
      case 'error':
      case 'abort':
        return this.end()
      default:
        return []
    }
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
  chunk(text: string, meta: EditChunkMeta): CallEditEvent[] {
    requireString('EditCalls.chunk', text)
    const { type, toolCallPart, toolId, toolName = '', incomplete, insideThinking, inText, hosted } = meta
    if (type !== 'tool_call' || toolCallPart === 'name' || toolId === undefined) return []
    if (insideThinking || inText || hosted) return []
    const key = keyOf(meta.blockIndex)
    const before = this.#open.has(key) ? [] : this.#begin(toolId, toolName, key)
    return toolCallPart === 'input' && !incomplete ? [...before, ...this.#feed(key, text)] : before
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
  block(event: EditBlockEvent): CallEditEvent[] {
    const block = fieldsOf(event.block)
    if (event.event !== 'block_complete' || block?.['type'] !== 'tool_call') return []
    const key = keyOf(event.index ?? -1)
    const isLeftOut = ['insideThinking', 'inText', 'hosted', 'incomplete'].some((name) => block[name] === true)
    if (isLeftOut || block['input'] === undefined) return this.#end(key, false)
    return this.#whole(key, stringOf(block['toolId']), stringOf(block['toolName']), block['input'])
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
    return [...this.#open.keys()].flatMap((key) => this.#end(key, false))
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

  #begin(id: string, toolName: string, key = id): CallEditEvent[] {
    const before = this.#end(key, false)
    if (Object.hasOwn(this.#tools, toolName))
      this.#open.set(key, new Call(id, toolName, own(this.#tools, toolName) as EditArgumentsOptions))
    return before
  }

  #feed(key: string, delta: string): CallEditEvent[] {
    const call = this.#open.get(key)
    return call === undefined ? [] : tagged(call.feed(delta), call.id, call.name)
  }

  #whole(key: string, id: string, toolName: string, input: unknown): CallEditEvent[] {
    const before = this.#open.has(key) ? [] : this.#begin(id, toolName, key)
    const given = this.#open.get(key)?.length === 0 ? this.#feed(key, argumentsOf(input)) : []
    return [...before, ...given, ...this.#end(key, true)]
  }

  #end(key: string, isWhole: boolean): CallEditEvent[] {
    const call = this.#open.get(key)
    this.#open.delete(key)
    return call === undefined ? [] : tagged(call.finish(isWhole), call.id, call.name)
  }
}

function tagged(events: readonly EditEvent[], callId: string, toolName: string): CallEditEvent[] {
  return events.map((event) => ({ ...event, callId, toolName }))
}

/** A block's key, which no id of a call is. */
function keyOf(index: number): string {
  return `\0${index}`
}
