// The voice of examples/chapterx-tts.mjs: the sentences, their timing, and the interruption.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { visibleText } from 'tokenweir/blocks'
import { converse, NATIVE, ROLEPLAY, sentences, stopSequences, visibleNative } from '../../../examples/chapterx-tts.mjs'
import { everyCut } from '../support/cuts.mjs'
import { run } from './running.mjs'

async function spoken(texts, options) {
  const all = []
  for await (const sentence of sentences(texts, options)) all.push(sentence)
  return all
}

async function* later(texts) {
  yield* texts
}

test('the output: sentences before the pauses, nothing hidden, and nothing after the interruption', () => {
  const { status, stdout, stderr } = run('chapterx-tts.mjs')
  assert.deepEqual([status, stderr], [0, ''])
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    'native events:',
    'speak:  Good morning!',
    'speak:  I look at the weather.',
    'stop sequences:',
    'speak:  Sure.',
    'speak:  I ask both.',
    'speak:  Alice is here.',
    'prefill:',
    '        (the model thinks)',
    'speak:  Hi!',
    '        (and goes on)',
    'speak:  I will ask Dr. Frost, e.g. by mail.',
    '        (a tool runs)',
    'speak:  One moment, please.',
    '        (and goes on)',
    'speak:  It is 5 < 7 degrees!',
    'speak:  Take a coat, a hat and a scarf.',
    'speak:  And gloves.',
    'speak:  And boots.',
    'listener: Stop, please!',
    '        (the model was stopped)',
  ])
})

describe('sentences', () => {
  for (const [text, expected] of [
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['It costs 3.50, or 4.', ['It costs 3.50, or 4.']],
    ['Dr. Frost asks Mrs. J. R. Hill. "Why?" he says.', ['Dr. Frost asks Mrs. J. R. Hill.', '"Why?"', 'he says.']],
    ['Fruit, e.g. Apples, at 5 p.m. Then we go.', ['Fruit, e.g. Apples, at 5 p.m. Then we go.']],
    ['Das geht, z. B. Montag. Ja.', ['Das geht, z. B. Montag.', 'Ja.']],
    ['寒いです。コートを着て。', ['寒いです。', 'コートを着て。']],
    ['A list:\n- one\n- two\n', ['A list:', '- one', '- two']],
    ['Sanct. Ur. Then.', ['Sanct.', 'Ur.', 'Then.']],
    [' \n', []],
    ['', []],
  ]) {
    test(JSON.stringify(text), async () => {
      for (const [cut, chunks] of everyCut(text)) assert.deepEqual(await spoken(later(chunks), { pause: 5_000 }), expected, cut)
    })
  }

  test('one that continues is not split by a pause', async () => {
    async function* texts() {
      yield 'One. And two'
      await wait(60)
      yield ' and Dr.'
      await wait(60)
      yield ' Frost.'
      await wait(60)
      yield ' Three.'
    }
    assert.deepEqual(await spoken(texts(), { pause: 20 }), ['One.', 'And two and Dr. Frost.', 'Three.'])
  })

  test('a complete one does not wait for the text after a silence', { timeout: 10_000 }, async () => {
    let hear
    const heard = new Promise((resolve) => (hear = resolve))
    async function* texts() {
      yield 'One moment, please.'
      await heard
      yield ' Thanks.'
    }
    const all = []
    for await (const sentence of sentences(texts(), { pause: 20 })) {
      all.push(sentence)
      hear()
    }
    assert.deepEqual(all, ['One moment, please.', 'Thanks.'])
  })

  test('each is yielded before the next text arrives', async () => {
    const log = []
    async function* texts() {
      for (const text of ['One. T', 'wo. Th', 'ree.']) {
        log.push(text)
        yield text
        await wait(10)
      }
    }
    for await (const sentence of sentences(texts())) log.push(`speak ${sentence}`)
    assert.deepEqual(log, ['One. T', 'speak One.', 'wo. Th', 'speak Two.', 'ree.', 'speak Three.'])
  })

  test('an error of the source is thrown after the complete sentences', async () => {
    const heard = []
    async function* texts() {
      yield 'One. Two'
      throw new Error('the line is dead')
    }
    await assert.rejects(async () => {
      for await (const sentence of sentences(texts())) {
        heard.push(sentence)
        await wait(20)
      }
    }, /the line is dead/)
    assert.deepEqual(heard, ['One.'])
  })

  test('leaving the loop stops the source', async () => {
    let isStopped = false
    async function* texts() {
      try {
        yield 'One. Two. Three.'
        yield ' Four.'
      } finally {
        isStopped = true
      }
    }
    for await (const _ of sentences(texts())) break
    await wait(0)
    assert.ok(isStopped)
  })
})

test('thoughts, tools and what follows a stop sequence are not spoken, however a reply is cut', async () => {
  const character = (event) => {
    const [name, text] = Object.entries(event.delta ?? {}).find(([name]) => name !== 'type') ?? []
    return name ? [...text].map((one) => ({ ...event, delta: { ...event.delta, [name]: one } })) : [event]
  }
  assert.deepEqual(await spoken(visibleNative(later(NATIVE.flatMap(character))), { pause: 5_000 }), ['Good morning!', 'I look at the weather.'])
  assert.deepEqual(await spoken(visibleText([...ROLEPLAY.join('')], { stopSequences }), { pause: 5_000 }), ['Sure.', 'I ask both.', 'Alice is here.'])
})

describe('converse', () => {
  test('an interruption in the middle of a silent model takes effect immediately', async () => {
    const listener = new AbortController()
    let isStopped = false
    async function* model(signal) {
      try {
        yield 'One. Two'
        await wait(60_000, undefined, { signal })
      } finally {
        isStopped = true
      }
    }
    const start = performance.now()
    setTimeout(() => listener.abort(), 50)
    await converse(model, async () => {}, listener.signal)
    assert.ok(performance.now() - start < 20_000)
    assert.ok(isStopped)
  })

  test('an error without an interruption is thrown', async () => {
    async function* model() {
      yield 'One. Two'
      throw new Error('the model is gone')
    }
    await assert.rejects(converse(model, async () => {}, new AbortController().signal), /the model is gone/)
    await assert.rejects(converse(() => later(['One.']), () => Promise.reject(new Error('no voice')), new AbortController().signal), /no voice/)
  })
})
