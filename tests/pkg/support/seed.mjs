// Loaded before the test files. Stack traces are short, as tests of cut texts make errors by the hundred thousand. With SEED in the environment, fast-check's random texts are the same in each run.
import { env } from 'node:process'

Error.stackTraceLimit = 4

if (env.SEED) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ seed: Number(env.SEED) })
}
