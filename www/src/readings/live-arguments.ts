// The arguments of a call while their JSON text is written: the package's own
// parser of fields reads it.

import { type JsonValue, StreamingJSONParser } from 'tokenweir/fields'

export class LiveArguments {
  private readonly fields = new StreamingJSONParser()

  add(piece: string): void {
    this.fields.parseChunk(piece)
  }

  end(): void {
    this.fields.finalize()
  }

  /** As far as it was read; it grows. */
  get value(): JsonValue | undefined {
    return this.fields.data
  }
}
