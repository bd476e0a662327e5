/** The parser's WebAssembly, for runtimes and bundlers that import it as a module; elsewhere use its URL or bytes. */
declare const module: typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object
export default module
