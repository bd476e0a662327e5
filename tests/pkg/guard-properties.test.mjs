// `TextGuard` against JavaScript's own regular expressions: random rules, texts and cuts. SEED=n tries others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TextGuard } from 'tokenweir/guard'
import { cutAt, random, thinned } from './support/cuts.mjs'

const SEED = Number(process.env.SEED ?? 1)
const LETTERS = 'aabbcA -\n'

/** Random choices. */
class Dice {
  constructor(seed) {
    this.next = random(seed * 7919 + 104_729)
    for (let warm = 0; warm < 8; warm++) this.next(2)
  }

  one(list) {
    return list[this.next(list.length)]
  }

  some(most, make) {
    return Array.from({ length: this.next(most + 1) }, make)
  }

  text(most) {
    return this.some(most, () => this.one(LETTERS)).join('')
  }
}

/** A random pattern of what rules may have. */
function pattern(dice, depth = 2) {
  const kind = dice.next(depth > 0 ? 14 : 8)
  if (kind < 5) return dice.one(['a', 'b', 'c', '-', ' '])
  if (kind < 6) return dice.one(['.', '[^]', '\\w', '\\s', '[ab]', '[^a]', '\\W', '\\n', '[b-c-]', '\\x61'])
  if (kind < 8) return dice.one(['\\b', '^', '$', '\\B', 'a', 'b', 'ab'])
  if (kind < 10) return pattern(dice, depth - 1) + pattern(dice, depth - 1)
  if (kind < 11) return `(?:${pattern(dice, depth - 1)}|${pattern(dice, depth - 1)})`
  if (kind < 12) return `(?:|${pattern(dice, depth - 1)})`
  return `(?:${pattern(dice, depth - 1)})${dice.one(['*', '+', '?', '{2}', '{1,2}', '{0,2}', '{2,}'])}${dice.one(['', '', '?'])}`
}

/** A random find: a string, or a pattern that doesn't match nothing at all. */
function find(dice) {
  if (dice.next(3) === 0) return Array.from({ length: 1 + dice.next(3) }, () => dice.one('abcA-')).join('')
  const source = pattern(dice) + pattern(dice)
  return new RegExp(source, ['', 'i', 'm', 's', 'g'].filter(() => dice.next(3) === 0).join(''))
}

const REPLACEMENTS = ['[x]', '[x]', '', '$&', 'ab', 'a', (match) => `<${match.length}>`, (match) => match]

/** Random options whose patterns are all taken. */
function guardFor(dice) {
  for (;;) {
    const options = {
      redact: dice.some(3, () => (dice.next(2) === 0 ? find(dice) : { find: find(dice), replace: dice.one(REPLACEMENTS) })),
      stop: dice.next(5) === 0 ? [find(dice)] : [],
    }
    try {
      new TextGuard(options)
      return options
    } catch (error) {
      assert.match(error.message, /must not match nothing at all/)
    }
  }
}

/** What replacing in the whole text makes of it: at each place the first rule that matches. */
function replaced(text, { redact = [], stop = [] }) {
  const rules = [...stop.map((find) => ({ find, isStop: true })), ...redact.map((rule) => (typeof rule === 'object' && 'find' in rule ? rule : { find: rule }))]
  const tries = rules.map(({ find, replace = '[redacted]', isStop }) => {
    const source = typeof find === 'string' ? find.replace(/[^\w]/g, '\\$&') : find.source
    return { pattern: new RegExp(source, `${(find.flags ?? '').replace('g', '')}y`), replace, isStop }
  })
  let out = ''
  for (let at = 0; at < text.length; ) {
    let match
    const rule = tries.find(({ pattern }) => {
      pattern.lastIndex = at
      return (match = pattern.exec(text)?.[0]) !== undefined
    })
    if (rule === undefined) out += text[at++]
    else if (rule.isStop) return { out, stopped: { reason: 'stop', text: match, offset: at } }
    else {
      out += typeof rule.replace === 'string' ? rule.replace : rule.replace(match)
      at += match.length
    }
  }
  return { out, stopped: undefined }
}

const told = (options) => JSON.stringify(options, (_, value) => (value instanceof RegExp ? String(value) : typeof value === 'function' ? String(value) : value))

/** Random cuts, unit by unit every third time. */
function cut(dice, text) {
  if (dice.next(3) === 0) return text.split('')
  return cutAt(text, dice.some(4, () => dice.next(text.length + 1)).sort((one, other) => one - other))
}

describe('random rules and texts', () => {
  test('however it is cut, the result is that of replacing in the whole text', () => {
    for (let round = 0; round < thinned(10_000); round++) {
      const seed = SEED * 1_000_000 + round
      const dice = new Dice(seed)
      const options = guardFor(dice)
      for (const text of [dice.text(12), dice.text(30)]) {
        const expected = replaced(text, options)
        const chunks = cut(dice, text)
        const guard = new TextGuard(options)
        const out = chunks.map((chunk) => guard.push(chunk)).join('') + guard.end()
        const what = `SEED=${SEED} round ${round}: ${told(options)} ${JSON.stringify(chunks)}`
        assert.equal(out, expected.out, what)
        assert.deepEqual(guard.stopped, expected.stopped, what)
        assert.equal(guard.pending, 0, what)
      }
    }
  })

  test('at every moment what is out is the beginning of the result, whatever follows', () => {
    for (let round = 0; round < thinned(10_000); round++) {
      const seed = SEED * 1_000_000 + round
      const dice = new Dice(seed)
      const options = guardFor(dice)
      const text = dice.text(14)
      const guard = new TextGuard(options)
      let out = ''
      for (let at = 0; at <= text.length; at++) {
        const what = () => `SEED=${SEED} round ${round}: ${told(options)} ${JSON.stringify(text.slice(0, at))}`
        for (const more of ['', text.slice(at), dice.text(2), dice.text(5), dice.text(9)]) {
          const result = replaced(text.slice(0, at) + more, options).out
          assert.ok(result.startsWith(out), `${what()} + ${JSON.stringify(more)}: ${JSON.stringify([out, result])}`)
        }
        if (at < text.length) out += guard.push(text[at])
      }
    }
  })

  test('what is out is all that is certain: what all results have in common, whatever follows', () => {
    const follows = ['']
    for (const before of follows) if (before.length < 3) follows.push(...['a', 'b', '-', 'c', '\n'].map((letter) => before + letter))
    for (let round = 0; round < thinned(500); round++) {
      const dice = new Dice(SEED * 1_000_000 + round)
      const simple = () => dice.one(['a', 'b', '-', 'ab', 'aa', 'a-', /a+/, /ab?/, /a{1,2}b/, /\bab*\b/, /a[ab]*\b/, /(?:ab|b-)b/, /a(?:-|$)/, /-\w+/, /b.*?-/, /^a/, /bb\B/])
      const options = { redact: Array.from({ length: 1 + dice.next(3) }, simple) }
      const text = Array.from({ length: 1 + dice.next(8) }, () => dice.one('aab-')).join('')
      const guard = new TextGuard(options)
      let out = ''
      for (let at = 0; at < text.length; at++) {
        out += guard.push(text[at])
        const results = follows.map((more) => replaced(text.slice(0, at + 1) + more, options).out)
        const certain = results.reduce((one, other) => one.slice(0, [...one].findIndex((letter, place) => letter !== other[place]) >>> 0))
        assert.equal(out, certain, `SEED=${SEED} round ${round}: ${told(options)} ${JSON.stringify(text.slice(0, at + 1))}`)
      }
    }
  })
})
