// Runs tests under Miri, which executes Rust step by step and stops at whatever
// is undefined. The crate has no `unsafe` of its own; what is left to look at is
// what the border relies on (tests/border says more), and that what the
// libraries do with our texts is sound. Miri is a thousand times slower, so the
// other tests are those that are short.
//
//     npm run miri
import { env } from 'node:process'
import { setupOrExit } from '../pkg-template/setup.mjs'
import { run } from './steps.mjs'

/** Test programs, and which of their tests. */
const TESTS = [
  ['--test', 'border'],
  // Those in src/ that are short.
  ['--lib', '--', 'block::op', 'segment::op', 'segment::word', 'segment::header', 'json::follow', 'json::op', 'xml::entity', 'text::pending', 'text::stretch'],
]

setupOrExit({ miri: true })
for (const test of TESTS) {
  run('cargo', ['+nightly', 'miri', 'test', ...test], { env: { ...env, THIN: '1000', MIRIFLAGS: '-Zmiri-disable-isolation' } })
}
