// A stream of blocks with its tool calls, and how tools declare their parameters: nothing else of blocks reads schemas,
// or JSON with repairs.

import { Declarations } from '../schema/declared-type.js'
import { CallWriter } from './call.js'
import type { Making } from './emitter.js'
import type { ReadingOptions } from './options.js'
import { BlockReading } from './reading.js'

/** Makes one, by the option `tools`. @throws TypeError that names the tool, if one is malformed. */
export function typedReading(options: ReadingOptions, making: Making = {}, place = 'BlockParser'): BlockReading {
  return new BlockReading(options, { ...making, ...withCalls(options, place) })
}

/** What it is made of. */
export function withCalls({ tools }: ReadingOptions, place = 'BlockParser'): Making {
  const declarations = tools === undefined ? undefined : new Declarations(`${place}: tools`, tools)
  return { calls: (host) => new CallWriter(host), declarations }
}
