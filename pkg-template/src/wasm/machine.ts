// The machines of one instance, and the sessions that use them.
//
// All machines have the same wire (src/wasm/machine.rs): `start`, then `run` for
// each stretch of text, `answer` for each question, `finish` for the end. The
// machine at work lies in one place in wasm memory; to claim the place puts
// a session's machine there and takes the last one's away. So a parser is a plain
// object with nothing to free.

import { Packed } from '../generated/ops.js'
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
  /** Whether a call has begun that is not decided yet. */
  declare isInCall: Call
  /** Gives up that call, which has so many pending units. Returns as `run` does. */
  declare giveUp: Call
  /** A run of text has ended, after so many pending units outside of a call. Returns as `run` does. */
  declare settle: Call
  /** So many units were emitted without being read. */
  declare pass: Call | undefined

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
    const call = (what: string) => this.exported(what) as Call
    this.start = call('start')
    this.run = border.instance.unguarded[`${name}_run`] as Call
    this.finish = call('finish')
    this.answer = call('answer')
    this.isInCall = call('is_in_call')
    this.giveUp = call('give_up')
    this.settle = call('settle')
    this.pass = this.exported('pass')
    return (this.place = border.words(call('pointer')(), call('size')()))
  }

  /** One of its exports, if it has it. */
  exported(what: string): Call | undefined {
    return (this.border.exports as unknown as Readonly<Record<string, Call | undefined>>)[`${this.name}_${what}`]
  }
}

/** One stream's machine. */
export class Session {
  /** Room for it while another is at work, once another was. */
  machine: Int32Array | undefined
  /** Whether it is there, and neither at work nor at the start of a stream. */
  isParked = false
  readonly border: Border<BorderExports>

  /**
   * `start` makes the machine at work one at the start of this session's stream, if that takes more than a call;
   * `loadTable` loads the table that the machine reads by, if it isn't loaded.
   */
  constructor(
    readonly kind: MachineKind,
    readonly start?: () => void,
    readonly loadTable?: () => void,
  ) {
    this.border = kind.border
  }

  /** Makes this machine the one at work; gives its calls. */
  claim(): MachineKind {
    const { kind } = this
    if (kind.atWork !== this) kind.claim(this)
    return kind
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

  /** The end of the stream, or where it was cut off, after `pending` undecided units. Returns as `run` does. */
  finish(pending: number, isCutOff: boolean): number {
    return this.claim().finish(pending, isCutOff ? 1 : 0)
  }

  /** Answers the question of the last call. */
  answer(answer: number, detail?: Uint8Array): void {
    const kind = this.claim()
    if (detail !== undefined) this.border.input.set(detail)
    kind.answer(answer, detail?.length ?? 0)
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
