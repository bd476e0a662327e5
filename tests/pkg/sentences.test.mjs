// `sentences` and `SentenceStream`: what ends a sentence, whatever the chunks are, in linear time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { SentenceStream, sentences } from 'tokenweir'
import { all, counted } from './support/sources.mjs'

const found = (source, options) => all(sentences(source, { locale: 'en', ...options }))

const CASES = [
  ['One. Two? Three! Four', ['One. ', 'Two? ', 'Three! ', 'Four']],
  ['He said “Really?” Then he left.', ['He said “Really?” ', 'Then he left.']],
  ['Dr. Smith and Mrs. J. R. Jones left. No.', ['Dr. Smith and Mrs. J. R. Jones left. ', 'No.']],
  ['See e.g. this, i.e. that. In the U.S. Army, 3.14 is 3.14. Really.', ['See e.g. this, i.e. that. ', 'In the U.S. Army, 3.14 is 3.14. ', 'Really.']],
  ['See https://a.b/?q=c. Bye (J. Doe).', ['See https://a.b/?q=c. ', 'Bye (J. Doe).']],
  ['So do I. Then no. 5 came, at 5. 3 were there.', ['So do I. ', 'Then no. 5 came, at 5. 3 were there.']],
  ['1. First.\n2. Second one. More\n\n- Third.', ['1. First.\n', '2. Second one. ', 'More\n', '\n- Third.']],
  ['Wait... what? Yes…', ['Wait... what? ', 'Yes…']],
  ['你好。世界很大！“好吗？”好', ['你好。', '世界很大！', '“好吗？”好'], 'zh'],
  ['これは文です。次の「文。」です。はい', ['これは文です。', '次の「文。」です。', 'はい'], 'ja'],
  ['Das ist z.B. gut. Und Hr. Meier kam.', ['Das ist z.B. gut. ', 'Und Hr. Meier kam.'], 'de'],
  ['¿Qué? ¡Hola! Sí.', ['¿Qué? ', '¡Hola! ', 'Sí.'], 'es'],
  ['Good 😀. Better 👨‍👩‍👧! Best 🇪🇺?', ['Good 😀. ', 'Better 👨‍👩‍👧! ', 'Best 🇪🇺?']],
  ['Call `a. Bc(); C?` now. `x. Y` is it. ``a ` b. Cd``! Done.', ['Call `a. Bc(); C?` now. ', '`x. Y` is it. ', '``a ` b. Cd``! ', 'Done.']],
  ['A lone ` is text. Be\nCe. De', ['A lone ` is text. ', 'Be\n', 'Ce. ', 'De']],
  ['Do this:\n```js\nrun. It()\n\n// A. B\n```\nIt ran. Well.', ['Do this:\n', '```js\nrun. It()\n\n// A. B\n```\n', 'It ran. ', 'Well.']],
  ['~~~~\nAh. B\n~~~\n```\nCo. D\n~~~~\nEl. F', ['~~~~\nAh. B\n~~~\n```\nCo. D\n~~~~\n', 'El. ', 'F']],
  ['~~No. Yes~~ or. Not', ['~~No. ', 'Yes~~ or. ', 'Not']],
  ['See https://a.b/C.D?E=1!Fg. Go to www.A.com/?B now. (See ftp://x.y/Zz.) So.', ['See https://a.b/C.D?E=1!Fg. ', 'Go to www.A.com/?B now. ', '(See ftp://x.y/Zz.) ', 'So.']],
  ['见https://a.b/c?d。好', ['见https://a.b/c?d。', '好'], 'zh'],
  ['Line one\r\nLine two.\r\n', ['Line one\r\n', 'Line two.\r\n']],
  ['她说：“走。”“好！”他说。（注。）完。', ['她说：“走。”', '“好！”他说。', '（注。）', '完。'], 'zh'],
  ['Er sagte: „Ja.“ Dann „Nein!“, rief er. Gut.', ['Er sagte: „Ja.“ ', 'Dann „Nein!“, rief er. ', 'Gut.'], 'de'],
  ['**One. Two.** Three? “**Go!**” _No?_ *So.* e.g.** this. End', ['**One. ', 'Two.** ', 'Three? ', '“**Go!**” ', '_No?_ ', '*So.* e.g.** this. ', 'End']],
  ['好。**重要。**再见。**走。** 来', ['好。', '**重要。**', '再见。', '**走。** ', '来'], 'zh'],
  ['<a b="1.5 A. B"/>Hi!<c/> You. <d e="1.05"/><f>Yes.</f> E.g. <i>So</i>. Done.', ['<a b="1.5 A. B"/>Hi!', '<c/> You. ', '<d e="1.05"/><f>Yes.</f> ', 'E.g. <i>So</i>. ', 'Done.']],
  ['No <a tag. Here. I <3 you. Ab < cd. Ef\nD', ['No <a tag. ', 'Here. ', 'I <3 you. ', 'Ab < cd. ', 'Ef\n', 'D']],
  ['Use List<String> now. See <https://a.b/c.D>. Bye. <e/>', ['Use List<String> now. ', 'See <https://a.b/c.D>. ', 'Bye. <e/>']],
  ['Sgt. Bell, **Gen. Lee** and “Capt. Roe” met in 1990. Then 2. Go', ['Sgt. Bell, **Gen. Lee** and “Capt. Roe” met in 1990. ', 'Then 2. ', 'Go']],
  ['Do this: 1. Mix. Stir. 2. Bake 3. Eat.', ['Do this: ', '1. Mix. ', 'Stir. ', '2. Bake ', '3. Eat.']],
  ['  \n \n', []],
  ['', []],
]

for (const [text, expected, locale = 'en'] of CASES) {
  test(`${JSON.stringify(text)}, whole and cut everywhere`, async () => {
    assert.deepEqual(await found(text, { locale }), expected)
    for (let at = 0; at <= text.length; at++) assert.deepEqual(await found([text.slice(0, at), '', text.slice(at)], { locale }), expected, `at ${at}`)
    assert.deepEqual(await found(text.split(''), { locale }), expected)
  })
}

test('each comes as soon as nothing can change it', async () => {
  const pieces = []
  async function* source() {
    for (const character of 'Hi! No 5? e.g. it. `A`. B\nC') {
      pieces.push(character)
      yield character
    }
  }
  const seen = []
  for await (const sentence of sentences(source(), { locale: 'en' })) seen.push([sentence, pieces.join('')])
  assert.deepEqual(seen, [
    ['Hi! ', 'Hi! N'],
    ['No 5? ', 'Hi! No 5? e'],
    ['e.g. it. ', 'Hi! No 5? e.g. it. `A'],
    ['`A`. ', 'Hi! No 5? e.g. it. `A`. B'],
    ['B\n', 'Hi! No 5? e.g. it. `A`. B\n'],
    ['C', 'Hi! No 5? e.g. it. `A`. B\nC'],
  ])
})

test('random texts: the same whatever the chunks are, and nothing is lost', async () => {
  const part = fc.constantFrom('a', 'B', 'Dr', '.', '. ', '? ', '!', '…', '。', '好', '`', '```', '\n', '\r\n', '~~~', ' ', '3', '😀', '\u0301', '\ud83d', 'https://', 'www.', '"', ')', '(', 'I', 'e.g.', '**', '<b', '</', '>', '<b c="1.5"/>', '“', '”', '1. ', '2. ', ' _')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 2, max: 60 }), async (parts, size, longest) => {
      const text = parts.join('')
      const whole = await found(text, { longest })
      assert.deepEqual(await found(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [], { longest }), whole)
      assert.ok(text.startsWith(whole.join('')))
      assert.equal(text.slice(whole.join('').length).trim(), '')
      for (const sentence of whole) assert.ok(sentence.length <= longest && sentence.length > 0)
      if (!/\ud83d(?!\ude00)/.test(text)) for (const sentence of whole) assert.ok(!/[\ud800-\udbff]$/.test(sentence), 'no half characters')
    }),
    { numRuns: 500 },
  )
})

describe('longest', () => {
  test('a sentence that gets longer comes in pieces, at white space', async () => {
    assert.deepEqual(await found('The quick brown fox jumps. Yes.', { longest: 12 }), ['The quick ', 'brown fox ', 'jumps. ', 'Yes.'])
    assert.deepEqual(await found('ok, antidisestablishment', { longest: 8 }), ['ok, ', 'antidise', 'stablish', 'ment'])
    assert.deepEqual(await found('😀😀😀😀', { longest: 3 }), ['😀', '😀', '😀', '😀'])
    assert.deepEqual(await found('`a. b c. d e. f`', { longest: 6 }), ['`a. b ', 'c. d ', 'e. f`'])
    assert.deepEqual(await found('没有空格的很长的句子', { longest: 4 }), ['没有空格', '的很长的', '句子'])
  })

  test('by default of 4,096', async () => {
    assert.deepEqual((await found('a'.repeat(10_000))).map(({ length }) => length), [4096, 4096, 1808])
  })
})

test('a text without an end takes linear time', async () => {
  const { Segmenter } = Intl
  const taken = async (text) => {
    let steps = 0
    Intl.Segmenter = class {
      #segmenter = new Segmenter('en', { granularity: 'sentence' })
      segment(text) {
        steps += text.length
        return this.#segmenter.segment(text)
      }
    }
    try {
      await found(text, { longest: Infinity })
    } finally {
      Intl.Segmenter = Segmenter
    }
    return steps
  }
  for (const part of ['a', 'a ', '.', '. ', '1. ', 'Dr. ', '`', '`` ` ', '? 1', '😀', '没有', '"', '\n1.', 'https://a?b', '```\n', 'e.g. a', ') . ', '<a>', '<a', '<a b="1.5"/> ', '.** ', 'Dr.** ', '1. A ', '“', '。“好']) {
    const [less, more] = [await taken(part.repeat(2_000)), await taken(part.repeat(4_000))]
    assert.ok(more <= less * 2.2 + 1_000, `${JSON.stringify(part)}: ${less} units, then ${more}`)
    assert.ok(more <= 4_000 * part.length * 80, `${JSON.stringify(part)}: ${more} units`)
  }
})

describe('sources', () => {
  test('a string, an iterable, an async iterable and a stream, which leaving the loop stops', async () => {
    const { stream, seen } = counted(['One. T', 'wo. Three'])
    assert.deepEqual(await found(stream), ['One. ', 'Two. ', 'Three'])
    assert.equal(seen.cancelled ?? false, false)
    const other = counted(['One. T', 'wo. Three', ' more'])
    for await (const sentence of sentences(other.stream, { locale: 'en' })) if (sentence === 'One. ') break
    assert.ok(other.seen.cancelled)
  })

  test('what is pending comes before an error of the source', async () => {
    const seen = []
    async function* broken() {
      yield 'One. Tw'
      throw new Error('line down')
    }
    await assert.rejects(async () => {
      for await (const sentence of sentences(broken(), { locale: 'en' })) seen.push(sentence)
    }, /line down/)
    assert.deepEqual(seen, ['One. ', 'Tw'])
  })

  test('SentenceStream gives the same', async () => {
    for (const [text, expected, locale = 'en'] of CASES) {
      const source = ReadableStream.from(text.split(''))
      assert.deepEqual(await all(source.pipeThrough(new SentenceStream({ locale }))), expected)
    }
  })

  test('anything else is refused', async () => {
    for (const [source, what] of [[5, 'Number'], [undefined, 'Undefined'], [new Response('Hi.'), 'Response'], [Promise.resolve('Hi.'), 'Promise']]) {
      const message = `sentences takes a string or a stream of strings, not [object ${what}]: use sentences(visibleText(response))`
      assert.throws(() => sentences(source), { name: 'TypeError', message })
    }
    assert.throws(() => sentences('', { longest: 1 }), { name: 'TypeError', message: 'longest must be a number from 2, not 1' })
    assert.throws(() => new SentenceStream({ longest: '5 MB' }), TypeError)
    assert.throws(() => sentences('', { locale: 'no such language' }), RangeError)
    await assert.rejects(found([5]), { name: 'TypeError', message: 'sentences are read from strings, not from a number' })
  })

  test('a runtime without Intl.Segmenter is named', () => {
    const { Segmenter } = Intl
    try {
      delete Intl.Segmenter
      const message = 'sentences need Intl.Segmenter, which this runtime lacks (Firefox has it from 125 on)'
      assert.throws(() => sentences(''), { name: 'TypeError', message })
      assert.throws(() => new SentenceStream(), { name: 'TypeError', message })
    } finally {
      Intl.Segmenter = Segmenter
    }
  })
})
