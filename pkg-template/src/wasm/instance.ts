// Makes an instance of the WebAssembly, or says why there is none. An instance
// that has failed is not called again: what it holds may be wrong, and the cells
// in it that were in use stay so.

import { ParseError, describe } from '../errors.js'

/** An instance, until it fails. */
export class Instance<Exports> {
  /** What it exports; each function refuses once one has failed. */
  readonly exports: Exports
  /** How many parsers are in the middle of telling what the records say. */
  telling = 0
  /** Why nothing is read any more. */
  failure: ParseError | undefined

  constructor(given: Exports) {
    const exports: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given as object)) exports[name] = typeof value === 'function' ? this.guarded(value as Call) : value
    this.exports = exports as Exports
  }

  private guarded(call: Call): Call {
    // Numbers alone cross, at most four; those that a function doesn't take are passed over.
    return (a, b, c, d) => {
      this.requireWhole()
      try {
        return call(a, b, c, d)
      } catch (cause) {
        throw this.fail(cause)
      }
    }
  }

  /** Refuses what would go on behind a failure. */
  requireWhole(): void {
    if (this.failure !== undefined) throw this.failure
  }

  /** From now on all is refused. */
  fail(cause: unknown): ParseError {
    const reason = cause instanceof Error ? cause.message : describe(cause)
    return (this.failure ??= new ParseError(
      'engine-failed',
      `the WebAssembly of tokenweir failed (${reason}), which is a bug in tokenweir: please report it with the text that was read. No parser reads on, as what they hold may be wrong: load tokenweir anew, in a new process, worker or page`,
      { cause },
    ))
  }
}

type Call = (a: number, b: number, c: number, d: number) => number

/** Makes an instance. */
export function instantiate<Exports>(source: BufferSource | WebAssembly.Module): Instance<Exports> {
  if (typeof WebAssembly === 'undefined') {
    throw new ParseError('no-webassembly', "this runtime has no WebAssembly, which tokenweir needs. Every browser since 2017, Node, Deno, Bun and the edge runtimes have it; Node's --jitless and Lockdown Mode on Apple's devices turn it off")
  }
  try {
    const module = isModule(source) ? source : new WebAssembly.Module(source)
    return new Instance(new WebAssembly.Instance(module).exports as Exports)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : describe(cause)
    throw new ParseError(
      'webassembly-refused',
      `the WebAssembly was refused: ${reason}. Under a Content-Security-Policy allow it by script-src 'wasm-unsafe-eval'; a runtime that compiles no bytes takes a compiled module, by initSync of tokenweir/slim; browsers from before 2023 lack its SIMD instructions`,
      { cause },
    )
  }
}

/** Whether a value is a compiled module, of this realm or of another (an edge runtime's sandbox, an iframe). */
export function isModule(value: unknown): value is WebAssembly.Module {
  return kindOf(value) === 'WebAssembly.Module'
}

/** What a value says that it is, in any realm. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}
