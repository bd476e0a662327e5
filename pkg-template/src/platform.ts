// The platform's classes, by the types that the program's compiler has: those of the browser or of Node.
// A program that has neither compiles too: there a class is what is used of it.

/** A global class's instance, or `Else` where the compiler knows no such class. */
type Platform<Name extends string, Else> = typeof globalThis extends {
  [Key in Name]: { prototype: infer Instance }
}
  ? Instance
  : Else

/** `AbortSignal`. */
export type Signal = Platform<'AbortSignal', BareSignal>

type ReadableClass = typeof globalThis extends { ReadableStream: infer Class } ? Class : BareReadableClass
type TransformClass = typeof globalThis extends { TransformStream: infer Class } ? Class : BareTransformClass

declare const ReadableBase: ReadableClass
/** `ReadableStream`. A conditional type would not be generic; a class that adds nothing is. */
export declare class Readable<Chunk> extends ReadableBase<Chunk> {}

/**
 * `TransformStream`, to be extended. It is looked up when the first is made, not when a class extends it: Node takes
 * 3 ms to load its streams.
 */
export const TransformBase = LateTransform as unknown as TransformClass

function LateTransform(transformer: object): object {
  const { prototype } = LateTransform
  if (!(prototype instanceof TransformStream)) Object.setPrototypeOf(prototype, TransformStream.prototype)
  return Reflect.construct(TransformStream, [transformer], new.target as unknown as typeof TransformStream) as object
}
/** `TransformStream`, as a type. */
export declare class Transform<In, Out> extends TransformBase<In, Out> {}

interface BareSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

interface BareReadable<Chunk> {
  readonly locked: boolean
  cancel(reason?: unknown): Promise<void>
  getReader(): BareReader<Chunk>
  pipeThrough<Out>(transform: {
    readonly readable: BareReadable<Out>
    readonly writable: BareWritable<Chunk>
  }): BareReadable<Out>
  pipeTo(destination: BareWritable<Chunk>): Promise<void>
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk>
}

interface BareReader<Chunk> {
  read(): Promise<{ done: false; value: Chunk } | { done: true; value?: Chunk | undefined }>
  cancel(reason?: unknown): Promise<void>
  releaseLock(): void
}

interface BareWritable<Chunk> {
  readonly locked: boolean
  abort(reason?: unknown): Promise<void>
  close(): Promise<void>
  getWriter(): BareWriter<Chunk>
}

interface BareWriter<Chunk> {
  write(chunk: Chunk): Promise<void>
  close(): Promise<void>
  abort(reason?: unknown): Promise<void>
  releaseLock(): void
}

interface BareReadableClass {
  new <Chunk>(source?: object): BareReadable<Chunk>
}

interface BareTransformClass {
  new <In, Out>(transformer?: object): { readonly readable: BareReadable<Out>; readonly writable: BareWritable<In> }
}

/** A variable's value. */
export function environmentVariable(name: string): string | undefined {
  try {
    const value = (globalThis as { process?: { env?: Readonly<Record<string, unknown>> } }).process?.env?.[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    // Deno asks for permission to read the environment, and throws if it is refused.
    return undefined
  }
}

let made: TextEncoder | undefined

/** Makes UTF-8 of texts. */
export function encoder(): TextEncoder {
  return (made ??= new TextEncoder())
}
