// The white space of hidden markup is hidden too, in `visibleText` and in the text of `readReply`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReply, visibleText } from 'tokenweir'
import { random } from './support/cuts.mjs'

const CALL = '<invoke name="x"><parameter name="a">1</parameter></invoke>'
const CASES = [
  ['', ''],
  ['Hello', 'Hello'],
  [' \n Hello \n', ' Hello \n'],
  ['    code\n    more', '    code\n    more'],
  ['\n\n  - a', '  - a'],
  ['  <think>hm</think>  code', 'code'],
  ['<think>hm</think>\n\nHello', 'Hello'],
  ['\n<think>hm</think>\n\n', ''],
  ['I look.\n\n<think>hm</think>\n\nIt rains.', 'I look.\n\nIt rains.'],
  [`I look.\n${CALL}\nIt rains.`, 'I look.\n\nIt rains.'],
  [`I look.\n${CALL}It rains.`, 'I look.\nIt rains.'],
  [`I look.${CALL}\r\n\r\n\r\nIt rains.`, 'I look.\n\nIt rains.'],
  ['It <think>hm</think> rains', 'It rains'],
  ['It<think>hm</think> rains', 'It rains'],
  ['It \t<think>hm</think>rains', 'It \trains'],
  ['It<think>hm</think>rains', 'Itrains'],
  [`Yes.\n\n${CALL}`, 'Yes.'],
  [`Yes.\n\n${CALL} \n <think>hm</think>\n`, 'Yes.'],
  [`a\n\n${CALL}\n\n<think>hm</think>\n\nb`, 'a\n\nb'],
  ['- a\n<think>hm</think>\n  - b', '- a\n\n  - b'],
  ['a  \n\n\n  b\n', 'a  \n\n\n  b\n'],
  ['a <b>\n\n`<think>`', 'a <b>\n\n`<think>`'],
]

const openai = (content) => ({ choices: [{ index: 0, delta: { content } }] })
async function shown(chunks, options) {
  const texts = []
  for await (const text of visibleText(chunks, options)) texts.push(text)
  assert.ok(texts.every((text) => text !== ''))
  return texts.join('')
}

test('the same at every cut, from text and from events, live and in the result', async () => {
  for (const [text, expected] of CASES)
    for (let at = 0; at <= text.length; at++) {
      const chunks = [text.slice(0, at), text.slice(at)]
      const what = JSON.stringify(chunks)
      assert.equal(await shown(chunks), expected, what)
      assert.equal(await shown(chunks.map(openai)), expected, what)
      assert.equal((await readReply(chunks, { transport: 'text' }).result()).text, expected, what)
      assert.equal((await readReply(chunks.map(openai)).result()).text, expected, what)
    }
})

test('random texts: only white space differs, no blank line is at the start, at most one blank line is at markup', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const next = random(seed)
  const parts = ['a', ' ', '\n', '\n\n', '\t', '\r\n', '  ', '<think>h m\n</think>', CALL, 'b c', '`<think>`']
  for (let round = 0; round < 400; round++) {
    const text = Array.from({ length: next(12) }, () => parts[next(parts.length)]).join('')
    const cuts = Array.from({ length: 3 }, () => next(text.length + 1)).sort((one, other) => one - other)
    const chunks = [0, ...cuts].map((from, at) => text.slice(from, cuts[at] ?? text.length))
    const what = `SEED=${seed} ${JSON.stringify(chunks)}`
    const whole = await shown([text])
    assert.equal(await shown(chunks), whole, what)
    assert.equal((await readReply(text, { transport: 'text' }).result()).text, whole, what)
    const all = await shown([text], { trimMarkup: false })
    assert.equal(whole.replace(/\s+/g, ''), all.replace(/\s+/g, ''), what)
    assert.ok(!/^\s*[\r\n]/.test(whole), what)
    if (!text.includes('<')) assert.equal(whole, all.trim() === '' ? '' : all.replace(/^\s*[\r\n]/, ''), what)
  }
})

test('events have all white space, and so has the text without it', async () => {
  const text = 'a\n\n<think>hm</think>\n\nb\n'
  let seen = ''
  const reply = readReply(text)
  for await (const { kind, text, meta } of reply) if (kind === 'content' && meta.visible) seen += text
  assert.equal(seen, 'a\n\n\n\nb\n')
  assert.equal((await readReply(text, { trimMarkup: false }).result()).text, seen)
  assert.equal(await shown([text], { trimMarkup: false }), seen)
  await assert.rejects(async () => readReply('', { trimMarkup: 'no' }), /trimMarkup must be true or false/)
})

test('text that turns out to be thinking takes its white space with it', async () => {
  for (const text of ['So, hm.\n</think>\n\nHello', 'So.</think>Hello']) {
    const { text: said, thinking } = await readReply(text, { unopenedThinking: 'report' }).result()
    assert.deepEqual([said, thinking], ['Hello', text.slice(0, text.indexOf('</'))])
  }
})

test('at most 4,096 units of white space are pending', async () => {
  const seen = []
  const chunk = ' '.repeat(1_000)
  async function* source() {
    yield 'a'
    for (let at = 0; at < 10; at++) {
      yield chunk
      seen.push(texts.length)
    }
    yield 'b'
  }
  const texts = []
  for await (const text of visibleText(source())) texts.push(text)
  assert.equal(texts.join(''), `a${chunk.repeat(10)}b`)
  assert.deepEqual(seen.map((count) => count > 1), [false, false, false, false, true, true, true, true, true, true])
  // After hidden markup it is decided that there will be a blank line at most.
  assert.equal(await shown(['a', '<think>hm</think>', ...Array.from({ length: 10 }, () => '\n'.repeat(1_000)), '  b']), 'a\n\n  b')
})

test('custom tags: hidden ones leave no hole, visible ones keep all white space', async () => {
  const tags = { secret: { type: 'secret' }, cite: { type: 'cite', visible: true } }
  for (const [text, expected] of [
    ['a\n\n<secret>x</secret>\n\nb', 'a\n\nb'],
    ['a\n\n<secret/>\n\nb\n<secret/>', 'a\n\nb'],
    ['a\n\n<cite>x</cite>\n\n\nb', 'a\n\nx\n\n\nb'],
    ['a <cite> x </cite> b', 'a  x  b'],
  ])
    for (let at = 0; at <= text.length; at++) {
      const chunks = [text.slice(0, at), text.slice(at)]
      assert.equal(await shown(chunks, { tags }), expected, JSON.stringify(chunks))
      assert.equal((await readReply(chunks.map(openai), { tags }).result()).text, expected, JSON.stringify(chunks))
    }
})
