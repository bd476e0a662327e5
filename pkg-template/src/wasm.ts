// The only file that touches the generated glue, and wasm memory.
//
// For each kind of parser the machine at work lies in one place in wasm memory
// (a `Desk`), and the tag table of blocks in another. To claim a desk puts a
// parser's machine there and takes the last one's away, so that a parser is a
// plain object with nothing to free. Nothing in wasm allocates after the start,
// so memory doesn't grow and the views below stay valid.

import * as glue from './generated/core.js'
import { ParseError, describe } from './errors.js'
import { isHighHalf, isLowHalf } from './surrogates.js'

/** Longest stretch of text of one call, in UTF-16 code units. */
export const LONGEST_STRETCH = 16_384

/** Stretches up to this length are written by a loop; longer ones by `TextEncoder`, whose call costs more and whose characters cost less. */
const LOOP = 20

/** Which names are tags, as the machine keeps it. */
export interface TagTable {
  /** The machine's own table. */
  readonly words: Int32Array
  /**
   * For each two ASCII characters, at 128 times the first plus the second: the roles, a bit each, whose tags' names
   * may begin so. NUL as the second stands for any.
   */
  readonly fronts: Uint8Array
}

/** A machine while another is at work. */
interface Parked {
  /** Room for it, once another was. */
  machine: Int32Array | undefined
  /** Whether it is there, and not at work or at the start of a stream. */
  isPutAway: boolean
}

/** What a parser of blocks brings: how it begins, and its machine while another is at work. */
export interface Session extends Parked {
  /** How the machine begins: see `block_start`. */
  readonly flags: number
  /** Its tag table. */
  readonly tags: TagTable
}

/** The same of a parser of fields. */
export interface FieldSession extends Parked {
  /** How the machine begins: see `field_start`. */
  readonly flags: number
  /** What the document is, by the numbers of `Shape` in src/field/machine.rs. */
  readonly shape: number
  readonly maxDepth: number
}

/** The same of a parser of segments. */
export interface SegmentSession extends Parked {
  /** How the machine begins: see `segment_start`. */
  readonly flags: number
  /** How JSON tools begin, by the numbers of `Profile` in src/segment/signature.rs, or `NO_PROFILE`. */
  readonly profile: number
  /** More ways how they do. */
  readonly signatures: readonly string[]
}

/** The same of the arguments of an API call. */
export interface CallSession extends Parked {
  /** The strings that are asked for, at most two. */
  readonly names: readonly string[]
}

/** The same of a parser of tool calls. */
export interface ToolCallSession extends Parked {
  /** The tags of Hermes; empty in Morph. */
  readonly start: string
  readonly end: string
  /** The names of the tools whose tags are looked for, in the order of their bytes. */
  readonly names: readonly string[]
}

/** Of what a call returns: the number of records. */
export const COUNT = 0x3ff
/** Whether a declaration, about the first key, or about a tool is asked for. */
export const ASKS = 0x400
/** Of tool calls: whether more text is waited for. */
export const WAITS = 0x4000
/** Of fields: whether the document could be closed here. */
export const CLOSABLE = 0x4000

/** Of what a call returns: the mode. */
export function modeOf(packed: number): number {
  return (packed >>> 11) & 7
}

/** Of what a call returns: the roles whose openers (7 bits), and above them those whose closers count now. */
export function countedOf(packed: number): number {
  return packed >>> 14
}

/** `next` of the last call's outcome: where to read on, from the start of what was held. */
export const NEXT = 0
/** `held_from`: where what is held begins. */
export const HELD_FROM = 1

/** Records of the last call: three words each. */
export let records = new Int32Array(0)
/** Outcome of the last call. */
export let outcome = new Int32Array(0)
/** The tags that the package knows by itself. */
export let defaultTags: TagTable = { words: new Int32Array(0), fronts: new Uint8Array(0) }

let input = new Uint8Array(0)
let tags = new Int32Array(0)
let fronts = new Uint8Array(0)
let loadedTags: TagTable | undefined
let isReady = false
const encoder = new TextEncoder()

/**
 * What `init` takes: the bytes, a compiled module, or where to fetch them.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { type WasmSource, init } from 'tokenweir/slim'
 *
 * const source: WasmSource = await readFile(new URL(import.meta.resolve('tokenweir/tokenweir.wasm')))
 * await init(source)
 * ```
 */
export type WasmSource = WasmBytes | WasmModule | Response | URL | string | Request

/**
 * The bytes of `tokenweir.wasm`.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { type WasmBytes, initSync } from 'tokenweir/slim'
 *
 * const bytes: WasmBytes = readFileSync(new URL(import.meta.resolve('tokenweir/tokenweir.wasm')))
 * initSync(bytes)
 * ```
 */
export type WasmBytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView

/**
 * A `WebAssembly.Module`, where the types of the surroundings know it.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { type WasmModule, initSync } from 'tokenweir/slim'
 *
 * const module: WasmModule = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('tokenweir/tokenweir.wasm'))))
 * initSync(module)
 * ```
 */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object

/**
 * Makes the parsers ready, from bytes or a compiled module. A second time it does nothing.
 *
 * @throws TypeError if the source is something else.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { initSync, parsePartial } from 'tokenweir/slim'
 *
 * initSync(readFileSync(new URL(import.meta.resolve('tokenweir/tokenweir.wasm'))))
 * console.log(parsePartial('{"a": [1')) // { a: [ 1 ] }
 * ```
 */
export function initSync(source: WasmBytes | WasmModule): void {
  const isBytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source) || kindOf(source) === 'ArrayBuffer' || kindOf(source) === 'SharedArrayBuffer'
  if (!isBytes && kindOf(source) !== 'WebAssembly.Module') {
    throw new TypeError(`initSync takes the bytes of tokenweir.wasm or a WebAssembly.Module, but got ${describe(source)}; init fetches them`)
  }
  if (!isReady) attach(glue.initSync({ module: source as BufferSource | WebAssembly.Module }).memory)
}

/**
 * Makes the parsers ready, from anything that leads to the wasm: bytes, a compiled
 * module, a `Response` or `Request`, a URL, or a promise of one. A second time it
 * does nothing. It rejects with a TypeError if the source is something else, is a
 * `file:` address, or was not found.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { init, parsePartial } from 'tokenweir/slim'
 *
 * await init(readFile(new URL(import.meta.resolve('tokenweir/tokenweir.wasm'))))
 * console.log(parsePartial('{"a": [1')) // { a: [ 1 ] }
 * ```
 */
export async function init(source: WasmSource | Promise<WasmSource>): Promise<void> {
  const given = await source
  if (isReady) return
  const isAddress = typeof given === 'string' || given instanceof URL || (typeof Request !== 'undefined' && given instanceof Request)
  if (isAddress && String(given).startsWith('file:')) throw new TypeError(`init can't fetch ${String(given)}: read the file, and pass its bytes`)
  const found = isAddress ? await fetch(given) : given
  if (typeof Response !== 'undefined' && found instanceof Response) {
    if (!found.ok) throw new TypeError(`init: ${found.url} answered ${found.status}`)
    initSync(await found.arrayBuffer())
  } else {
    initSync(found as WasmBytes | WasmModule)
  }
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function attach(memory: WebAssembly.Memory): void {
  glue.block_tags_reset()
  input = new Uint8Array(memory.buffer, glue.input_pointer(), glue.input_size())
  records = new Int32Array(memory.buffer, glue.records_pointer(), glue.records_size() * 3)
  outcome = new Int32Array(memory.buffer, glue.outcome_pointer(), 2)
  const place = (pointer: number, size: number) => new Int32Array(memory.buffer, pointer, size >> 2)
  blockDesk.place = place(glue.block_machine_pointer(), glue.block_machine_size())
  fieldDesk.place = place(glue.field_machine_pointer(), glue.field_machine_size())
  segmentDesk.place = place(glue.segment_machine_pointer(), glue.segment_machine_size())
  callDesk.place = place(glue.call_machine_pointer(), glue.call_machine_size())
  toolCallDesk.place = place(glue.tool_call_machine_pointer(), glue.tool_call_machine_size())
  tags = place(glue.block_tags_pointer(), glue.block_tags_size())
  fronts = new Uint8Array(memory.buffer, glue.block_fronts_pointer(), glue.block_fronts_size())
  defaultTags = copyTags()
  loadedTags = defaultTags
  isReady = true
}

/** Refuses to make a parser before `init`. */
export function requireReady(place: string): void {
  if (!isReady) throw new ParseError('not-initialised', `${place}: the WebAssembly is not there yet; with tokenweir/slim, await init(source) first, or import tokenweir instead`)
}

/** The one place where a kind of machine works. */
class Desk<S extends Parked> {
  /** The place in wasm memory. */
  place: Int32Array = new Int32Array(0)
  atWork: S | undefined

  /** `start` makes the machine there one at the start of the session's stream. */
  constructor(private readonly start: (session: S) => void) {}

  /** Makes a session's machine the one at work. */
  claim(session: S): void {
    const before = this.atWork
    if (before !== undefined) {
      before.machine ??= new Int32Array(this.place.length)
      before.machine.set(this.place)
      before.isPutAway = true
    }
    this.atWork = session
    const { machine, isPutAway } = session
    session.isPutAway = false
    if (machine === undefined || !isPutAway) this.start(session)
    else this.place.set(machine)
  }

  /** Puts a session's machine back to the start of a stream. */
  restart(session: S): void {
    if (this.atWork === session) this.atWork = undefined
    session.isPutAway = false
  }
}

const blockDesk = new Desk<Session>((session) => glue.block_start(session.flags))
const fieldDesk = new Desk<FieldSession>((session) => glue.field_start(session.flags, session.shape, session.maxDepth))
const segmentDesk = new Desk<SegmentSession>((session) => {
  glue.segment_start(session.flags, session.profile)
  for (const signature of session.signatures) addSignature(signature)
})
const callDesk = new Desk<CallSession>(({ names }) => {
  const first = write(names[0] ?? '', 0, (names[0] ?? '').length)
  const both = names.join('')
  const length = write(both, 0, both.length)
  glue.call_start(first, length - first)
})

const toolCallDesk: Desk<ToolCallSession> = new Desk<ToolCallSession>(({ start, end }) => {
  const first = write(start, 0, start.length)
  const both = start + end
  glue.tool_call_start(first, write(both, 0, both.length) - first)
})

/** The names of tools that are looked for now. */
let loadedNames: readonly string[] | undefined

function claimToolCalls(session: ToolCallSession): void {
  if (session.names !== loadedNames) {
    loadNames(session.names)
    loadedNames = session.names
  }
  if (toolCallDesk.atWork !== session) toolCallDesk.claim(session)
}

/** The first name that can be none, or that there is no room for. */
function loadNames(names: readonly string[]): string | undefined {
  glue.tool_names_clear()
  loadedNames = undefined
  return names.find((name) => name.length > LONGEST_STRETCH || !glue.tool_names_add(write(name, 0, name.length)))
}

/** The last list that was made: many streams have the same tools, and share it. */
let lastNames: readonly string[] = []

/** Names of tools in the order of their bytes, as a session takes them. `refuse` is called with a name that can be none. */
export function toolNames(names: Iterable<string>, refuse: (name: string) => void): readonly string[] {
  const sorted = [...new Set(names)].map((name) => ({ name, bytes: encoder.encode(name) })).sort((a, b) => compareBytes(a.bytes, b.bytes))
  let fitting: readonly string[] = sorted.map(({ name }) => name)
  if (fitting.length === lastNames.length && fitting.every((name, at) => name === lastNames[at])) return lastNames
  for (let bad = loadNames(fitting); bad !== undefined; bad = loadNames(fitting)) {
    refuse(bad)
    const refused = bad
    fitting = fitting.filter((name) => name !== refused)
  }
  lastNames = fitting
  return fitting
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Whether two texts can be the tags of Hermes. */
export function areTags(start: string, end: string): boolean {
  if (start.length > LONGEST_STRETCH / 2 || end.length > LONGEST_STRETCH / 2) return false
  toolCallDesk.claim({ start, end, names: [], machine: undefined, isPutAway: false })
  const first = write(start, 0, start.length)
  const both = start + end
  return glue.tool_call_start(first, write(both, 0, both.length) - first)
}

/** Reads `data` from `from` to `to`, behind `held` units that were read before. Returns what `close` in src/wasm/tool_call.rs packs. */
export function runToolCalls(session: ToolCallSession, data: string, from: number, to: number, held: number): number {
  if (toolCallDesk.atWork !== session || session.names !== loadedNames) claimToolCalls(session)
  const length = writeWhole(data, from, to)
  return glue.tool_call_run(length, held, length === to - from)
}

/** The end of the stream; returns as `runToolCalls` does. */
export function finishToolCalls(session: ToolCallSession, held: number): number {
  if (toolCallDesk.atWork !== session) toolCallDesk.claim(session)
  return glue.tool_call_finish(held)
}

/** Gives up the segment of which `held` units are held; returns as `runToolCalls` does. */
export function giveUpToolCall(session: ToolCallSession, held: number): number {
  if (toolCallDesk.atWork !== session) toolCallDesk.claim(session)
  return glue.tool_call_give_up(held)
}

/** Says how many units were told without being read. */
export function passToolCalls(session: ToolCallSession, units: number): void {
  if (toolCallDesk.atWork !== session) toolCallDesk.claim(session)
  glue.tool_call_pass(units)
}

/** Answers what was asked, by the number of an `Answer` in src/tool_call/machine. */
export function answerToolCall(session: ToolCallSession, answer: number): void {
  if (toolCallDesk.atWork !== session) toolCallDesk.claim(session)
  glue.tool_call_answer(answer)
}

/** Whether a segment has begun that may be a call. */
export function isInToolCall(session: ToolCallSession): boolean {
  if (toolCallDesk.atWork !== session) toolCallDesk.claim(session)
  return glue.tool_call_is_open()
}

/** Puts a session's machine back to the start of a stream. */
export function restartToolCalls(session: ToolCallSession): void {
  toolCallDesk.restart(session)
}

/** Makes a session's machine the one at work, and its tags those that are looked for. */
function claim(session: Session): void {
  if (session.tags !== loadedTags) {
    tags.set(session.tags.words)
    loadedTags = session.tags
  }
  blockDesk.claim(session)
}

/** Puts a session's machine back to the start of a stream. */
export function restartStream(session: Session): void {
  blockDesk.restart(session)
}

/**
 * Reads `data` from `from` to `to`, of which what stands before `from` was held
 * for `held` units. Returns what `Batch::close` packs.
 */
export function run(session: Session, data: string, from: number, to: number, held: number, clip: number): number {
  if (blockDesk.atWork !== session) claim(session)
  const length = write(data, from, to)
  return glue.block_run(length, held, clip, length === to - from)
}

/** The end of the stream; returns as `run` does. */
export function finish(session: Session, held: number, clip: number): number {
  if (blockDesk.atWork !== session) claim(session)
  return glue.block_finish(held, clip)
}

/** Answers a question for a declaration. */
export function declare(session: Session, declared: number): void {
  if (blockDesk.atWork !== session) claim(session)
  glue.block_declare(declared)
}

/** After prefill: the kind of the block that is open, or 4 for none. A tool call stays open. */
export function setOpen(session: Session, kind: number): void {
  if (blockDesk.atWork !== session) claim(session)
  glue.block_set_open(kind)
}

/** Forgets a held tag and the open block, not what encloses them. */
export function restart(session: Session): void {
  if (blockDesk.atWork !== session) claim(session)
  glue.block_restart()
}

/** What the machine is inside of: 0 the kind, 1 function calls, 2 function results, 3 thinking. */
export function place(session: Session, what: number): number {
  if (blockDesk.atWork !== session) claim(session)
  return glue.block_place(what)
}

/** Puts a session's machine back to the start of a stream. */
export function restartFields(session: FieldSession): void {
  fieldDesk.restart(session)
}

/** Reads `data` from `from` to `to`, behind `held` units that were read before. Returns what `close` in src/wasm/field.rs packs. */
export function runFields(session: FieldSession, data: string, from: number, to: number, held: number): number {
  if (fieldDesk.atWork !== session) fieldDesk.claim(session)
  const length = writeWhole(data, from, to)
  return glue.field_run(length, held, length === to - from)
}

/** The end of the stream; returns as `runFields` does. */
export function finishFields(session: FieldSession, held: number): number {
  if (fieldDesk.atWork !== session) fieldDesk.claim(session)
  return glue.field_finish(held)
}

/** Answers whether the first key agrees with the schema. */
export function answerKey(session: FieldSession, agrees: boolean): void {
  if (fieldDesk.atWork !== session) fieldDesk.claim(session)
  glue.field_answer(agrees)
}

/** The rules by which something that is no JSON was read, one bit each. */
export function rulesUsed(session: FieldSession): number {
  if (fieldDesk.atWork !== session) fieldDesk.claim(session)
  return glue.field_rules()
}

/** Reads `data` from `from` to `to`, behind `held` units that were read before. Returns what `close` in src/wasm/segment.rs packs. */
export function runSegments(session: SegmentSession, data: string, from: number, to: number, held: number): number {
  if (segmentDesk.atWork !== session) segmentDesk.claim(session)
  const length = write(data, from, to)
  return glue.segment_run(length, held, length === to - from)
}

/** The end of the stream; returns as `runSegments` does. */
export function finishSegments(session: SegmentSession, held: number): number {
  if (segmentDesk.atWork !== session) segmentDesk.claim(session)
  return glue.segment_finish(held)
}

/** Says how many units were told without being read. */
export function passSegments(session: SegmentSession, units: number): void {
  if (segmentDesk.atWork !== session) segmentDesk.claim(session)
  glue.segment_pass(units)
}

/** Answers about a tool: its row (see src/segment/state.rs), null for a generic one, `undefined` for the built-in row. */
export function answerState(session: SegmentSession, row: Uint8Array | null | undefined): void {
  if (segmentDesk.atWork !== session) segmentDesk.claim(session)
  if (row) input.set(row)
  glue.segment_answer(row === undefined ? 0 : row === null ? 1 : 2, row?.length ?? 0)
}

/** Puts a session's machine back to the start of a stream. */
export function restartSegments(session: SegmentSession): void {
  segmentDesk.restart(session)
}

/** Whether a text can be a signature of a tool that is JSON. */
export function isSignature(signature: string): boolean {
  segmentDesk.claim({ flags: 0, profile: NO_PROFILE, signatures: [], machine: undefined, isPutAway: false })
  return addSignature(signature)
}

/** The number of no profile. */
export const NO_PROFILE = 255

function addSignature(signature: string): boolean {
  return signature.length <= LONGEST_STRETCH && glue.segment_signature(write(signature, 0, signature.length))
}

/** Reads a call's arguments as `runSegments` reads text. Returns what `call_run` in src/wasm/segment.rs packs. */
export function runCall(session: CallSession, data: string, from: number, to: number, held: number): number {
  if (callDesk.atWork !== session) callDesk.claim(session)
  const length = writeWhole(data, from, to)
  return glue.call_run(length, held, length === to - from)
}

/** The end of the stream; returns as `runCall` does. */
export function finishCall(session: CallSession, held: number): number {
  if (callDesk.atWork !== session) callDesk.claim(session)
  return glue.call_finish(held)
}

/** Reads the elements of a text; `tell` is called with the number of records, as often as there are some. */
export function readElements(text: string, tell: (count: number) => void): void {
  glue.elements_start()
  for (let from = 0; from < text.length; from = outcome[NEXT] as number) {
    let to = Math.min(text.length, from + LONGEST_STRETCH)
    if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
    tell(glue.elements_run(write(text, from, to), from) & COUNT)
  }
  tell(glue.elements_finish() & COUNT)
}

/** Runs what may use other parsers while records are told, and puts the records back. */
export function keepRecords<Result>(act: () => Result): Result {
  const told = records.slice()
  try {
    return act()
  } finally {
    records.set(told)
  }
}

/** Of what `readJsonText` gives: whether the text could not be read. */
const FAILED = 0x400

/** Reads a JSON text by a set of rules (see `json_start`): its records, three words each, and the rules it was read by. May be called while records are told. */
export function readJsonText(text: string, rules: number): { readonly tokens: readonly number[]; readonly used: number } {
  return keepRecords(() => jsonTokens(text, rules))
}

function jsonTokens(text: string, rules: number): { readonly tokens: readonly number[]; readonly used: number } {
  const tokens: number[] = []
  const take = (packed: number) => {
    const words = (packed & COUNT) * 3
    for (let at = 0; at < words; at++) tokens.push(records[at] as number)
    return (packed & FAILED) !== 0
  }
  glue.json_start(rules)
  let hasFailed = false
  for (let from = 0; from < text.length && !hasFailed; from = outcome[NEXT] as number) {
    let to = Math.min(text.length, from + LONGEST_STRETCH)
    if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
    hasFailed = take(glue.json_run(writeWhole(text, from, to), from))
  }
  if (!hasFailed) take(glue.json_finish(text.length))
  return { tokens, used: glue.json_rules() }
}

/** Above the number of records: an element's tag was read, and whether it is raw is asked. */
const ASKS_RAW = 0x400
/** The rest is too short to say what it is, or `finish` has more to tell. */
const WAITS_FOR_MORE = 0x800
/** Nothing more is read. */
const IS_OVER = 0x1000

/**
 * Reads the elements of a text. `tell` is called with the records as often as there are
 * some, three words each; `isRaw` at each opening tag, after its records were told. Both may
 * read other texts in between, but no elements. May be called while records are told.
 */
export function readTreeText(text: string, tell: (words: Int32Array) => void, isRaw: () => boolean): void {
  keepRecords(() => treeTokens(text, tell, isRaw))
}

function treeTokens(text: string, tell: (words: Int32Array) => void, isRaw: () => boolean): void {
  const take = (packed: number) => {
    const count = packed & COUNT
    if (count > 0) tell(records.slice(0, count * 3))
  }
  glue.tree_start()
  for (let at = 0, longest = LONGEST_STRETCH; at < text.length; ) {
    let to = Math.min(text.length, at + longest)
    if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
    const packed = glue.tree_run(write(text, at, to), at)
    at = outcome[NEXT] as number
    const asks = (packed & ASKS_RAW) !== 0
    take(packed)
    if ((packed & IS_OVER) !== 0) return
    if (asks) take(glue.tree_answer(isRaw(), at))
    else if ((packed & WAITS_FOR_MORE) !== 0 && to === text.length) break
    // What is behind a tag was written in vain.
    longest = asks ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, longest * 2)
  }
  let packed: number
  do {
    packed = glue.tree_finish(text.length)
    take(packed)
  } while ((packed & WAITS_FOR_MORE) !== 0)
}

/** Length of the stretch behind what was asked about. */
const FIRST_STRETCH = 256

/** A tag table: the default one with changes. `refuse` is called with the code of what is wrong. */
export function makeTags(changes: ReadonlyArray<readonly [name: string, role: string]>, refuse: (code: number, name: string, role: string) => never): TagTable {
  loadedTags = undefined
  tags.set(defaultTags.words)
  for (const [name, role] of changes) {
    const fits = name.length + role.length < 1_024
    const nameLength = fits ? encoder.encodeInto(name, input).written : 0
    const roleLength = fits ? encoder.encodeInto(role, input.subarray(nameLength)).written : 0
    const code = fits ? glue.block_tags_set(nameLength, roleLength) : 1
    if (code !== 0) refuse(code, name, role)
  }
  return copyTags()
}

function copyTags(): TagTable {
  return { words: tags.slice(), fronts: fronts.slice() }
}

/** Reads the character references in an attribute's value. May be called while records are told. */
export function decodeReferences(value: string): string {
  return keepRecords(() => decoded(value))
}

function decoded(value: string): string {
  let text = ''
  let from = 0
  do {
    const length = write(value, from, value.length)
    const rest = value.slice(from)
    const count = glue.decode_references(length, length === rest.length) & COUNT
    for (let at = 0; at < count * 3; at += 3) {
      const word = records[at] as number
      text += (word & 0xff) === TEXT ? rest.slice(records[at + 1], records[at + 2]) : String.fromCodePoint(word >>> 8)
    }
    from += outcome[NEXT] as number
  } while (from < value.length)
  return text
}

/** The number of `Op::Text` in src/block/op.rs. */
const TEXT = 2

/** Writes text as `write` does; half a surrogate pair at its end stays what it is, since the other half may follow. */
function writeWhole(data: string, from: number, to: number): number {
  const length = write(data, from, to)
  // `TextEncoder` writes half a pair as U+FFFD.
  const last = data.charCodeAt(to - 1)
  if (isHighHalf(last)) {
    input[length - 3] = 0xe0 | (last >> 12)
    input[length - 2] = 0x80 | ((last >> 6) & 0x3f)
    input[length - 1] = 0x80 | (last & 0x3f)
  }
  return length
}

/** Writes text into wasm memory as UTF-8; half a surrogate pair alone is three bytes. Returns how many bytes. */
function write(data: string, from: number, to: number): number {
  if (to - from > LOOP) return encoder.encodeInto(data.slice(from, to), input).written
  let length = 0
  for (let at = from; at < to; at++) {
    const unit = data.charCodeAt(at)
    if (unit < 0x80) {
      input[length++] = unit
    } else if (unit < 0x800) {
      input[length++] = 0xc0 | (unit >> 6)
      input[length++] = 0x80 | (unit & 0x3f)
    } else if (isHighHalf(unit) && at + 1 < to && isLowHalf(data.charCodeAt(at + 1))) {
      const code = 0x10000 + ((unit - 0xd800) << 10) + (data.charCodeAt(++at) - 0xdc00)
      input[length++] = 0xf0 | (code >> 18)
      input[length++] = 0x80 | ((code >> 12) & 0x3f)
      input[length++] = 0x80 | ((code >> 6) & 0x3f)
      input[length++] = 0x80 | (code & 0x3f)
    } else {
      input[length++] = 0xe0 | (unit >> 12)
      input[length++] = 0x80 | ((unit >> 6) & 0x3f)
      input[length++] = 0x80 | (unit & 0x3f)
    }
  }
  return length
}
