// The program of a page that reads replies from its own server.
import * as blocks from 'tokenweir/blocks'
import { replyScenario } from '../../scenario/reply.mjs'
import { report } from './report.mjs'

report(() => replyScenario(blocks, location.origin))
