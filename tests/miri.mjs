// Runs tests under Miri, which interprets Rust and stops at undefined behaviour.
// The crate has no `unsafe` of its own; Miri checks the assumptions of the
// JavaScript boundary (see tests/border), and that the libraries handle our texts
// soundly. Miri is a thousand times slower, so apart from that only short tests run.
//
//     npm run miri
import { env } from 'node:process'
import { setupOrExit } from '../pkg-template/setup.mjs'
import { run } from './steps.mjs'

/** Test programs, and the selected tests. */
const TESTS = [
  ['--test', 'border'],
  // The short tests in src/.
  ['--lib', '--', 'block::op', 'segment::op', 'segment::word', 'segment::header', 'json::follow', 'json::op', 'xml::entity', 'text::pending', 'text::stretch'],
]

setupOrExit({ miri: true })
for (const test of TESTS) {
  run('cargo', ['+nightly', 'miri', 'test', ...test], { env: { ...env, THIN: '1000', MIRIFLAGS: '-Zmiri-disable-isolation' } })
}
