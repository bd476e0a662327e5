// What the benchmark of blocks compares before it measures, with short texts: the parsers emit the same events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as blocks from 'tokenweir/blocks'
import * as membrane from 'tokenweir/membrane'
import { coalesce, contestants } from '../../bench/contestants.mjs'
import { KINDS, corpus, cut } from '../../bench/corpus.mjs'

for (const kind of KINDS) {
  test(`the contestants emit the same events: ${kind}`, () => {
    const all = contestants({ ...blocks, ...membrane })
    const text = corpus(kind, 16_000, 7)
    for (const contract of ['blocks', 'membrane']) {
      const [first, ...others] = all.filter((one) => one.contract === contract)
      const expected = coalesce(first.collect([text]))
      for (const size of [1, 16, text.length]) {
        for (const other of [first, ...others]) assert.deepEqual(coalesce(other.collect(cut(text, size))), expected, `${other.name}, chunks of ${size}`)
      }
    }
  })
}
