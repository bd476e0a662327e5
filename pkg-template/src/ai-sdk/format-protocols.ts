// The protocols of wire formats, by the names of `@ai-sdk-tool/parser`, and their system prompt.

import { describe } from '../errors.js'
import { writableFormat } from '../formats/writable.js'
import type { Format, AnyFormat } from '../formats/types.js'
import { peerProtocol, protocolFor } from '../tool-calls/format-protocol.js'
import type { ProtocolOptions, ToolCallProtocol } from '../tool-calls/types.js'
import { instructions, writtenOf } from '../formats/prompt.js'
import type { FormatId } from '../generated/format-ids.js'

export const YAML_XML = 'yaml-xml'

/**
 * Makes the protocol of Qwen3-Coder's calls, with the repairs of `@ai-sdk-tool/parser`:
 * `protocolFor('qwen3-coder-peer')`.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { parseToolCalls, qwen3CoderProtocol } from 'tokenweir/ai-sdk'
 *
 * const text = '<tool_call>\n<function=now>\n</function>\n</tool_call>'
 * console.log(parseToolCalls(text, { protocol: qwen3CoderProtocol(), tools: [] }).map(({ type }) => type))
 * // → [ 'tool-call' ]
 * ```
 */
export function qwen3CoderProtocol(options?: ProtocolOptions): Required<ToolCallProtocol> {
  return peerProtocol('qwen3CoderProtocol', 'qwen3-coder-peer', options)
}

/**
 * Makes the protocol of UI-TARS, which writes calls as Qwen3-Coder does: `protocolFor('ui-tars')`.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { parseToolCalls, uiTarsXmlProtocol } from 'tokenweir/ai-sdk'
 *
 * const text = '<tool_call>\n<function=now>\n</function>\n</tool_call>'
 * console.log(parseToolCalls(text, { protocol: uiTarsXmlProtocol(), tools: [] }).map(({ type }) => type))
 * // → [ 'tool-call' ]
 * ```
 */
export function uiTarsXmlProtocol(options?: ProtocolOptions): Required<ToolCallProtocol> {
  return peerProtocol('uiTarsXmlProtocol', 'ui-tars', options)
}

/**
 * Makes the protocol of K-EXAONE 2, which writes calls as Qwen3-Coder does: `protocolFor('k-exaone')`.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { kExaone2Protocol, parseToolCalls } from 'tokenweir/ai-sdk'
 *
 * const text = '<tool_call>\n<function=now>\n</function>\n</tool_call>'
 * console.log(parseToolCalls(text, { protocol: kExaone2Protocol(), tools: [] }).map(({ type }) => type))
 * // → [ 'tool-call' ]
 * ```
 */
export function kExaone2Protocol(options?: ProtocolOptions): Required<ToolCallProtocol> {
  return peerProtocol('kExaone2Protocol', 'k-exaone', options)
}

/**
 * Options of `yamlXmlProtocol`.
 *
 * @example
 * ```ts
 * import { type YamlXmlProtocolOptions, yamlXmlProtocol } from 'tokenweir/ai-sdk'
 * import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const options: YamlXmlProtocolOptions = { withYaml, fences: 'text' }
 * console.log(yamlXmlProtocol(options).formatToolCall({ toolName: 'now', input: { zone: 'UTC' } }))
 * ```
 * ```text
 * <now>
 * zone: UTC
 * </now>
 * ```
 */
export interface YamlXmlProtocolOptions extends ProtocolOptions {
  /** `withYaml` of `tokenweir/ai-sdk-tool-parser`: only who imports it has a reader of YAML in a bundle. */
  readonly withYaml: (format: Format) => Format
}

/**
 * Makes the protocol of calls that are elements with YAML in them: `protocolFor(withYaml(format))` of the format
 * `yaml-xml`.
 *
 * @throws TypeError without `withYaml`, and for an unknown option.
 * @example
 * ```ts
 * import { parseToolCalls, yamlXmlProtocol } from 'tokenweir/ai-sdk'
 * import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const [call] = parseToolCalls('<now>\nzone: UTC\n</now>', {
 *   protocol: yamlXmlProtocol({ withYaml }),
 *   tools: [{ name: 'now' }],
 * })
 * console.log(call?.type === 'tool-call' && call.input) // {"zone":"UTC"}
 * ```
 */
export function yamlXmlProtocol(options: YamlXmlProtocolOptions): Required<ToolCallProtocol> {
  const { withYaml, ...others } = (options ?? {}) as Partial<YamlXmlProtocolOptions>
  if (typeof withYaml !== 'function')
    throw new TypeError(
      'yamlXmlProtocol needs { withYaml } of tokenweir/ai-sdk-tool-parser, which reads YAML, but withYaml is ' +
        describe(withYaml),
    )
  return protocolFor(withYaml(writableFormat('yamlXmlProtocol', YAML_XML)), others)
}

/** Writes a prompt that shows how a call looks in a format; of several, in the first. */
export function systemPromptTemplateFor(format: FormatId | Format | AnyFormat): (tools: string) => string {
  const written = writtenOf('createToolMiddleware', format)
  return (tools) => instructions(written, tools)
}
