// A wire format as a protocol: read by the machine, written by the format's rules.

import type { FormatId } from '../generated/format-ids.js'
import { writtenOf } from '../formats/prompt.js'
import { writableFormat } from '../formats/writable.js'
import { readableFormats, requireReadable, withThinking } from '../formats/readable.js'
import type { AnyFormat, Format } from '../formats/types.js'
import { type WrittenCall, describeTools, writeCalls, writeResults } from '../formats/write.js'
import { formatBorder } from '../wasm/borders.js'
import { formatReading } from './format-reading.js'
import { PROTOCOL_OPTIONS, checkCallOptions } from './options.js'
import { builtInProtocol } from './protocols.js'
import { setTurnWriters } from './turns.js'
import type { FormattedCall, FormattedResult, ProtocolOptions, ToolCallProtocol } from './types.js'
import { needsYaml } from '../arguments/yaml-reader.js'

/**
 * Makes the protocol of a wire format: what `createToolMiddleware`, `toolCallStream` and `parseToolCalls` take. Of
 * several formats (`anyOf`) all are read, and calls and results are written by the first.
 *
 * @throws TypeError for an unknown format, one in YAML without `withYaml` of `tokenweir/ai-sdk-tool-parser`, and an
 *   unknown option.
 * @example
 * ```ts
 * import { parseToolCalls, protocolFor } from 'tokenweir/ai-sdk'
 *
 * const protocol = protocolFor('qwen3-coder')
 * const call = protocol.formatToolCall({ toolName: 'now', input: '{}' })
 * console.log(parseToolCalls(call, { protocol, tools: [] }).map(({ type }) => type)) // [ 'tool-call' ]
 * ```
 */
export function protocolFor(
  format: FormatId | Format | AnyFormat,
  options: ProtocolOptions = {},
): Required<ToolCallProtocol> {
  checkCallOptions('protocolFor', options, PROTOCOL_OPTIONS)
  const formats = readableFormats('protocolFor', format)
  // The package's own are known to be readable, so a protocol of one is made without compiling anything.
  if (typeof format !== 'string') {
    formatBorder.requireReady('protocolFor')
    requireReadable('protocolFor', formats)
  }
  const yaml = formats.find(needsYaml)
  if (yaml !== undefined)
    throw new TypeError(
      `protocolFor: the calls of ${JSON.stringify(yaml.id)} are YAML, ` +
        'which withYaml of tokenweir/ai-sdk-tool-parser reads: protocolFor(withYaml(format))',
    )
  return protocolOf(formats, () => writtenOf('protocolFor', format), options)
}

/**
 * The protocol of a format of the package as its peer reads it: whatever argument comes again is a list of its values.
 */
export function peerProtocol(place: string, id: string, options: ProtocolOptions = {}): Required<ToolCallProtocol> {
  checkCallOptions(place, options, PROTOCOL_OPTIONS)
  const formats = readableFormats(place, id).map((format) => ({
    ...format,
    params: { ...format.params, duplicate: 'list' as const },
  }))
  return protocolOf(formats, () => writableFormat(place, id), options)
}

function protocolOf(
  formats: readonly Format[],
  written: () => Format,
  options: ProtocolOptions,
): Required<ToolCallProtocol> {
  const protocol = builtInProtocol(formatReading(withThinking(formats), undefined), options, {
    formatTools: ({ tools, toolSystemPromptTemplate }) =>
      toolSystemPromptTemplate(describeTools(tools, { format: written() })),
    formatToolCall: (call) => writeCalls([writtenCall(call)], { format: written() }),
    formatToolResponse: (result) => writeResults([result], { format: written() }),
  })
  setTurnWriters(
    protocol,
    { write: (calls, first, text) => callsOfTurn(written(), calls, first, text) },
    { write: (results, first) => resultsOfTurn(written(), results, first) },
  )
  return protocol
}

/** The calls of a turn after its text. A text that the format can't mark as such stands before them as it is. */
function callsOfTurn(format: Format, calls: readonly FormattedCall[], first: number, said = ''): string {
  const options = { format, firstIndex: firstIndexOf(format, first) }
  const { before = '' } = format.write ?? {}
  // The text of a reply ends in what stands before its calls.
  const text = before !== '' && said.endsWith(before) ? said.slice(0, -before.length) : said
  if (canWriteText(format, text)) return writeCalls(calls.map(writtenCall), { ...options, text })
  return `${said}\n${writeCalls(calls.map(writtenCall), options)}`
}

/** Whether a format has a way to write a text before calls, and a reader would not end it. */
function canWriteText({ write, messages }: Format, text: string): boolean {
  return (
    text === '' ||
    messages === undefined ||
    (write?.text !== undefined &&
      ![...(messages.open ?? []), ...(messages.close ?? [])].some((marker) => text.includes(marker)))
  )
}

/**
 * The results of a turn. Where a format doesn't join them, each is a turn of its own in the model's template: here a
 * line.
 */
function resultsOfTurn(format: Format, results: readonly FormattedResult[], first: number): string {
  const { resultJoin, results: around } = format.write ?? {}
  if (resultJoin !== undefined || around !== undefined)
    return writeResults(results, { format, firstIndex: firstIndexOf(format, first) })
  return results
    .map((result, at) => writeResults([result], { format, firstIndex: firstIndexOf(format, first + at) }))
    .join('\n')
}

function firstIndexOf({ write }: Format, first: number): number {
  return (write?.firstIndex ?? 0) + first
}

function writtenCall({ toolName, input, toolCallId }: FormattedCall): WrittenCall {
  return { toolName, input, ...(toolCallId === undefined ? {} : { toolCallId }) }
}
