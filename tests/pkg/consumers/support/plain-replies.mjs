// The program of a page that reads replies from its own server.
import * as tokenweir from 'tokenweir'
import { replyScenario } from '../../scenario/reply.mjs'
import { report } from './report.mjs'

report(() => replyScenario(tokenweir, location.origin))
