// The .wasm file with esbuild's loader `binary`: bytes.
import bytes from 'tokenweir/tokenweir.wasm'
import { runSlimSync } from '../../scenario/slim.mjs'

export const run = () => runSlimSync(bytes)
