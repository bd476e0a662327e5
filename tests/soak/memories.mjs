// Tracks the memory of each WebAssembly instance created from now on.

/** Returns `bytes()`, their total size. */
export function watchMemories() {
  const memories = []
  const Original = WebAssembly.Instance
  WebAssembly.Instance = class extends Original {
    constructor(...given) {
      super(...given)
      memories.push(this.exports.memory)
    }
  }
  return { bytes: () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) }
}
