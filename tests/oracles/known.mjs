// Reads tests/known_differences.txt. A line there is
//
//     ORACLE RULE REASON | INPUT
//
// RULE is the name of a function in the oracle's file that recognizes the
// difference, or `-` for the input only. INPUT is JSON and an example: it must
// differ, and its rule must recognize it. "@FILE" means each line of a file of cases.
import { readFileSync } from 'node:fs'

const LINE = /^(?<oracle>\S+) (?<rule>\S+) (?<reason>\S.*?) \| (?<json>.+)$/

/** What is known of each oracle, by its name. */
export function knownDifferences(oracles) {
  const known = new Map()
  const lines = readFileSync(new URL('../known_differences.txt', import.meta.url), 'utf8').split('\n')
  for (const [at, text] of lines.entries()) {
    if (text === '' || text.startsWith('#')) continue
    const fault = (what) => new Error(`tests/known_differences.txt:${at + 1}: ${what}`)
    const { oracle: name, rule, json } = LINE.exec(text)?.groups ?? {}
    if (name === undefined) throw fault('a line is `ORACLE RULE REASON | INPUT`')
    const oracle = oracles.find((each) => each.name === name)
    if (oracle === undefined) throw fault(`there is no oracle ${name}`)
    if (rule !== '-' && !Object.hasOwn(oracle.rules ?? {}, rule)) throw fault(`the oracle ${name} has no rule ${rule}`)
    const listed = known.get(name) ?? []
    for (const input of inputsOf(JSON.parse(json))) listed.push({ rule: rule === '-' ? undefined : rule, input, line: at + 1 })
    known.set(name, listed)
  }
  for (const { name, rules = {} } of oracles) {
    const unlisted = Object.keys(rules).find((rule) => !known.get(name)?.some((line) => line.rule === rule))
    if (unlisted !== undefined) throw new Error(`tests/known_differences.txt: there is no line for the rule ${unlisted} of the oracle ${name}`)
  }
  return known
}

function inputsOf(input) {
  if (typeof input !== 'string' || !input.startsWith('@')) return [input]
  const lines = readFileSync(new URL(`../../${input.slice(1)}`, import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  return lines.filter((line) => line.about === undefined)
}
