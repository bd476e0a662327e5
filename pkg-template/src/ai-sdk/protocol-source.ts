// Protocols come as objects, or as functions that make them.

import { describe } from '../errors.js'
import type { ToolCallProtocol } from '../tool-calls/types.js'
import type { ProtocolSource } from './types.js'

/** The methods that each request needs. */
const METHODS = ['formatTools', 'formatToolCall', 'parseGeneratedText', 'createStreamParser'] as const

/**
 * Returns whether a protocol is given as a function, which makes one for each request.
 *
 * @example
 * ```ts
 * import { hermesProtocol } from 'tokenweir/ai-sdk'
 * import { isProtocolFactory } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(isProtocolFactory(hermesProtocol), isProtocolFactory(hermesProtocol())) // true false
 * ```
 */
export function isProtocolFactory(protocol: ProtocolSource): protocol is () => ToolCallProtocol {
  return typeof protocol === 'function'
}

/** The protocol of one request. `TypeError` if it is invalid. */
export function protocolOf(source: ProtocolSource): ToolCallProtocol {
  const protocol = isProtocolFactory(source) ? source() : source
  for (const method of METHODS) {
    if (typeof protocol?.[method] !== 'function')
      throw new TypeError(`A protocol has the method ${method}, but ${describe(protocol)} has none`)
  }
  return protocol
}
