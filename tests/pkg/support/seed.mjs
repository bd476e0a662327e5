// Loaded before the test files: with SEED in the environment, fast-check's random texts are the same in each run.
import { env } from 'node:process'

if (env.SEED) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ seed: Number(env.SEED) })
}
