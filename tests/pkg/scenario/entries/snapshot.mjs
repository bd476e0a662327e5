import { BlockParser } from 'tokenweir/blocks'
import 'tokenweir/snapshot'
import { snapshotScenario } from '../scenario.mjs'

export const run = () => snapshotScenario({ BlockParser })
