// What the machines of segments have of their own: src/wasm/segment.rs.

import { Absent } from '../generated/ops.js'
import { LONGEST_STRETCH } from './border.js'
import { segmentBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const segments = new MachineKind(segmentBorder, 'segment')
const calls = new MachineKind(segmentBorder, 'call')
const elements = new MachineKind(segmentBorder, 'elements')

/** How a machine of segments begins. */
export interface SegmentStart {
  /** `SegmentFlag` bits. */
  readonly flags: number
  /** How JSON tools begin, by the numbers of `SegmentProfile`, or `Absent`. */
  readonly profile: number
  /** More ways how they do. */
  readonly signatures: readonly string[]
}

/** The machine of a stream of segments. */
export function segmentSession({ flags, profile, signatures }: SegmentStart): Session {
  return new Session(segments, () => {
    segmentBorder.exports.segment_start(flags, profile)
    for (const signature of signatures) addSignature(signature)
  })
}

/** Whether a text can be a signature of a tool that is JSON. */
export function isSignature(signature: string): boolean {
  segmentSession({ flags: 0, profile: Absent.SegmentProfile, signatures: [] }).claim()
  return addSignature(signature)
}

function addSignature(signature: string): boolean {
  return (
    signature.length <= LONGEST_STRETCH &&
    segmentBorder.exports.segment_signature(segmentBorder.write(signature, 0, signature.length)) !== 0
  )
}

/** The machine of an API call's arguments that asks for the strings with these names, at most two. */
export function callSession([first = '', second = '']: readonly string[]): Session {
  return new Session(calls, () => {
    const length = segmentBorder.write(first, 0, first.length)
    const both = first + second
    segmentBorder.exports.call_start(length, segmentBorder.write(both, 0, both.length) - length)
  })
}

/** The machine of the elements in a tool's arguments. */
export function elementSession(): Session {
  return new Session(elements)
}
