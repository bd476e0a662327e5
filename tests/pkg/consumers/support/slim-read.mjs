// A program that passes the .wasm file to `tokenweir/slim`.
import { readWasm } from '../../scenario/read-wasm.mjs'
import { runSlimSync } from '../../scenario/slim.mjs'

export const run = () => runSlimSync(readWasm())
