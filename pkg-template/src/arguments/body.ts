// What reads the arguments of one call, besides JSON: one class for each way to write them.

import { FormatAnswer } from '../generated/ops.js'
import type { BodyRecords } from '../generated/format-records.js'
import type { Attributes, XmlFault, XmlHandler } from '../xml/decoder.js'
import type { Repair } from './repairs.js'

/** The ways to write arguments. `json`: nothing else. */
export type BodyKind = 'json' | 'params' | 'elements' | 'tree' | 'text'

/** A call whose arguments are JSON: it has nothing of what its subclasses read. */
export class CallBody implements BodyRecords, XmlHandler {
  /** What was wrong last. */
  error: string | undefined
  /** What was repaired. */
  readonly fixes = new Set<Repair>()
  /** Whether nothing of the call may come out. */
  isUnsafe = false

  constructor(readonly kind: BodyKind = 'json') {}

  /** The names of the arguments that came. */
  get given(): readonly string[] {
    return []
  }

  named(_isNameless: boolean, _isElement: boolean): void {}
  open(_name: string, _attributes: Attributes | undefined, _at: number): void {}
  typed(_type: string, _isFlag: boolean): void {}
  text(_piece: string): void {}
  close(): void {}
  abandon(): void {}
  fault(_fault: XmlFault): void {}
  next(_name: string, _isParam: boolean): void {}

  cdata(piece: string): void {
    this.text(piece)
  }

  /** Whether the marker or the tag that was read last ends the value. */
  ends(): number {
    return FormatAnswer.Reject
  }

  /** What the element is whose tag was read last. */
  element(): number {
    return FormatAnswer.Accept
  }

  /** Whether the argument that was read last is one. */
  member(): number {
    return FormatAnswer.Accept
  }

  /** Whether a body that is no elements may be one text. */
  mayBeText(): number {
    return FormatAnswer.Malformed
  }

  /** All arguments came: what is wrong with them, if something is. */
  whole(): string | undefined {
    return undefined
  }

  /** The arguments came as JSON, whose text this is: they are written here if it gives others. */
  takeJson(): string | undefined {
    return undefined
  }

  /** Writes what is left. Gives why the call is dropped, if it is. */
  finish(): string | undefined {
    return undefined
  }
}
