// How a protocol is read: a row of data.

/** What the machine has to know of a protocol. */
export interface ProtocolSpec {
  /** What the payload is written in, for messages. */
  readonly kind: 'JSON' | 'XML'
  /** The tags around a call; empty where the tools' own names are the tags. */
  readonly start: string
  readonly end: string
  /** Whether, in Morph, a tool's name may stand on a line of its own. */
  readonly lines: boolean
}
