// Makes an instance of the WebAssembly, or says why there is none.

import { ParseError, describe } from '../errors.js'
import { Instance } from './guard.js'

/** Makes an instance. */
export function instantiate<Exports>(source: BufferSource | WebAssembly.Module): Instance<Exports> {
  if (typeof WebAssembly === 'undefined') {
    throw new ParseError(
      'no-webassembly',
      'this runtime has no WebAssembly, which tokenweir needs. Every browser since 2017, Node, Deno, Bun and ' +
        "the edge runtimes have it; Node's --jitless and Lockdown Mode on Apple's devices turn it off",
    )
  }
  try {
    const module = isModule(source) ? source : new WebAssembly.Module(source)
    return new Instance(new WebAssembly.Instance(module).exports as Exports)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : describe(cause)
    throw new ParseError(
      'webassembly-refused',
      `the WebAssembly of tokenweir was refused: ${reason}. Under a Content-Security-Policy allow it by script-src ` +
        `'wasm-unsafe-eval'; browsers from before 2023 lack its SIMD instructions`,
      { cause },
    )
  }
}

/** Whether a value is a compiled module, of this realm or of another (an edge runtime's sandbox, an iframe). */
export function isModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]'
}
