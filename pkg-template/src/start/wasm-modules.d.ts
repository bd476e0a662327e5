// What edge runtimes and their bundlers make of a .wasm file: a compiled module.
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*.wasm?module' {
  const module: WebAssembly.Module
  export default module
}
