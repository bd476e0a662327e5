// A protocol function and its row, with random texts. A failure prints the seed.
import { formats } from 'tokenweir/formats'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { random } from '../../pkg/support/cuts.mjs'
import { textOf, tools } from '../../pkg/support/protocol-texts.mjs'
import { readParts } from '../doors/rows.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const BATCHES = 10
const ROUNDS = Number(process.env.ROUNDS ?? 1_000) / BATCHES

// The defaults of the peers, which the protocols keep: white space at markers is layout in a row, and text for the peers.
const bare = (text) => text.replace(/\s+/g, '')

/** The row of a protocol, with the keys that the peer reads besides. */
const rowOf = (id) => (id === 'hermes' ? { ...formats.hermes, keys: { ...formats.hermes.keys, name: ['name', 'tool'] } } : id)

function answerOf(source, text) {
  const { text: shown, reasoning, calls } = readParts((callbacks) => new ToolCallParser({ ...source, tools, ...('protocol' in source ? { options: callbacks } : callbacks) }), [text])
  return JSON.stringify([bare(shown), bare(reasoning), calls])
}

function firstDifference({ row, protocol }, batch) {
  const next = random(seed + batch)
  const differ = []
  for (let round = 0; round < ROUNDS; round++) {
    const text = textOf(row.id, next)
    const [own, other] = [answerOf({ protocol: protocol() }, text), answerOf({ format: rowOf(row.id) }, text)]
    if (own !== other) differ.push(`${JSON.stringify(text)}: the protocol reads ${own}, the row ${other}`)
  }
  differ.sort((a, b) => a.length - b.length)
  return differ.length === 0 ? undefined : `SEED=${seed}: ${differ.length} of ${ROUNDS} texts differ: ${differ[0]}`
}

export default {
  rule: 21,
  title: 'A protocol function is its row',
  *ask(door) {
    if (door.protocol === undefined) return
    for (let batch = 0; batch < BATCHES; batch++) yield { name: `random texts ${batch}`, check: () => firstDifference(door, batch) }
  },
  atLeast: 40,
}
