// The protocols that drop calls with unsafe names of arguments, as those of `@ai-sdk-tool/parser` do.

import { hermesWith, morphWith } from '../tool-calls/protocols.js'
import type { HermesProtocolOptions, MorphXmlProtocolOptions, ToolCallProtocol } from '../tool-calls/types.js'

const SAFE = ['drop-unsafe']

/**
 * `hermesProtocol` of `tokenweir/ai-sdk`, but a call is dropped, and `onError` hears of it, where a name at any depth
 * of its arguments is `__proto__`, `constructor` or `prototype`.
 *
 * @example
 * ```ts
 * import { hermesProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const text = '<tool_call>{"name": "stop", "arguments": {"constructor": 1}}</tool_call>'
 * console.log(hermesProtocol().parseGeneratedText({ text, tools: [] })) // []
 * ```
 */
export function hermesProtocol(options: HermesProtocolOptions = {}): Required<ToolCallProtocol> {
  return hermesWith(SAFE, options)
}

/**
 * `morphXmlProtocol` of `tokenweir/ai-sdk`, but it drops calls as `hermesProtocol` here does.
 *
 * @example
 * ```ts
 * import { morphXmlProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const text = '<stop><constructor>1</constructor></stop>'
 * console.log(morphXmlProtocol().parseGeneratedText({ text, tools: [{ name: 'stop' }] })) // []
 * ```
 */
export function morphXmlProtocol(options: MorphXmlProtocolOptions = {}): Required<ToolCallProtocol> {
  return morphWith(SAFE, options)
}

/**
 * Makes what `hermesProtocol` makes; its older name.
 *
 * @example
 * ```ts
 * import { jsonMixProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(jsonMixProtocol().parseGeneratedText({ text: 'Hello', tools: [] }).length) // 1
 * ```
 */
export const jsonMixProtocol = hermesProtocol
