// Sees the memory of each WebAssembly instance that is made from now on.

/** Gives `bytes()`: how much all of them have. */
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
