// The protocols that are built in, each with the row that it is.
import * as sdk from 'tokenweir/ai-sdk'
import { ToolCallParser, hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'
import { TOOLS } from '../tools.mjs'
import rows, { opened, readParts } from './rows.mjs'

const PROTOCOLS = [
  ['hermesProtocol', hermesProtocol, 'hermes'],
  ['morphXmlProtocol', morphXmlProtocol, 'morph-xml'],
  ['qwen3CoderProtocol', sdk.qwen3CoderProtocol, 'qwen3-coder'],
  ['kExaone2Protocol', sdk.kExaone2Protocol, 'k-exaone'],
  ['uiTarsXmlProtocol', sdk.uiTarsXmlProtocol, undefined],
]

export default PROTOCOLS.flatMap(([name, protocol, id]) => {
  const row = rows.find((door) => door.name === `row ${id}`)
  if (row === undefined) return []
  const read = (pieces, { tools = TOOLS, options, end } = {}) => readParts((callbacks) => new ToolCallParser({ protocol: protocol(), tools, options: { ...options, ...callbacks } }), pieces, end)
  const open = ({ tools = TOOLS, options } = {}) => opened(new ToolCallParser({ protocol: protocol(), tools, options }))
  return [{ ...row, name, family: 'protocols', rowDoor: row, protocol, read, open, whole: undefined }]
})
