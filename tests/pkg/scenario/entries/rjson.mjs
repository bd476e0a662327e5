import { parse, stringify } from 'tokenweir/rjson'
import { jsonScenario } from '../scenario.mjs'

export const run = () => jsonScenario({ parse, stringify })
