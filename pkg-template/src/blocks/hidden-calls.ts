// The tool calls of a stream whose text alone is shown: nobody gets their input, so it is not read.

import { Declared } from '../generated/ops.js'
import type { Calls } from './call.js'

/** Reads past tool calls. */
export class HiddenCalls implements Calls {
  readonly isOpen = false

  declared(): number {
    return Declared.Unknown
  }

  begin(): void {}

  show(): void {}

  parameter(): void {}

  add(): void {}

  addWhole(): void {}

  addJson(): void {}

  stray(): void {}

  endInput(): void {}

  endBody(): void {}

  settle(): void {}

  /** Its block is one of text that nobody sees. */
  whole(): undefined {
    return undefined
  }

  end(): [] {
    return []
  }

  reset(): void {}
}
