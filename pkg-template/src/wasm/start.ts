// Puts the borders on an instance.

import type { Exports as BlockExports } from '../generated/blocks.js'
import type { Exports } from '../generated/tokenweir.js'
import { ParseError } from '../errors.js'
import { blockBorder } from './block-border.js'
import { engine } from './engine.js'
import { instantiate } from './instance.js'

type Source = BufferSource | WebAssembly.Module

/** Makes all parsers ready, by tokenweir.wasm. Blocks stay where they are if they are ready. */
export function startAll(source: Source): void {
  const instance = instantiate<Exports>(source)
  engine.attach(instance)
  blockBorder.attach(instance)
}

/** Makes blocks ready, by blocks.wasm. */
export function startBlocks(source: Source): void {
  if (!blockBorder.isReady) blockBorder.attach(instantiate<BlockExports>(source))
}

/** Starts at import. What goes wrong is reported by the first parser that is made, where a program can catch it. */
export function startAtImport(start: () => void): void {
  try {
    start()
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    engine.trouble ??= error
    blockBorder.trouble ??= error
  }
}
