import * as membrane from 'tokenweir/membrane'
import { membraneScenario } from '../scenario.mjs'

export const run = () => membraneScenario(membrane)
