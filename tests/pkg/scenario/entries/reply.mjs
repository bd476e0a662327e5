import { NativeBlocks } from 'tokenweir/reply'
import { replyScenario } from '../scenario.mjs'

export const run = () => replyScenario({ NativeBlocks })
