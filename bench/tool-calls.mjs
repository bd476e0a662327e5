/**
 * Speed of the tool-call parser's protocols, compared with those of @ai-sdk-tool/parser (tool-race.mjs).
 *
 *     npm run build && node bench/tool-calls.mjs [--quick] [--only hermes,rows,4] [--json file] [--md]
 */

import { loadPackage } from './contestants.mjs'
import { fail } from './measure.mjs'
import { identity, ours, peer } from './tool-contestants.mjs'
import { race, readRaceOptions } from './tool-race.mjs'

const PROTOCOLS = ['hermes', 'morph']

const args = readRaceOptions('tool-calls.mjs', PROTOCOLS)
const pkg = args.peers ? undefined : await loadPackage('tool-calls')
if (pkg !== undefined && pkg.hermesProtocol === undefined) fail('The built package is older than its tool calls: run `npm run build` first.')
const own = pkg === undefined ? [] : ours(pkg.ToolCallParser, { hermes: { protocol: pkg.hermesProtocol() }, morph: { protocol: pkg.morphXmlProtocol() } })
await race({ title: 'Tool calls', args, protocols: PROTOCOLS, own, all: [identity(), ...own, await peer()] })
