// Asks a question at every door, however the text is cut.
//
// A rule is a file of rules/, whose default export is:
//
//     {
//       rule: 1,
//       title: 'A backslash that JSON does not know stays',
//       // The cases of a door; none where the question can't be put there.
//       *ask(door) { yield { name, input, expected: { calls: [...] }, tools?, options?, schema? } },
//       // Doors that answer otherwise, each with its reason. `door` and `case` are names or patterns.
//       exceptions: [{ door: 'RJSON', case: /escape/, why: '…', expected?: {…} }],
//       // At least so many cases are asked, so that a door that can't be asked any more is noticed.
//       atLeast: 60,
//     }
//
// A case may have `check`, which says what is wrong, instead of an input: for questions that are not about one answer.
//
// Only the keys of `expected` are compared; texts are compared without the white space around them. `shows` and `hides`
// are lists of texts that the answer's text has, or hasn't. An exception whose door gives the expected answer after all
// is an error.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { cutAt, pieces as ofSize, random, thinned, thinness } from '../pkg/support/cuts.mjs'

const seed = Number(process.env.SEED ?? 1)

/** How a text is cut for a door: each way is a list of pieces. */
function* cutsOf(text, cuts) {
  yield [text]
  if (cuts === 'none') return
  yield ofSize(text, 1)
  const next = random(seed)
  if (cuts !== 'few' && text.length <= 400) for (let at = 1; at < text.length; at += thinness) yield cutAt(text, [at])
  const places = (count) => Array.from({ length: count }, () => next(text.length + 1)).sort((a, b) => a - b)
  for (let count = 0; count < (cuts === 'few' ? 2 : thinned(12)); count++) yield cutAt(text, places(1 + (count % 5)))
}

const trimmed = (value) => (typeof value === 'string' ? value.trim() : value)

/** What of an answer is not as expected; undefined if all is. */
function differs(answer, expected) {
  for (const [key, want] of Object.entries(expected)) {
    if (key === 'shows' || key === 'hides') {
      const wrong = want.find((text) => answer.text.includes(text) !== (key === 'shows'))
      if (wrong !== undefined) return `the text ${key === 'shows' ? 'lacks' : 'has'} ${JSON.stringify(wrong)}: ${JSON.stringify(answer.text)}`
    } else if (!isDeepStrictEqual(plain(trimmed(answer[key])), plain(trimmed(want)))) {
      return `${key} is ${JSON.stringify(answer[key])}, not ${JSON.stringify(want)}`
    }
  }
  return undefined
}

/** A value as JSON has it: objects of parsers may have another prototype. */
const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

const fits = (pattern, name) => pattern === undefined || (typeof pattern === 'string' ? pattern === name : pattern.test(name))

/** Asks one case; says what is wrong with the first answer that differs. */
async function wrongAnswer(door, { input, expected, name, check, ...given }) {
  if (check !== undefined) return check()
  for (const pieces of cutsOf(input, door.cuts)) {
    const wrong = differs(await door.read(pieces, given), onlyFor(door, expected))
    if (wrong !== undefined) return `${JSON.stringify(input)}${pieces.length > 1 ? ` in ${pieces.length} pieces ${JSON.stringify(pieces).slice(0, 300)}` : ''}: ${wrong}`
  }
  const whole = door.whole && differs(door.whole(input, given), Object.fromEntries(Object.entries(expected).filter(([key]) => ['text', 'reasoning', 'calls', 'shows', 'hides'].includes(key))))
  return whole && `${JSON.stringify(input)} as a whole: ${whole}`
}

/** A door that has nothing but text is asked for nothing else. */
function onlyFor(door, expected) {
  return door.onlyText ? Object.fromEntries(Object.entries(expected).filter(([key]) => ['text', 'shows', 'hides'].includes(key))) : expected
}

/** What a function gives for each of a list, some together. */
async function each(list, size, act) {
  const results = []
  for (let at = 0; at < list.length; at += size) results.push(...(await Promise.all(list.slice(at, at + size).map(act))))
  return results
}

/** Asks a rule at a door, which may take several cases together; returns how many there were. */
export async function ask(rule, door) {
  const wrong = []
  const cases = [...rule.ask(door)]
  const answers = await each(cases, door.together ?? 1, async (asked) => [asked, await wrongAnswer(door, asked)])
  for (const [asked, answer] of answers) {
    const exception = rule.exceptions?.find((listed) => fits(listed.door, door.name) && fits(listed.case, asked.name))
    if (exception === undefined) {
      if (answer !== undefined) wrong.push(`${asked.name}: ${answer}`)
      continue
    }
    exception.used = true
    if (answer === undefined) wrong.push(`${asked.name}: it is listed as an exception (${exception.why}), and answers as every door does`)
    const other = exception.expected && (await wrongAnswer(door, { ...asked, expected: exception.expected }))
    if (other !== undefined) wrong.push(`${asked.name}, an exception: ${other}`)
  }
  assert.equal(wrong.length, 0, `${wrong.length} of ${cases.length} answers differ:\n${wrong.slice(0, 5).join('\n')}`)
  return cases.length
}

/** After all doors: an exception that nobody needs, or too few cases. */
export function checkRule({ rule, title, exceptions = [], atLeast = 1 }, asked) {
  for (const { door, case: name, why, used } of exceptions) assert.ok(used, `rule ${rule}: no door is ${door} with ${name}: ${why}`)
  assert.ok(asked >= atLeast, `rule ${rule} (${title}) was asked ${asked} times, and should be at least ${atLeast}`)
}
