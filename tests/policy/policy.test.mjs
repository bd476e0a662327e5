// One question, one answer: each rule of spec/policy.md at every door that it can be asked at. `RULE=4` and `DOOR=hermes`
// choose; the table at the end counts the cases by rule and family of doors.
import { Console } from 'node:console'
import { readdirSync } from 'node:fs'
import { stderr } from 'node:process'
import { after, describe, test } from 'node:test'
import { ask, checkRule } from './ask.mjs'

const load = async (folder) => {
  const names = readdirSync(new URL(folder, import.meta.url)).filter((name) => name.endsWith('.mjs')).sort()
  return Promise.all(names.map(async (name) => (await import(`./${folder}${name}`)).default))
}
const { RULE, DOOR } = process.env
const rules = (await load('rules/')).flat().filter(({ rule }) => RULE === undefined || rule === Number(RULE))
const doors = (await load('doors/')).flat().filter(({ name }) => DOOR === undefined || name.includes(DOOR))
const families = [...new Set(doors.map(({ family }) => family))]
const table = []

for (const rule of rules) {
  describe(`${rule.rule}. ${rule.title}`, () => {
    const counts = Object.fromEntries(families.map((family) => [family, 0]))
    for (const door of doors) {
      if (door.asked?.includes(rule.rule) === false) continue
      if (rule.ask(door)[Symbol.iterator]().next().done) continue
      test(door.name, async () => {
        counts[door.family] += await ask(rule, door)
      })
    }
    if (DOOR === undefined) test('enough doors, and no exception that nobody needs', () => checkRule(rule, Object.values(counts).reduce((sum, count) => sum + count, 0)))
    table.push({ rule: rule.rule, ...counts })
    after(() => Object.assign(table.find((line) => line.rule === rule.rule), counts))
  })
}

// The runner of Node 20 reads standard output, and takes a part of a large table for a message of its own.
after(() => new Console(stderr).table(table))
