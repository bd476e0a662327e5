// A stream of blocks that knows how tools declare their parameters: nothing else of blocks reads schemas.

import { Declarations } from '../schema/declared-type.js'
import type { Making } from './emitter.js'
import type { BlockParserOptions } from './options.js'
import { BlockReading } from './reading.js'

/** Makes one, by the option `tools`. @throws TypeError that names the tool, if one is malformed. */
export function typedReading(options: BlockParserOptions, making: Making = {}): BlockReading {
  const { tools } = options
  const declarations = tools === undefined ? undefined : new Declarations('BlockParser: tools', tools)
  return new BlockReading(options, { ...making, declarations })
}
