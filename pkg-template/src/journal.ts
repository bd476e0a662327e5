// What was done with a parser since its stream began. A snapshot is that, as plain JSON, and to restore is to do
// it again without a word: a parser's state follows from its options and its calls, and where text was cut makes no
// difference, so texts that follow each other are one.
//
//     new BlockParser({ fences: 'text', onChunk })        options    { fences: '"text"' }      given    ['onChunk']
//     processChunk('<thin')  processChunk('king>hm')      calls      ['<thinking>hm',
//     emitToolResults([{ toolUseId: 'a', … }])                        ['emitToolResults', '[[{"toolUseId":"a",…}]]']]
//     generateId() gave 'toolu_1'                         ids        ['toolu_1']
//
// Options, and what calls are given, are JSON in a string: some databases change the order of an object's keys, which
// means something in a schema.
//
// Source: spec/snapshot.md.

import { AlikeCalls, areCalls, callsIn, readCalls } from './alike.js'
import { ParseError, describe } from './errors.js'
import { version } from './generated/version.js'
import { checksum } from './hash.js'
import { Joined } from './joined.js'
import { type OptionTable, checkOptions, flag } from './options.js'
import { isRecord, put } from './own.js'

/**
 * A parser between two chunks, as plain JSON: it survives `JSON.stringify`, `structuredClone` and a database. What is
 * in it is for `restore` alone, which takes it in any process with the same version of the package.
 *
 * It has text of the model in it, as it came. Its checksum finds what was changed by accident and is no signature:
 * take snapshots only from where you keep them.
 *
 * @example
 * ```ts
 * import { BlockParser, type Snapshot } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser()
 * parser.processChunk('<thinking>hm')
 * const snapshot: Snapshot = parser.snapshot()
 * console.log(snapshot.v, snapshot.parser) // 1 blocks
 * ```
 */
export interface Snapshot {
  /** The version of this form. */
  readonly v: 1
  /** The parser that it is of. */
  readonly parser: string
  /** The id of the wire format, if the parser reads by one. */
  readonly format?: string
  /** The version of the package that made it. */
  readonly engine: string
  /** The parser's options that are data, as JSON. */
  readonly options: Readonly<Record<string, string>>
  /** The names of the other options: functions, which have to be given again. */
  readonly given: readonly string[]
  /** Whether the text is there that `keepText: false` leaves out. */
  readonly keepText: boolean
  /** The text that the parser has read, and its other calls, in order: a method, and what it was given, as JSON. */
  readonly calls: ReadonlyArray<string | readonly [method: string, calls: string]>
  /** The ids that it has given. */
  readonly ids: readonly string[]
  /** Made of all other fields. */
  readonly checksum: string
}

/**
 * What a snapshot is to have.
 *
 * @example
 * ```ts
 * import { BlockParser, type KeepTextOptions } from 'tokenweir/blocks'
 *
 * const options: KeepTextOptions = { keepText: false }
 * const parser = new BlockParser()
 * parser.processChunk('Hello')
 * console.log(BlockParser.restore(parser.snapshot(options)).getAccumulated().length < 5) // true
 * ```
 */
export interface KeepTextOptions {
  /**
   * `false` leaves out text that was emitted already, and that only events of whole blocks and the text so far need:
   * these then begin at the restore, and say so. @defaultValue true
   */
  keepText?: boolean | undefined
}

/** One kind of parser. */
export interface Kind {
  /** Its name in snapshots, and its class. */
  readonly parser: string
  readonly place: string
  /** What restores it, if that is not its `restore`. */
  readonly restore?: string
  /** Its method for text, and all others that change its state. */
  readonly text: string
  readonly calls: readonly string[]
  /** Options that are functions and hear of what is emitted: `config.onError` is one of an option's. */
  readonly hearers: readonly string[]
}

type Call = Snapshot['calls'][number]

/** What was done. */
export type Done = Pick<Snapshot, 'calls' | 'ids'>

/** What a snapshot has besides. */
export interface About {
  /** What was done, if not all of it counts. */
  readonly done?: Done | undefined
  /** The formats that the parser reads by, and what else has to be the same where it is restored. */
  readonly format?: string | undefined
  readonly about?: string | undefined
  /** Names of options that are given again unless they are texts. */
  readonly given?: readonly string[]
}

/** How a parser is made again. */
export interface Restoring<Made> {
  make(options: object): Made
  /** What has the methods that are called, if that is something else. */
  readonly targetOf?: (made: Made) => object
  readonly aboutOf?: (made: Made) => Pick<About, 'format' | 'about'>
  /** The options of a snapshot as the parser takes them. */
  readonly unflat?: (options: Readonly<Record<string, unknown>>) => object
  /** Forgets what `keepText: false` leaves out. */
  readonly forget?: (made: Made) => void
}

/** So much text is worth a mark, in UTF-16 code units. */
const LONG = 4_096

/** From where calls count, and what stands for all before it. */
const ALL: Readonly<{ calls: readonly Call[]; from: number; idsFrom: number }> = { calls: [], from: 0, idsFrom: 0 }

/** A parser's options have its journal under this key while it is made. */
const JOURNAL: unique symbol = Symbol('journal')

/** The journal among a parser's options, if one is kept. */
function journalIn(options: object | undefined): Journal | undefined {
  return (options as { readonly [JOURNAL]?: Journal } | undefined)?.[JOURNAL]
}

/** A parser that has all of its text: then it is not written down twice. Places are units from the stream's start. */
export interface TextSource {
  readonly end: number
  textFrom(place: number): string
}

/** Text in the source, from one place to another, and where in it texts are not to be joined. */
class Span {
  constructor(
    readonly from: number,
    public to: number,
    private readonly cuts: readonly number[],
  ) {}

  /** `first`: the place where the text begins that it is in. */
  textsIn(text: string, first: number): string[] {
    const places = [this.from, ...this.cuts, this.to].map((place) => place - first)
    return places.slice(1).flatMap((to, at) => text.slice(places[at], to) || [])
  }
}

/** What makes ids, which a journal among the options writes down. */
export function recorded<Given extends unknown[]>(
  options: object | undefined,
  make: (...given: Given) => string,
): (...given: Given) => string {
  const journal = journalIn(options)
  return journal === undefined ? make : (...given) => journal.id(() => make(...given))
}

/** What is done with one parser since its stream began. */
export class Journal {
  #calls: Array<Call | AlikeCalls | Span> = []
  #ids: string[] = []
  /** Text since the last other call: joined, and after it what is not to be joined. */
  readonly #text = new Joined()
  #apart: string[] = []
  /** Where it stands otherwise, from a place on, and where it is not to be joined. */
  #source: TextSource | undefined
  #from = 0
  #cuts: number[] = []
  #start = ALL
  #long = LONG
  /** Ids that were given before, while what was done before is done again. */
  #again: string[] | undefined

  private constructor(
    private readonly kind: Kind,
    private readonly options: object,
    again?: readonly string[],
  ) {
    this.#again = again && [...again]
  }

  /** The journal of a parser that is made by some options: a new one, unless they have one. */
  static of(kind: Kind, options: object | undefined): Journal {
    return journalIn(options) ?? new Journal(kind, options ?? {})
  }

  /** Whether what was done before is done again. */
  get isReplaying(): boolean {
    return this.#again !== undefined
  }

  /** Options that have this journal. */
  within<Given extends object>(options: Given | undefined): Given {
    // What is not an object is refused by who reads it.
    return options === undefined || isRecord(options) ? { ...(options as Given), [JOURNAL]: this } : options
  }

  /** Text stands in the parser: it is not written down by `read`. */
  readsFrom(source: TextSource): void {
    this.#source = source
    this.#from = source.end
  }

  /** The parser reads a chunk. */
  read(chunk: string): void {
    if (this.#again === undefined) this.#text.add(chunk)
  }

  /** The parser reads a chunk that is not to be joined with others. */
  readApart(chunk: string): void {
    if (this.#again === undefined) this.#apart.push(chunk)
  }

  /**
   * A chunk was read that began at a place of the source. `isKept`: its end waits for what comes after it, so where it
   * was cut counts.
   */
  wasRead(place: number, isKept: boolean): void {
    if (isKept) this.#cuts.push(place)
    else if (this.#cuts.length > 0) this.#cuts = []
  }

  /** Text up to here is in the last call. */
  passOver(): void {
    this.#from = this.#source?.end ?? 0
    this.#cuts = []
  }

  /** The text since the last other call. */
  *#lastText(): Generator<string | Span> {
    if (!this.#text.isEmpty) yield this.#text.toString()
    yield* this.#apart
    const end = this.#source?.end ?? 0
    if (end > this.#from) yield new Span(this.#from, end, this.#cuts)
  }

  /** It is written down now. */
  #endText(): void {
    for (const text of this.#lastText()) this.#calls.push(text)
    this.#clearText()
  }

  #clearText(): void {
    this.#text.clear()
    this.#apart = []
    this.passOver()
  }

  /** The parser does something else, or reads a chunk that is not to be joined with others. */
  call(method: string, ...given: unknown[]): void {
    if (this.#again !== undefined) return
    // JSON has no undefined.
    while (given.length > 0 && given.at(-1) === undefined) given.pop()
    this.#endText()
    const last = this.#calls.length > this.#start.from ? this.#calls.at(-1) : undefined
    if (!(last instanceof AlikeCalls && last.takes(method, given))) this.#calls.push(new AlikeCalls(method, given))
  }

  /** An id: that which was given before, or a new one. */
  id(make: () => string): string {
    const id = this.#again?.shift() ?? make()
    this.#ids.push(id)
    return id
  }

  /** A new stream begins. */
  clear(): void {
    if (this.#again !== undefined) return
    this.#clearText()
    this.#calls = []
    this.#ids = []
    this.#start = ALL
    this.#long = LONG
  }

  /** Whether much text came since this was true, or since a mark. */
  isLong(): boolean {
    const length = (this.#source?.end ?? 0) - this.#from
    if (length < this.#long) return false
    this.#long = length + LONG
    return true
  }

  /** Up to here some calls do as much as all that was done, but for what was emitted. */
  mark(...calls: readonly Call[]): void {
    const before = this.#calls.at(-1)
    this.#endText()
    const last = this.#calls.at(-1)
    // One text, however often this is done.
    if (before instanceof Span && last instanceof Span && before !== last) {
      this.#calls.pop()
      before.to = last.to
    }
    this.#start = { calls, from: this.#calls.length, idsFrom: this.#ids.length }
    this.#long = LONG
  }

  /** What was done since a mark, after what stands for all before it; without one, all. */
  since({ calls, from, idsFrom } = this.#start): Done {
    const more = [...this.#calls.slice(from), ...this.#lastText()]
    // Without new text there is nothing to read of the source, which would make one text of all that it has.
    const first = more.find((call) => call instanceof Span)?.from ?? this.#from
    const text = this.#source?.textFrom(first) ?? ''
    const written = more.flatMap((call): Call[] => {
      if (call instanceof AlikeCalls) return [[call.method, JSON.stringify(call)]]
      return call instanceof Span ? call.textsIn(text, first) : [call]
    })
    return { calls: [...calls, ...written], ids: this.#ids.slice(idsFrom) }
  }

  /** The snapshot. `isBusy`: a chunk is read in part. */
  snapshot(isBusy: boolean, how?: KeepTextOptions, more: About = {}): Snapshot {
    const { place, parser } = this.kind
    const keepText = keepsText(place, isBusy, how)
    const { done = this.since(ALL), format, about, given: always = [] } = more
    const options: Record<string, string> = {}
    const given: string[] = []
    for (const [name, value] of Object.entries(this.options)) {
      if (value === undefined) continue
      if (isData(value) && (typeof value === 'string' || !always.includes(name))) options[name] = JSON.stringify(value)
      else given.push(name)
    }
    const { calls, ids } = done
    const ofFormat = format === undefined ? {} : { format }
    const whole = { v: 1, parser, ...ofFormat, engine: engineOf(about), options, given, keepText, calls, ids } as const
    return { ...whole, checksum: checksumOf(whole) }
  }

  /** Makes a parser that has done what that of a snapshot had. `given`: options that are functions. */
  static restore<Made>(kind: Kind, snapshot: unknown, given: object | undefined, how: Restoring<Made>): Made {
    const place = kind.restore ?? `${kind.place}.restore`
    const { format, engine, options: saved, given: names, keepText, calls, ids } = checked(place, kind, snapshot)
    const all = optionsOf(place, saved, names, given)
    const journal = new Journal(kind, all, ids)
    for (const path of kind.hearers) journal.#mute(path.split('.'))
    const made = how.make(journal.within(how.unflat?.(all) ?? all))
    const { about, format: own } = how.aboutOf?.(made) ?? {}
    if (own !== format)
      throw new TypeError(`${place}: it reads the format ${describe(own)}, but the snapshot is of ${describe(format)}`)
    if (engine !== engineOf(about)) refuseEngine(place, engine, engineOf(about))
    journal.#replay(place, calls, how.targetOf?.(made) ?? (made as object))
    if (!keepText) how.forget?.(made)
    return made
  }

  /** Lets an option hear of nothing that it has heard of before. */
  #mute([name = '', inner]: readonly string[]): void {
    const owner = this.options as Record<string, unknown>
    const option = owner[name]
    if (inner !== undefined && isRecord(option))
      owner[name] = { ...option, [inner]: this.#muted(option[inner], option) }
    else if (inner === undefined) owner[name] = this.#muted(option, owner)
  }

  #muted(option: unknown, owner: object): unknown {
    if (typeof option !== 'function') return option
    return (...given: unknown[]): unknown =>
      this.#again === undefined ? Reflect.apply(option, owner, given) : undefined
  }

  #replay(place: string, calls: readonly Call[], target: object): void {
    const { text, calls: known } = this.kind
    for (const call of calls) {
      const [method, given] = typeof call === 'string' ? [text, [[call]]] : [call[0], callsOf(place, call[1])]
      if (method !== text && !known.includes(method)) refuse(place, 'it has a call that this parser has not')
      this.#calls.push(call)
      for (const each of given) this.#do(target, method, each)
      this.passOver()
    }
    this.#again = undefined
  }

  #do(target: object, method: string, given: readonly unknown[]): void {
    try {
      Reflect.apply((target as Record<string, () => void>)[method] as () => void, target, given)
    } catch (error) {
      // What threw then throws again, once it has read what it was given.
      if (error instanceof ParseError && ['engine-failed', 'snapshot-invalid'].includes(error.code)) throw error
    }
  }
}

function callsOf(place: string, text: string): Iterable<readonly unknown[]> {
  const written = parsed(place, text, readCalls)
  if (!areCalls(written)) refuse(place, 'it has malformed calls')
  return callsIn(written)
}

const OPTIONS = { keepText: [flag] } satisfies OptionTable<KeepTextOptions>

/** Refuses numbers of a snapshot that are no places or counts. */
export function requireCounts(place: string, ...numbers: readonly unknown[]): void {
  const isCount = (number: unknown) =>
    Number.isInteger(number) && (number as number) >= 0 && (number as number) < FURTHEST
  if (!numbers.every(isCount)) refuse(`${place}.restore`, 'it has a malformed place')
}

/** No stream is so long. */
const FURTHEST = 2 ** 40

/** Refuses a snapshot from inside a callback, and wrong options; gives whether the text is kept. */
function keepsText(place: string, isBusy: boolean, options?: KeepTextOptions): boolean {
  if (isBusy)
    throw new ParseError(
      'reentrant',
      `${place}.snapshot was called from inside a callback of the same parser, where a chunk is read in part; ` +
        `call it between two chunks`,
    )
  checkOptions(`${place}.snapshot`, options, OPTIONS)
  return options?.keepText ?? true
}

/** A snapshot that is one of this parser, unchanged. */
function checked(place: string, { parser }: Kind, snapshot: unknown): Snapshot {
  if (!isRecord(snapshot))
    throw new ParseError('snapshot-invalid', `${place} takes what snapshot() returned, but got ${describe(snapshot)}`)
  const { v, engine, options, given, keepText, calls, ids, format } = snapshot
  if (v !== 1)
    throw new ParseError(
      'snapshot-version',
      `${place}: the snapshot has version ${describe(v)}, and this package reads version 1`,
    )
  if (snapshot['parser'] !== parser)
    throw new ParseError(
      'snapshot-parser',
      `${place}: the snapshot is of the parser ${describe(snapshot['parser'])}, and not of "${parser}"`,
    )
  if (typeof engine !== 'string' || engine.split('-about-')[0] !== version) refuseEngine(place, engine, version)
  const isCall = (call: unknown) => areTexts([call]) || (Array.isArray(call) && call.length === 2 && areTexts(call))
  if (
    !Object.keys(snapshot).every((name) => name === 'checksum' || FIELDS.includes(name)) ||
    !isRecord(options) ||
    !areTexts(Object.values(options)) ||
    !areTexts(given) ||
    typeof keepText !== 'boolean' ||
    !Array.isArray(calls) ||
    !calls.every(isCall) ||
    !areTexts(ids) ||
    !areTexts([format ?? ''])
  )
    refuse(place, 'a field is missing, or one too many')
  if (snapshot['checksum'] !== checksumOf(snapshot)) refuse(place, 'its checksum is not that of its contents')
  return snapshot as unknown as Snapshot
}

/** What the checksum is made of, in order. */
const FIELDS = ['v', 'parser', 'format', 'engine', 'options', 'given', 'keepText', 'calls', 'ids']

function areTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((item) => typeof item === 'string')
}

/** All options: those of the snapshot, and the functions. */
function optionsOf(
  place: string,
  saved: Snapshot['options'],
  names: readonly string[],
  given: unknown,
): Record<string, unknown> {
  if (given !== undefined && !isRecord(given))
    throw new TypeError(`${place} takes an options object, but got ${describe(given)}`)
  const all: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(saved)) put(all, name, parsed(place, value))
  for (const name of names)
    if (given?.[name] === undefined)
      throw new TypeError(
        `${place}: ${name} was given to the parser that the snapshot is of; it can't be saved, so give it again`,
      )
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue
    if (isData(value) && !names.includes(name) && JSON.stringify(value) !== saved[name])
      throw new TypeError(
        `${place}: ${name} is ${described(value)}, but the snapshot has ${described(all[name])}; ` +
          `leave it out, since the snapshot has it`,
      )
    put(all, name, value)
  }
  return all
}

function described(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : describe(value)
}

function engineOf(about = ''): string {
  return about === '' ? version : `${version}-about-${checksum(about)}`
}

function refuse(place: string, why: string): never {
  throw new ParseError('snapshot-invalid', `${place}: the snapshot was changed or cut: ${why}`)
}

function refuseEngine(place: string, engine: unknown, own: string): never {
  throw new ParseError(
    'snapshot-version',
    `${place}: the snapshot is of ${describe(engine)}, and this package is ${describe(own)}; ` +
      `restore it with the version that made it`,
  )
}

function parsed(place: string, text: string, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    return read(text)
  } catch {
    return refuse(place, 'it has what is not JSON')
  }
}

/** Whether JSON has all of a value. */
function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value == null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isData)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isData)
}

/** The checksum of a snapshot, whatever the order of its keys. */
function checksumOf(snapshot: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(snapshot['options'] as object).sort(([a], [b]) => (a < b ? -1 : 1))
  return checksum(JSON.stringify(FIELDS.map((name) => (name === 'options' ? sorted : (snapshot[name] ?? null)))))
}
