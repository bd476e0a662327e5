// The scenarios of each entry of the package.
import { coercionScenario, fieldScenario, jsonScenario, mainScenario, membraneScenario, replyScenario, scenario, segmentScenario, snapshotScenario, toolCallScenario, xmlScenario } from './scenario.mjs'

/** By the entry's public name. */
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
}
