/** The parser's WebAssembly, for runtimes and bundlers that import it as a module; elsewhere use its URL or bytes. */
declare const module: WebAssembly.Module
export default module
