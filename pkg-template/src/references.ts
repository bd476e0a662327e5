// Character references in an attribute's value, which Rust reads.

import { TreeBits, TreeOp } from './generated/ops.js'
import { type Decoder, Reader } from './reader.js'
import { type MachineKind, Session } from './wasm/machine.js'

/**
 * A value with its references decoded, by the machine of one of the instances. May be called while records are passed
 * on.
 */
export function decodeReferences(machine: MachineKind, value: string): string {
  if (!value.includes('&')) return value
  const decoded = new Decoded()
  new Reader(new Session(machine), decoded).readText(value)
  return decoded.text
}

class Decoded implements Decoder {
  readonly modes = []
  text = ''

  record(word: number, from: number, to: number, text: Reader): void {
    this.text +=
      (word & TreeBits.OpMask) === TreeOp.Character
        ? String.fromCodePoint(word >>> TreeBits.CharacterCodeShift)
        : text.slice(from, to)
  }
}
