// Runs test files in the order in which they are given, as many at a time as there are cores. `node --test` sorts them by
// name, so that a long one may start last and run alone, and leaves one core free, which is half of a small machine.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import process, { argv, stdout } from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

run({ files: argv.slice(2).map((file) => resolve(file)), concurrency: availableParallelism() })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(new spec())
  .pipe(stdout)
