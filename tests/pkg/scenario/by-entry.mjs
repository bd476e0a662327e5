// The scenarios of each entry of the package.
import { fieldScenario, mainScenario, membraneScenario, peerScenario, scenario, segmentScenario, toolCallScenario } from './scenario.mjs'

/** By the entry's public name. */
export const byEntry = {
  tokenweir: mainScenario,
  'tokenweir/blocks': scenario,
  'tokenweir/membrane': membraneScenario,
  'tokenweir/fields': fieldScenario,
  'tokenweir/segments': segmentScenario,
  'tokenweir/tool-calls': toolCallScenario,
  'tokenweir/ai-sdk': toolCallScenario,
  'tokenweir/ai-sdk-tool-parser': peerScenario,
}
