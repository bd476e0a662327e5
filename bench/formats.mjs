/**
 * Speed of reading by a wire format, compared with the protocols of @ai-sdk-tool/parser for the same text (tool-race.mjs).
 *
 *     npm run build && node bench/formats.mjs [--quick] [--only qwen3-coder,rows,4] [--json file] [--md]
 */

import { loadPackage } from './contestants.mjs'
import { identity, ours, peer } from './tool-contestants.mjs'
import { race, readRaceOptions } from './tool-race.mjs'

/** The ids of the formats, by the names of the peer's protocols. */
const FORMATS = { hermes: 'hermes', morph: 'morph-xml', 'qwen3-coder': 'qwen3-coder', yaml: 'yaml-xml' }
const PROTOCOLS = Object.keys(FORMATS)

const args = readRaceOptions('formats.mjs', PROTOCOLS)
const own = args.peers ? [] : await contestants()
await race({ title: 'Formats', args, protocols: PROTOCOLS, own, all: [identity(), ...own, await peer()] })

async function contestants() {
  const [{ ToolCallParser }, { protocolFor }, { formats }, { withYaml }] = await Promise.all(['index', 'ai-sdk', 'formats', 'ai-sdk-tool-parser'].map(loadPackage))
  const sources = Object.entries(FORMATS).map(([name, id]) => {
    const format = withYaml(formats[id])
    return [name, { protocol: protocolFor(format), format }]
  })
  return ours(ToolCallParser, Object.fromEntries(sources))
}
