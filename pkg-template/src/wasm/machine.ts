// The machines of one instance, and the sessions that use them.
//
// All machines have the same wire (src/wasm/machine.rs): `start`, then `run` for
// each stretch of text, `answer` for each question, `finish` for the end. The
// machine at work lies in one place in wasm memory; to claim the place puts
// a session's machine there and takes the last one's away. So a parser is a plain
// object with nothing to free.

import { Packed } from '../generated/ops.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { Border, BorderExports } from './border.js'

type Call = (a?: number, b?: number, c?: number) => number

/** One kind of machine: its exports, and the place where it works. */
export class MachineKind {
  /** Whose machine works there. */
  atWork: Session | undefined
  private place: Int32Array | undefined
  declare start: Call
  /** As it is exported: `Session.run` guards it. */
  declare run: Call
  declare finish: Call
  declare answer: Call
  declare isInCall: Call
  declare giveUp: Call
  declare settle: Call
  declare pass: Call | undefined
  declare save: Call
  declare load: Call

  /** `name`: what the names of its exports begin with. */
  constructor(
    readonly border: Border<BorderExports>,
    private readonly name: string,
  ) {}

  /** Makes a session's machine the one at work. */
  claim(session: Session): void {
    const place = this.place ?? this.find()
    this.release()
    session.loadTable?.()
    this.atWork = session
    if (session.isParked) place.set(session.machine as Int32Array)
    else if (session.start !== undefined) session.start()
    else this.start()
    session.isParked = false
  }

  /** Parks the machine at work. */
  release(): void {
    const session = this.atWork
    if (session === undefined || this.place === undefined) return
    session.machine ??= new Int32Array(this.place.length)
    session.machine.set(this.place)
    session.isParked = true
    this.atWork = undefined
  }

  private find(): Int32Array {
    const { border, name } = this
    border.requireReady('tokenweir')
    const exports = border.exports as unknown as Readonly<Record<string, Call>>
    const exported = (what: string) => exports[`${name}_${what}`] as Call
    this.start = exported('start')
    this.run = border.instance.unguarded[`${name}_run`] as Call
    this.finish = exported('finish')
    this.answer = exported('answer')
    this.isInCall = exported('is_in_call')
    this.giveUp = exported('give_up')
    this.settle = exported('settle')
    this.pass = exports[`${name}_pass`]
    this.save = exported('save')
    this.load = exported('load')
    return (this.place = border.words(exported('pointer')(), exported('size')()))
  }
}

/** One stream's machine. */
export class Session {
  static get saved(): SavedClass {
    return { isMachine: true }
  }
  /** Room for it while another is at work, once another was. */
  machine: Int32Array | undefined
  /** Whether it is there, and neither at work nor at the start of a stream. */
  isParked = false
  readonly border: Border<BorderExports>

  /**
   * `start` makes the machine at work one at the start of this session's stream, if that takes more than a call;
   * `loadTable` loads the table that the
   * machine reads by, if it isn't loaded.
   */
  constructor(
    private readonly kind: MachineKind,
    readonly start?: () => void,
    readonly loadTable?: () => void,
  ) {
    this.border = kind.border
  }

  /** Makes this machine the one at work. */
  claim(): void {
    if (this.kind.atWork !== this) this.kind.claim(this)
  }

  /** Reads `text` from `from` to `to`, after `pending` units that were read before. Returns `Packed` bits. */
  run(text: string, from: number, to: number, pending: number): number {
    const { kind, border } = this
    if (kind.atWork !== this) kind.claim(this)
    const { instance } = border
    instance.requireWhole()
    const length = border.write(text, from, to)
    try {
      return kind.run(length, pending, length === to - from ? 1 : 0)
    } catch (cause) {
      throw instance.fail(cause)
    }
  }

  /** The end of the stream, after `pending` units that are not decided. Returns as `run` does. */
  finish(pending: number): number {
    this.claim()
    return this.kind.finish(pending)
  }

  /** Answers the question of the last call. */
  answer(answer: number, detail?: Uint8Array): void {
    this.claim()
    if (detail !== undefined) this.border.input.set(detail)
    this.kind.answer(answer, detail?.length ?? 0)
  }

  /** Whether a call has begun that is not decided yet. */
  isInCall(): boolean {
    this.claim()
    return this.kind.isInCall() !== 0
  }

  /** Gives up that call, which has `pending` pending units. Returns as `run` does. */
  giveUp(pending: number): number {
    this.claim()
    return this.kind.giveUp(pending)
  }

  /** A run of text has ended after `pending` units outside of a call. Returns as `run` does. */
  settle(pending: number): number {
    this.claim()
    return this.kind.settle(pending)
  }

  /** So many units were emitted without being read. */
  pass(units: number): void {
    this.claim()
    this.kind.pass?.(units)
  }

  /** The machine's state as text, in Base64; empty at the start of a stream. */
  save(): string {
    if (this.kind.atWork !== this && !this.isParked) return ''
    this.claim()
    const { input } = this.border
    return btoa(String.fromCharCode(...input.subarray(0, this.kind.save())))
  }

  /** Takes a state that was saved. False if the text stands for none: then the machine is at the start of a stream. */
  load(text: string): boolean {
    this.reset()
    if (text === '') return true
    let bytes
    try {
      bytes = atob(text)
    } catch {
      return false
    }
    const { input } = this.border
    if (bytes.length > input.length) return false
    // First, since the start of a stream may take the input too.
    this.claim()
    input.set(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    if (this.kind.load(bytes.length) !== 0) return true
    this.reset()
    return false
  }

  /** Puts the machine back to the start of a stream. */
  reset(): void {
    if (this.kind.atWork === this) this.kind.atWork = undefined
    this.isParked = false
  }
}

/** The question that a call ended with; 0 if none. */
export function askOf(packed: number): number {
  return (packed >>> Packed.AskShift) & Packed.AskMask
}

/** What may be done with the next chunk without a call. */
export function modeOf(packed: number): number {
  return (packed >>> Packed.ModeShift) & Packed.ModeMask
}

/** The machine's own bits. */
export function flagsOf(packed: number): number {
  return packed >>> Packed.FlagsShift
}
