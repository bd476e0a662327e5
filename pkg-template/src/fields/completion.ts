// When a field is done: the two ways are boundary.ts and order.ts.

import type { Reader } from '../reader.js'
import type { Markup } from './markup.js'
import type { Node, Tree } from './tree.js'
import type { CompletionSource, JsonValue } from './types.js'

/** What is not a container. */
export type Scalar = string | number | bigint | boolean | null

/** The values of a document, and when each is done. Places count from the start of the stream. */
export interface Completion {
  readonly tree: Pick<Tree<Node>, 'root' | 'at' | 'leaf' | 'key'>
  /** The start of what may be another document. */
  start(): void
  push(isArray: boolean): void
  pop(): void
  /** Text of a string. */
  text(text: string, from: number, to: number): void
  /** A chunk that is all text of the open string, and ends with a whole character. */
  plain(text: string, from: number, to: number): void
  /** The last text of a string, which ends. */
  wholeText(text: string, from: number, to: number): void
  /** A number or a word, or with `isWhole` false what there is of it. */
  scalar(value: Scalar, from: number, to: number, isWhole: boolean): void
  /** What looked like a value can't be read on. */
  stumble?(): void
  /** A chunk was read; the text at hand is pending from `from` on. */
  settle(from: number, text: Reader): void
  /** What has not been emitted of the open value is emitted. */
  flush?(): void
  /** What is open is done, though the document may not be one. */
  close?(): void
  /** The values of the document that are not done, and the paths that are, though another value is there now. */
  notDone(): readonly Node[]
  readonly donePaths?: Iterable<string>
  /** Forgets the document, as another one follows. */
  leave?(): void
  /** The stream ends. `isSpare`: only now it is known that this is the document. */
  finish(isSpare: boolean): void
}

/** The events of fields. */
export interface FieldEvents {
  /** The root of the last document. */
  readonly document: Node | undefined
  /** Whether it was read to its closing bracket. */
  readonly isWhole: boolean
  /** Whether the stream is cut off where it ends. */
  readonly isCutOff: boolean
  /** With `spans`. */
  readonly markup: Markup | undefined
  /** A value has grown. */
  delta(node: Node, delta: JsonValue, from: number, to: number, isReplaced?: boolean): void
  /** A value is whole. */
  done(node: Node, completionSource: CompletionSource): void
}
