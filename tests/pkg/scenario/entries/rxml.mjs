import { parse, stringify } from 'tokenweir/rxml'
import { xmlScenario } from '../scenario.mjs'

export const run = () => xmlScenario({ parse, stringify })
