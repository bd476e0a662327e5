import { NativeBlocks, readReply } from 'tokenweir/reply'
import { replyScenario } from '../scenario.mjs'

export const run = () => replyScenario({ NativeBlocks, readReply })
