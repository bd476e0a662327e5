// Makes tool invocations from segments: what tool a segment calls, and with what.
//
// Where the arguments come from; the first that applies counts:
//
//     metadata.arguments                  a sentinel's header, an object or its JSON text
//     a state of the user's own           its metadata arguments, the content, and the others
//     a row of the tool syntax registry   the same: write_file, run_bash …
//     metadata.tool_name                  the content, as JSON or XML
//     nothing                             the content: the calls in a JSON value
//
// Calls of AutoByteus since May 2026, which its events with a turn show, or the handler's config: a command's
// references are
// decoded, arguments in XML that come again are lists, `background` is left out.
//
// All that this needs to know is in the events: what their metadata and contents
// don't say, the payload of END does.
//
// Source: seeds/000, "Tool Syntax Mapping" and "Tool Invocation IDs"; spec/segment.md;
// spec/world.md, section 7. Differences: a segment that the end of the stream cut off
// is not invoked, nor is a file without content; what is wrong is reported by
// `onError`, not logged.

import { describe } from '../errors.js'
import { Joined } from '../joined.js'
import { isRecord, own, put } from '../own.js'
import { lists } from '../schema/declared-type.js'
import { objectsIn, readerOf, requiredArguments } from '../schema/reader.js'
import { type WrittenField, writtenArguments } from '../schema/written-fitter.js'
import { type AnySegmentEvent, plainEvent, turnOf } from './autobyteus-events.js'
import { CallFault, missing } from './call-fault.js'
import { type ReadArguments, isNoArguments, readArguments } from '../json/call-arguments.js'
import { repairsOf, type CallArguments, type ToolCall, jsonCalls, objectIn } from './json-calls.js'
import { asCommand, decodeXmlEntitiesOnce } from './command-arguments.js'
import { fileContentOf, mayTake } from './file-arguments.js'
import { parsedCalls } from './parsed-calls.js'
import { isKnownTool, type KnownTools } from './tool-list.js'
import { type CheckedState, type StateTable, hasOwnState, stateOf } from './states.js'
import { type SyntaxRow, builtArguments, rowArguments, syntaxRowOf } from './tool-syntax.js'
import type {
  JsonProfile,
  JsonSchema,
  JsonToolParser,
  SegmentEndPayload,
  SegmentError,
  SegmentEvent,
  SegmentRepair,
  SegmentStart,
  SegmentValue,
  ToolInvocation,
} from './types.js'
import { xmlArguments, xmlFields } from './xml-arguments.js'

/** What invocations are made with. */
export interface InvokerSettings {
  /** Who was given the events, for errors. */
  readonly place: string
  readonly schemas: { readonly [toolName: string]: JsonSchema }
  readonly jsonProfile: JsonProfile
  readonly jsonToolParser: JsonToolParser | undefined
  readonly states: StateTable | undefined
  readonly tools: KnownTools | undefined
  readonly acceptUnterminated: boolean
  /** A handler's, since its events are taken before they have a turn. */
  readonly turnId?: string | undefined
  readonly asAutobyteus?: boolean
  readonly onError: ((error: SegmentError) => void) | undefined
  readonly onRepair: ((repairs: readonly SegmentRepair[], invocation: ToolInvocation) => void) | undefined
}

/** What most events complete. */
const NONE: readonly ToolInvocation[] = []

/** Segments that are not tools. Any other type is one. */
const NO_TOOLS: readonly string[] = ['text', 'reasoning']

/** The metadata that has what a provider says of a call besides. */
export const NATIVE_CONTEXT = 'native_tool_call_context'

/** Keys of the metadata that are about the tool, and not its arguments. */
const NO_ARGUMENTS: readonly string[] = ['tool_name', 'name', 'arguments', NATIVE_CONTEXT]

/** A tool's segment that has begun. */
interface OpenTool {
  readonly type: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Where its content stands, if events carry spans. */
  place: [from: number, to: number] | undefined
  /** Whether it is an API's, though a state has its name: its content is JSON. */
  readonly isApiCall: boolean
  readonly turnId: string | undefined
  readonly asAutobyteus: boolean
  readonly content: Joined
}

/** Makes the invocations. */
export class Invoker {
  private readonly open = new Map<string, OpenTool>()
  /** What is made and not yet returned. */
  private made: ToolInvocation[] = []

  constructor(private readonly settings: InvokerSettings) {}

  /**
   * Takes an event; returns what it completes. `place`: where the content stands of a segment that ends, if that is
   * known.
   */
  take(given: AnySegmentEvent, place?: readonly [from: number, to: number]): readonly ToolInvocation[] {
    if (typeof given !== 'object' || given === null)
      throw new TypeError(`${this.settings.place} takes a segment event, but got ${describe(given)}`)
    const event = plainEvent(given)
    switch (event.type) {
      case 'SEGMENT_START':
        this.#start(this.#withId(event), turnOf(given))
        break
      case 'SEGMENT_CONTENT': {
        const delta: unknown = event.payload?.delta
        const { segment_id: id } = this.#withId(event)
        const tool = this.open.size === 0 ? undefined : this.open.get(id)
        if (tool === undefined || typeof delta !== 'string') break
        if (event.span !== undefined)
          tool.place = [tool.content.isEmpty ? event.span[0] : (tool.place ?? event.span)[0], event.span[1]]
        tool.content.add(delta)
        break
      }
      case 'SEGMENT_END':
        this.#end(
          this.#withId(event).segment_id,
          isRecord(event.payload) ? (event.payload as SegmentEndPayload) : {},
          place,
        )
        break
      case 'MARKUP':
        break
    }
    const made = this.made
    if (made.length === 0) return NONE
    this.made = []
    return made
  }

  /** Whether no segment of a tool is open, so that content is of no call. */
  get isIdle(): boolean {
    return this.open.size === 0
  }

  /** The ids of the segments that are open, if they are tools'. */
  get openIds(): string[] {
    return [...this.open.keys()]
  }

  /** Forgets the segments that are open. */
  reset(): void {
    this.open.clear()
    this.made = []
  }

  #withId<Event extends SegmentEvent>(event: Event): Event & { segment_id: string } {
    if (typeof event.segment_id !== 'string')
      throw new TypeError(
        `${this.settings.place}: segment_id of an event must be a string, but is ${describe(event.segment_id)}`,
      )
    return event as Event & { segment_id: string }
  }

  /** `turn`: if it is an event of AutoByteus with a turn. */
  #start(event: SegmentStart, turn: string | undefined): void {
    const { segment_id: id, segment_type: type } = event
    this.open.delete(id)
    if (NO_TOOLS.includes(type)) return
    const metadata: unknown = event.payload?.metadata
    this.open.set(id, {
      type,
      metadata: isRecord(metadata) ? metadata : {},
      place: event.span,
      isApiCall: event.payload?.api === true,
      turnId: turn ?? event.turnId ?? this.settings.turnId,
      asAutobyteus: turn !== undefined || this.settings.asAutobyteus === true,
      content: new Joined(),
    })
  }

  #end(id: string, payload: SegmentEndPayload, place: readonly [from: number, to: number] | undefined): void {
    const tool = this.open.get(id)
    this.open.delete(id)
    if (tool === undefined || isGivenUp(payload) || isGivenUp(payload.metadata)) return
    const said = own(payload.metadata, NATIVE_CONTEXT) ?? own(tool.metadata, NATIVE_CONTEXT)
    const made = { ...tool, context: isRecord(said) ? (said as ToolInvocation['nativeToolCallContext']) : undefined }
    if (tool.asAutobyteus && typeof payload.argumentsParseError === 'string') {
      const name = nameOf(tool)
      if (name !== undefined) this.made.push(invocationOf(id, name, {}, made, payload.argumentsParseError))
      return
    }
    // What the parser says is wrong with a call, it has reported.
    if (typeof payload.error === 'string' || (payload.incomplete === true && !this.settings.acceptUnterminated)) return
    const content = tool.content.toString()
    const errors: SegmentError[] = []
    const repaired: { readonly repairs: SegmentRepair[]; readonly invocation: ToolInvocation }[] = []
    for (const [at, read] of this.#callsOf(tool, content, payload).entries()) {
      const call = read instanceof CallFault ? read : this.#checked(read, tool)
      if (call instanceof CallFault) {
        const [from, to] = place ?? tool.place ?? [0, 0]
        errors.push({
          code: call.code,
          message: `${nameOf(tool) ?? tool.type}: ${call.message}`,
          span: [from, to],
          raw: content,
          segmentId: id,
        })
      } else {
        const invocation = invocationOf(at === 0 ? id : `${id}.${at + 1}`, call.name, call.arguments, made)
        this.made.push(invocation)
        if (call.rules) repaired.push({ repairs: repairsOf(call.rules), invocation })
      }
    }
    for (const error of errors) this.settings.onError?.(error)
    for (const { repairs, invocation } of repaired) this.settings.onRepair?.(repairs, invocation)
  }

  #callsOf(tool: OpenTool, content: string, payload: SegmentEndPayload): ReadonlyArray<ToolCall | CallFault> {
    const { type, metadata } = tool
    const name = nameOf(tool)
    const header = type === 'tool_call' ? headerArguments(own(metadata, 'arguments'), content) : undefined
    if (header !== undefined)
      return [name === undefined ? NO_NAME : callOf(name, header, 'the arguments in the header')]
    const state = name === undefined || tool.isApiCall ? undefined : stateOf(name, this.settings.states)
    if (name !== undefined && state != null && hasRead(state, tool))
      return [this.#stateCall(name, state, tool, content, payload)]
    const row = syntaxRowOf(type)
    if (row !== undefined) return [this.#rowCall(row, tool, content, payload)]
    const isJson = tool.isApiCall || /^\s*[[{]/.test(content)
    const { jsonProfile, jsonToolParser } = this.settings
    if (name === undefined && isJson)
      return jsonToolParser === undefined
        ? jsonCalls(content, jsonProfile, (tool, argument) => lists(this.#schema(tool), argument))
        : parsedCalls(content.trimStart(), jsonToolParser)
    if (name === undefined) return [NO_NAME]
    if (isNoArguments(content.replace(ARGUMENTS, '$1'))) return [{ name, arguments: {}, isEmpty: true }]
    if (isJson) return [callOf(name, readArguments(content), 'the arguments')]
    const given = xmlArguments(content, this.#schema(name), payload.incomplete === true, tool.asAutobyteus)
    return [given instanceof CallFault ? given : callOf(name, given, 'the arguments')]
  }

  /**
   * A call that may be made: of a tool that there is, of a file with all that a file needs, and of a command that isn't
   * blank.
   */
  #checked(call: ToolCall, tool: OpenTool): ToolCall | CallFault {
    const { tools, states } = this.settings
    const named = nameOf(tool)
    const isOfState =
      named !== undefined && hasOwnState(named, states) && stateOf(named, states)?.segmentType === tool.type
    if (!isOfState && !isKnownTool(call.name, tools, states))
      return new CallFault('unknown-tool', `no tool ${JSON.stringify(call.name)} is in \`tools\``)
    const schema = this.#schema(call.name)
    // An API's call may come without arguments.
    if (named === undefined && call.name === 'run_bash' && mayTake('command', schema)) {
      const command = own(call.arguments, 'command') ?? own(call.arguments, 'cmd') ?? ''
      return typeof command === 'string' && command.trim() === '' ? missing('command', call.name) : call
    }
    const contentName = fileContentOf(call.name, schema)
    if (contentName === undefined) {
      const [required] =
        call.isEmpty === true && schema !== undefined ? requiredArguments(objectsIn(readerOf(schema).ways(schema))) : []
      return required === undefined ? call : missing(required, call.name)
    }
    const isThere = (value: unknown) => value !== undefined && value !== null
    const path = own(call.arguments, 'path')
    if (!isThere(path) || (typeof path === 'string' && path.trim() === '')) return missing('path', call.name)
    return isThere(own(call.arguments, contentName)) ? call : missing(contentName, call.name)
  }

  /** Texts of a state's arguments are typed as those of any other XML tool. */
  #stateCall(
    name: string,
    state: CheckedState,
    tool: OpenTool,
    content: string,
    payload: SegmentEndPayload,
  ): ToolCall | CallFault {
    const { metadata, asAutobyteus } = tool
    const contentArg = state.contentArg as string
    if (payload.missing !== undefined && syntaxRowOf(state.segmentType)?.needsContent === true)
      return missing(contentArg, name)
    const others = payload.arguments === undefined ? [] : xmlFields(payload.arguments, payload.incomplete === true)
    if (others instanceof CallFault) return others
    const texts: Array<readonly [name: string, value: unknown]> = state.metadataArgs.map((argument) => [
      argument,
      own(metadata, argument),
    ])
    if (payload.missing === undefined) texts.push([contentArg, content])
    const given: CallArguments = {}
    const written: WrittenField[] = []
    for (const [argument, value] of texts) {
      if (value === undefined) continue
      put(given, argument, value as SegmentValue)
      if (typeof value === 'string') written.push(textField(argument, value))
    }
    putAll(given, writtenArguments([...written, ...others], this.#schema(name), asAutobyteus))
    return { name, arguments: given }
  }

  #rowCall(row: SyntaxRow, tool: OpenTool, content: string, payload: SegmentEndPayload): ToolCall | CallFault {
    const { metadata, asAutobyteus } = tool
    const { toolName, contentArgument } = row
    const isMissing = payload.missing !== undefined
    if (isMissing && row.needsContent) return missing(contentArgument ?? (payload.missing as string), toolName)
    if (row.buildArguments !== undefined) return builtArguments(row, metadata, content)
    const others = this.#othersOf(row, tool, payload)
    if (others instanceof CallFault) return others
    const given = rowArguments(row, metadata, isMissing ? undefined : content, others)
    if (typeof given === 'string') return missing(given, toolName)
    if (row.takesOthers)
      for (const name of Object.keys(others))
        if (!Object.hasOwn(given, name)) put(given, name, others[name] as SegmentValue)
    if (toolName === 'run_bash' && asAutobyteus) asItsCommand(given, payload.literal === true)
    return { name: toolName, arguments: given }
  }

  /** The arguments that are neither the content nor named by the row. Those that were written as text are typed. */
  #othersOf(
    row: SyntaxRow,
    { metadata, asAutobyteus }: OpenTool,
    payload: SegmentEndPayload,
  ): CallArguments | CallFault {
    const others: CallArguments = {}
    const texts: WrittenField[] = []
    const skipped = new Set([...NO_ARGUMENTS, ...row.contentAliases, ...row.required])
    for (const name of Object.keys(metadata)) {
      if (skipped.has(name)) continue
      const value = metadata[name]
      put(others, name, value as SegmentValue)
      if (typeof value === 'string') texts.push(textField(name, value))
    }
    const header = own(metadata, 'arguments')
    const inHeader = typeof header === 'string' ? objectIn(header) : header
    if (isRecord(inHeader)) putAll(others, inHeader as CallArguments)
    const written = payload.arguments ?? ''
    const inJson = /^\s*\{/.test(written)
      ? (objectIn(written) ?? new CallFault('bad-arguments', 'the arguments are not a JSON object'))
      : undefined
    if (inJson instanceof CallFault) return inJson
    const fields = inJson === undefined && written !== '' ? xmlFields(written, payload.incomplete === true) : []
    if (fields instanceof CallFault) return fields
    if (inJson !== undefined) putAll(others, inJson)
    const schema = this.#schema(row.toolName)
    putAll(others, writtenArguments(schema === undefined ? fields : [...texts, ...fields], schema, asAutobyteus))
    return row.toolName === 'run_bash' ? asCommand(others) : others
  }

  #schema(name: string): JsonSchema | undefined {
    return Object.hasOwn(this.settings.schemas, name) ? this.settings.schemas[name] : undefined
  }
}

/** The arguments of a tool, in their element. */
const ARGUMENTS = /^\s*<arguments\s*>([^]*)<\/arguments\s*>\s*$/i

const NO_NAME = new CallFault('missing-name', 'the tool call names no tool')

/** Whether the program gave up the stream in which a segment was open. */
function isGivenUp(said: unknown): boolean {
  return Boolean(own(said, 'interrupted')) || Boolean(own(said, 'failed'))
}

/** What an invocation says besides its tool and its arguments. */
interface Making {
  readonly turnId: string | undefined
  readonly asAutobyteus: boolean
  readonly context: ToolInvocation['nativeToolCallContext']
}

/** An invocation; `argumentsParseError` is why it has no arguments, if it has none for that reason. */
export function invocationOf(
  id: string,
  name: string,
  given: CallArguments,
  { turnId, asAutobyteus, context }: Making,
  argumentsParseError: string | null = null,
): ToolInvocation {
  const invocation: ToolInvocation = { id, name, arguments: given }
  if (turnId !== undefined) invocation.turnId = turnId
  if (asAutobyteus) invocation.argumentsParseError = argumentsParseError
  if (context !== undefined) invocation.nativeToolCallContext = context
  return invocation
}

/** Makes a command be one of AutoByteus since May 2026: its references are characters, unless it was CDATA. */
function asItsCommand(given: CallArguments, isLiteral: boolean): void {
  delete given['background']
  if (typeof given['cwd'] === 'string' && given['cwd'].trim() === '') delete given['cwd']
  if (typeof given['command'] === 'string' && !isLiteral) given['command'] = decodeXmlEntitiesOnce(given['command'])
}

function callOf(name: string, read: ReadArguments, place: string): ToolCall | CallFault {
  if ('problem' in read) return new CallFault('bad-arguments', `${place} are not a JSON object`)
  return { name, arguments: read.input as CallArguments, rules: read.rules }
}

function textField(name: string, text: string): WrittenField {
  return { name, text, list: undefined, fields: undefined, isMarkup: false }
}

function putAll(given: CallArguments, others: CallArguments): void {
  for (const name of Object.keys(others)) put(given, name, others[name] as SegmentValue)
}

/** The tool that the segment's start names. */
function nameOf({ metadata }: OpenTool): string | undefined {
  const names = [own(metadata, 'tool_name'), own(metadata, 'name')]
  return names.find((name): name is string => typeof name === 'string' && name.trim() !== '')
}

/** The arguments that a sentinel's header has, if it has some; where they are empty the content may have them. */
function headerArguments(written: unknown, content: string): ReadArguments | undefined {
  if (written === undefined || written === null) return undefined
  const read = readArguments(written)
  if ('problem' in read) return read
  return Object.keys(read.input).length === 0 && content.trim() !== ''
    ? undefined
    : { ...read, input: { ...read.input } }
}

/** Whether a segment is one of a state: a sentinel may name the same tool. */
function hasRead(state: CheckedState, { type, metadata }: OpenTool): boolean {
  return (
    state.contentArg !== undefined &&
    state.segmentType === type &&
    state.startWhen.every((name) => own(metadata, name) !== undefined)
  )
}
