// A parser's state as plain JSON, for another process: what it has in common for
// all parsers.
//
// Source: spec/snapshot.md.

import { ParseError, describe } from '../errors.js'
import { checksum } from '../hash.js'
import { type OptionTable, checkOptions, flag } from '../options.js'
import { isRecord } from '../own.js'
import type { Check } from './checks.js'
import { partsOfNew, setState, stateOf } from './state.js'
import { type Classes, Malformed, ValueReader, ValueWriter, type Written } from './values.js'

/**
 * A parser between two chunks, as plain JSON: it survives `JSON.stringify`, `structuredClone` and a database. What is
 * in it is for `restore` alone, which takes it in any process with the same version.
 *
 * It has text of the model in it, as it came. Its checksum finds what was changed by accident and is no signature:
 * take snapshots only from where you keep them.
 *
 * @example
 * ```ts
 * import { BlockParser, type Snapshot } from 'tokenweir/blocks'
 * import 'tokenweir/snapshot'
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
  /** The layout of the parser's state: another version of the package may have another one. */
  readonly engine: string
  /** The parser's options that are data. */
  readonly options: Readonly<Record<string, unknown>>
  /** The names of the other options: functions, which have to be given again. */
  readonly given: readonly string[]
  /** Whether the text is there that `keepText: false` leaves out. */
  readonly keepText: boolean
  /** What differs from a new parser. */
  readonly state: readonly unknown[]
  /** Made of all other fields. */
  readonly checksum: string
}

/**
 * What a snapshot is to have.
 *
 * @example
 * ```ts
 * import { BlockParser, type KeepTextOptions } from 'tokenweir/blocks'
 * import 'tokenweir/snapshot'
 *
 * const options: KeepTextOptions = { keepText: false }
 * const parser = new BlockParser()
 * parser.processChunk('Hello')
 * console.log(BlockParser.restore(parser.snapshot(options)).getAccumulated() === '') // true
 * ```
 */
export interface KeepTextOptions {
  /**
   * `false` leaves out the text that was emitted already, and that only events of whole blocks or values and the
   * text so far need: these then begin at the restore, and say so. @defaultValue true
   */
  keepText?: boolean | undefined
}

const FIELDS = ['v', 'parser', 'format', 'engine', 'options', 'given', 'keepText', 'state', 'checksum']

/** What is saved of one kind of parser. */
export interface Saving {
  /** Its name in snapshots, and its class. */
  readonly parser: string
  readonly place: string
  /** What restores it, if that is not its `restore`. */
  readonly restore?: string
  /** The layout of its machine. */
  readonly layout: string
  readonly classes: Classes
}

/** What a snapshot is made of. */
export interface Live {
  /** The parser's state, and that of a new one with the same options. */
  readonly live: object
  readonly fresh: object
  readonly options: object
  readonly format?: string | undefined
  readonly keepText: boolean
  /** The names of options that are given again even if they are data. */
  readonly given?: readonly string[]
  /** What a new one has to be made for, before its state is set. */
  readonly shape?: unknown
  /** What else has to be the same where it is restored. */
  readonly about?: string
  /** Parts that stay as they are in a new one. */
  readonly omitted?: readonly object[] | undefined
}

/** Makes a snapshot. */
export function makeSnapshot(
  { parser, layout, classes }: Saving,
  { live, fresh, options, format, given: always = [], shape, about = '', keepText, omitted = [] }: Live,
): Snapshot {
  const { state, form } = stateOf(live, fresh, classes, new Set(omitted))
  const data: Record<string, unknown> = {}
  const given: string[] = []
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (isData(value) && !always.includes(name)) data[name] = written(value)
    else given.push(name)
  }
  const whole = {
    v: 1,
    parser,
    ...(format === undefined ? {} : { format }),
    engine: engineOf(layout, form, about),
    options: data,
    given,
    keepText,
    state: [written(shape), ...state],
  } as const
  return { ...whole, checksum: checksumOf(whole) }
}

const OPTIONS = { keepText: [flag] } satisfies OptionTable<KeepTextOptions>

/** Refuses a snapshot from inside a callback, and wrong options; gives whether the text is kept. */
export function checkSnapshot(place: string, isBusy: boolean, options?: KeepTextOptions): boolean {
  if (isBusy)
    throw new ParseError(
      'reentrant',
      `${place}.snapshot was called from inside a callback of the same parser, where a chunk is read in part; ` +
        `call it between two chunks`,
    )
  checkOptions(`${place}.snapshot`, options, OPTIONS)
  return options?.keepText ?? true
}

/** A snapshot that was checked, as far as it can be before there is a parser. */
export class Opened<Options extends object> {
  /** The parser's options: those of the snapshot, and the functions. */
  readonly options: Options
  private readonly snapshot: Snapshot
  /** What was called. */
  private readonly call: string

  constructor(
    private readonly saving: Saving,
    snapshot: unknown,
    given: Partial<Options> | undefined,
  ) {
    const { parser, place, restore = `${place}.restore`, layout } = saving
    this.call = restore
    if (!isRecord(snapshot))
      throw new ParseError(
        'snapshot-invalid',
        `${restore} takes what snapshot() returned, but got ${describe(snapshot)}`,
      )
    const { v, engine, state, options, given: names, keepText } = snapshot
    if (v !== 1)
      throw new ParseError(
        'snapshot-version',
        `${restore}: the snapshot has version ${describe(v)}, and this package reads version 1`,
      )
    if (snapshot['parser'] !== parser)
      throw new ParseError(
        'snapshot-parser',
        `${restore}: the snapshot is of the parser ${describe(snapshot['parser'])}, and not of "${parser}"`,
      )
    if (typeof engine !== 'string' || !engine.startsWith(`${layout}-`)) refuseEngine(restore, engine, layout)
    if (snapshot['checksum'] !== checksumOf(snapshot)) refuse(restore, 'its checksum is not that of its contents')
    if (
      !Object.keys(snapshot).every((name) => FIELDS.includes(name)) ||
      !Array.isArray(state) ||
      !isRecord(options) ||
      !Array.isArray(names) ||
      typeof keepText !== 'boolean'
    )
      refuse(restore, 'a field is missing, or one too many')
    this.snapshot = snapshot as unknown as Snapshot
    const own = guarded(restore, () =>
      Object.fromEntries(Object.entries(options).map(([name, value]) => [name, new ValueReader([], {}).read(value)])),
    )
    this.options = { ...own, ...given } as Options
    if (given !== undefined && !isRecord(given))
      throw new TypeError(`${restore} takes an options object, but got ${describe(given)}`)
    for (const name of names as unknown[]) {
      if (typeof name !== 'string') refuse(restore, 'a name of an option is no string')
      if ((given as Readonly<Record<string, unknown>> | undefined)?.[name] === undefined)
        throw new TypeError(
          `${restore}: ${name} was given to the parser that the snapshot is of; it can't be saved, so give it again`,
        )
    }
    for (const [name, value] of Object.entries(given ?? {})) {
      if (value === undefined) {
        if (Object.hasOwn(own, name)) (this.options as Record<string, unknown>)[name] = own[name]
      } else if (
        isData(value) &&
        !names.includes(name) &&
        JSON.stringify(written(value)) !== JSON.stringify(options[name] ?? [])
      ) {
        throw new TypeError(
          `${restore}: ${name} is ${describeWhole(value)}, but the snapshot has ${describeWhole(own[name])}; ` +
            `leave it out, since the snapshot has it`,
        )
      }
    }
  }

  /** What the parser has to be made for, if that is what it may be. */
  shape(check: Check): unknown {
    const value = guarded(this.call, () => new ValueReader([], {}).read(this.snapshot.state[0]))
    if (!check(value)) refuse(this.call, 'it is of a parser that there is not')
    return value
  }

  /** Refuses another format than the snapshot's. */
  requireFormat(format: string): void {
    if (format !== this.snapshot.format)
      throw new TypeError(
        `${this.call}: it reads the format ${describe(format)}, but the snapshot is of ` +
          `${describe(this.snapshot.format)}`,
      )
  }

  /** Puts the state into a new parser, which must not be used if this throws. */
  into(fresh: object, about = ''): void {
    const { parts, form } = partsOfNew(fresh)
    const engine = engineOf(this.saving.layout, form, about)
    if (this.snapshot.engine !== engine) refuseEngine(this.call, this.snapshot.engine, engine)
    guarded(this.call, () => setState(parts, this.snapshot.state.slice(1), this.saving.classes))
  }
}

function engineOf(layout: string, form: string, about: string): string {
  return `${layout}-${about === '' ? form : checksum(form + about)}`
}

function refuse(place: string, why: string): never {
  throw new ParseError('snapshot-invalid', `${place}: the snapshot was changed or cut: ${why}`)
}

function refuseEngine(place: string, engine: unknown, own: string): never {
  throw new ParseError(
    'snapshot-version',
    `${place}: the snapshot has the layout ${describe(engine)}, and this version of the package has ` +
      `${describe(own)}; restore it with the version that made it`,
  )
}

function guarded<Result>(place: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof Malformed) return refuse(place, error.message)
    throw error
  }
}

function written(value: unknown): Written {
  return new ValueWriter(new Map(), {}).write(value)
}

/** Whether a value is data alone: without functions and objects of classes. */
function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol'
  if (Array.isArray(value)) return value.every(isData)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isData)
}

/** The checksum of a snapshot, whatever the order of its keys. */
function checksumOf({
  v,
  parser,
  format = null,
  engine,
  options,
  given,
  keepText,
  state,
}: Readonly<Record<string, unknown>>): string {
  const sorted = isRecord(options) ? Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)) : options
  return checksum(JSON.stringify([v, parser, format, engine, sorted, given, keepText, state]))
}

function describeWhole(value: unknown): string {
  return isRecord(value) || Array.isArray(value)
    ? JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
    : describe(value)
}
