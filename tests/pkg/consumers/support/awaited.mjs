// What the package doesn't do yet: the tests that wait for it are run, and may fail until it does.

/** Bundlers leave out what starts the WebAssembly: `sideEffects` must name the entries. */
export const START_IS_KEPT = { todo: 'sideEffects of the package names no entry' }

/** Where bytes are not compiled, the host must compile the .wasm file. */
export const EDGE_CONDITION = { todo: 'the package has no condition edge-light' }

/** One sentence that says what to allow, when WebAssembly is missing or blocked. */
export const HELPFUL_ERROR = { todo: 'the package throws what the browser throws' }
