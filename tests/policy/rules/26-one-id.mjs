// A call that comes again by its id: the same again, and with other arguments.
const ONCE = [['f', { p: 1 }], ['g', { p: 2 }]]

export default {
  rule: 26,
  title: 'One id, one call',
  *ask({ write }) {
    if (write.twice === undefined) return
    yield { name: 'the same', input: write.twice('{"p":1}'), expected: { calls: ONCE, refused: [], dropped: [] } }
    yield { name: 'the same, written otherwise', input: write.twice('{ "p" : 1 }'), expected: { calls: ONCE, refused: [], dropped: [] } }
    yield { name: 'other arguments', input: write.twice('{"p":3}'), expected: { calls: ONCE, dropped: ['repeated-id'] } }
  },
  atLeast: 30,
}
