// What takes only some of the records of blocks.

import type { OwnRecords } from '../generated/block-records.js'
import { Declared } from '../generated/ops.js'
import type { BlockHandler } from './decoder.js'

/** Ignores all records; its heirs take some of them. */
export class IgnoredBlocks implements BlockHandler {
  /** Elements are no custom tags. */
  declare readonly own: OwnRecords
  started(_kind: number, _depth: number, _isInsideThinking: boolean, _from: number, _to: number): void {}
  content(_text: string, _from: number, _to: number): void {}
  completed(_isIncomplete: boolean, _isError: boolean, _from: number, _to: number, _isMalformed?: boolean): void {}
  input(_piece: string, _from: number, _to: number, _isJson?: boolean): void {}
  inputEnd(_isEmpty: boolean, _from: number): void {}
  named(_name: string | undefined, _from: number, _to: number): void {}
  answers(_id: string): void {}
  parameter(_key: string, _from: number, _to: number): void {}
  stray(_text: string, _from: number, _to: number): void {}
  tag(_name: string, _role: number, _isCloser: boolean, _isEmpty: boolean): void {}
  markup(_text: string, _isLayout: boolean, _from: number, _to: number): void {}
  unopened(_from: number): void {}
  payload(_isOpen: boolean, _at: number): void {}
  attribute(_value: string): void {}
  settle(): void {}
  declared(_element: string | undefined, _isOpener: boolean): number {
    return Declared.Unknown
  }
}
