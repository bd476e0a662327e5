// The scenarios of each entry of the package.
import { coercionScenario, fieldScenario, jsonScenario, mainScenario, membraneScenario, replyScenario, scenario, segmentScenario, snapshotScenario, toolCallScenario, xmlScenario } from './scenario.mjs'

/** All of them, for entries that export everything. Returns the number of checks. */
export async function everything(tokenweir) {
  const { coerceBySchema, RJSON, RXML } = tokenweir
  return (
    (await scenario(tokenweir)) +
    (await replyScenario(tokenweir)) +
    (await fieldScenario(tokenweir)) +
    (await segmentScenario(tokenweir)) +
    (await toolCallScenario(tokenweir)) +
    jsonScenario(RJSON) +
    xmlScenario(RXML) +
    coercionScenario({ coerceBySchema })
  )
}

/** By the entry's public name. `tokenweir/slim` must have been initialised. */
export const byEntry = {
  tokenweir: mainScenario,
  'tokenweir/blocks': scenario,
  'tokenweir/reply': replyScenario,
  'tokenweir/membrane': membraneScenario,
  'tokenweir/fields': fieldScenario,
  'tokenweir/segments': segmentScenario,
  'tokenweir/tool-calls': toolCallScenario,
  'tokenweir/snapshot': snapshotScenario,
  'tokenweir/ai-sdk': toolCallScenario,
  'tokenweir/rjson': jsonScenario,
  'tokenweir/rxml': xmlScenario,
  'tokenweir/schema-coerce': coercionScenario,
  'tokenweir/slim': everything,
}
