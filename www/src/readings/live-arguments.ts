// The arguments of a call as their JSON text is written, parsed by the package's
// field parser.

import { type JsonValue, StreamingJSONParser } from 'tokenweir/fields'

export class LiveArguments {
  private readonly fields = new StreamingJSONParser()

  add(piece: string): void {
    this.fields.parseChunk(piece)
  }

  end(): void {
    this.fields.finalize()
  }

  /** The arguments so far. */
  get value(): JsonValue | undefined {
    return this.fields.data
  }
}
