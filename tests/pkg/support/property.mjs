// fast-check, with the seed of the run, and with as many random texts as it is to try.
import { env } from 'node:process'
import * as real from 'fast-check'
import { thinned } from './cuts.mjs'

if (env.SEED) real.configureGlobal({ seed: Number(env.SEED) })

/** Tries fewer in a sample. */
const assert = (property, { numRuns = 100, ...parameters } = {}) => real.assert(property, { ...parameters, numRuns: thinned(numRuns) })

export default { ...real, assert }
