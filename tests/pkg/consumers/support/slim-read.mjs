// A program that brings the .wasm file to `tokenweir/slim` alone.
import { readWasm } from '../../scenario/read-wasm.mjs'
import { runSlimSync } from '../../scenario/slim.mjs'

export const run = () => runSlimSync(readWasm())
