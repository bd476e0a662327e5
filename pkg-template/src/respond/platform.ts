// The platform's classes that only answers have, by the types that the program's compiler has.

import type { Readable } from '../platform.js'

/** `Response`. */
export type PlatformResponse = typeof globalThis extends { Response: { prototype: infer Instance } }
  ? Instance
  : BareResponse

/** What `Headers` are made of. */
export type HeadersSource = typeof globalThis extends { Headers: new (init?: infer Init) => unknown }
  ? Init
  : Readonly<Record<string, string>>

interface BareResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: Readable<Uint8Array> | null
  json(): Promise<unknown>
  text(): Promise<string>
}
