// The same for blocks only, with the small wasm.
import { frequent, text } from '../generated/blocks-text.js'
import { startAtImport, startBlocks } from '../wasm/start.js'
import { blockBorder } from '../wasm/block-border.js'
import { bytesOf } from './text.js'

startAtImport(() => blockBorder.isReady || startBlocks(bytesOf(text, frequent)))
