/**
 * Speed of reading tool calls, for the benches of protocols and of wire formats: same process, rounds interleaved,
 * medians (measure.mjs).
 *
 * An answer with one call (tool-texts.mjs) comes as text-delta parts and goes through a TransformStream: tokenweir's,
 * that of @ai-sdk-tool/parser, and one that does nothing, to show the cost of streams (tool-contestants.mjs). tokenweir's
 * parser is also measured without a stream. Before the measurement, each contestant must make the right call at many
 * cuts, and each run must make it again. A missed target is printed, but doesn't change the exit code: 1 means that a
 * contestant makes a wrong call.
 *
 * A run longer than PATIENCE is stopped, and its contestant isn't tried with longer answers of that kind. The time until
 * then is a lower bound, printed with a `>`.
 */

import { isDeepStrictEqual } from 'node:util'
import { against, fail, finish, FLOORS, floorsFor, growing, GROWTH, interleave, machine, median, printerFor, ratio, readOnly, readOptions, time } from './measure.mjs'
import { answerIn, Late, PEER } from './tool-contestants.mjs'
import { SHAPES } from './tool-texts.mjs'

const KB = 1024
const LENGTHS = { '1k': KB, '10k': 10 * KB, '100k': 100 * KB, '1m': KB * KB }
const SIZES = [4, 16]
const PARTS = ['peers', 'growth']

/** How many times as fast as the peer, at this length. */
const FASTER = { length: '100k', least: 20 }
/** How many times as long as an identity, with a stream and without one. */
const MOST = 2
const MOST_SYNC = 0.3

/** The options of a bench, for its `--help`. */
export function readRaceOptions(file, protocols) {
  return readOptions(
    `node bench/${file} [options]
  --quick        no answer of 1 MB except for the growth, and fewer rounds; slow contestants are stopped sooner
  --only a,b     one protocol (${protocols.join(', ')}), one shape of arguments (${Object.keys(SHAPES).join(', ')}),
                 one length (${Object.keys(LENGTHS).join(', ')}), one delta size (${SIZES.join(', ')}), one part (${PARTS.join(', ')}),
                 or several of these; may be repeated
  --peers        without tokenweir, which need not be built then
  --json file    write all figures
  --md           print Markdown tables`,
    { peers: { type: 'boolean', default: false } },
  )
}

/** Measures `all` contestants, those of `own` also with long answers, and prints the results under `title`. */
export async function race({ title, args, protocols, own, all }) {
  const { heading, printTable } = printerFor(args)
  const asked = readOnly(args, { protocol: protocols, shape: Object.keys(SHAPES), length: Object.keys(LENGTHS), size: SIZES, part: PARTS })

  const ROUNDS = args.quick ? 5 : 11
  /** The maximum run, in milliseconds. */
  const PATIENCE = args.quick ? 4000 : 20_000
  /** The maximum time of a contestant's rounds in a cell, in milliseconds. It is in at least one round. */
  const BUDGET = args.quick ? 2000 : 30_000

  // The events.

  /** A run's output as one number: characters of the call's arguments, as deltas and as a whole, and a thousand for each call. */
  function counter() {
    let count = 0
    const take = (part) => {
      if (part.type === 'text-delta' || part.type === 'tool-input-delta') count += part.delta.length
      else if (part.type === 'tool-call') count += 1000 + part.input.length
    }
    return { take, get: () => count, reset: () => (count = 0) }
  }

  /** The error in the emitted parts. */
  function faultOf(emitted, { parts, name, args: wanted }, { calls, wrongDeltas = [] }, protocol) {
    if (!calls) return isDeepStrictEqual(emitted, parts) ? undefined : 'different parts than the input'
    const made = emitted.filter(({ type }) => type === 'tool-call')
    if (made.length !== 1) return `${made.length} calls, not one`
    if (made[0].toolName !== name) return `a call of ${made[0].toolName}, not of ${name}`
    if (!isDeepStrictEqual(JSON.parse(made[0].input), wanted)) return `other arguments: ${made[0].input.slice(0, 400)}`
    const deltas = emitted.filter(({ type }) => type === 'tool-input-delta')
    if (!wrongDeltas.includes(protocol) && deltas.map(({ delta }) => delta).join('') !== made[0].input) return 'deltas that are not the arguments'
    const text = emitted.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta).join('')
    return text === 'I do it now.\n\nDone.' ? undefined : `the text ${JSON.stringify(text)}`
  }

  /** Reads one answer and checks the output. */
  async function check(contestant, protocol, input, end, where) {
    const emitted = []
    await contestant.follow(input.parts, protocol, (part) => emitted.push(part), end)
    const fault = faultOf(emitted, input, contestant, protocol)
    if (fault !== undefined) fail(`${contestant.name}: ${fault} (${where})`)
  }

  async function verify(all) {
    let checked = 0
    for (const protocol of protocols) {
      for (const shape of Object.keys(SHAPES)) {
        for (const [length, seed] of [[400, 1], [1100, 5], [1500, 7]]) {
          for (const size of [1, 2, 3, 4, 5, 7, 16, 64, 10_000]) {
            const input = answerIn(protocol, shape, length, size, seed)
            for (const contestant of all) {
              // The peer's time is quadratic: a longer text in small deltas would take minutes.
              if (contestant.name === PEER && length > 400 && size < 16) continue
              await check(contestant, protocol, input, Infinity, `${protocol}, ${shape}, about ${length} characters, seed ${seed}, deltas of ${size}`)
              checked++
            }
          }
        }
      }
    }
    return checked
  }

  // Parts.

  /** A run over some answers. Each time its output must be the checked one. */
  function runOf({ name, follow }, protocol, inputs) {
    const { take, get, reset } = counter()
    let wanted
    return async (end = Infinity) => {
      reset()
      for (const { parts } of inputs) {
        const pending = follow(parts, protocol, take, end)
        if (pending !== undefined) await pending
      }
      wanted ??= get()
      if (get() !== wanted) fail(`${name} emits ${get()}, not ${wanted}`)
    }
  }

  /** Where each contestant was stopped: the length, and the time until then in milliseconds. */
  const givenUp = new Map()

  /** Whether a contestant reads the answer in time, and correctly. */
  async function isInTime(contestant, { protocol, shape, length, size }, input) {
    const key = [contestant.name, protocol, shape, size].join()
    if (givenUp.has(key)) return { stopped: givenUp.get(key) }
    const start = performance.now()
    try {
      await check(contestant, protocol, input, start + PATIENCE, `${protocol}, ${shape}, ${length}, deltas of ${size}`)
      return {}
    } catch (error) {
      if (!(error instanceof Late)) throw error
      const stopped = { length, milliseconds: performance.now() - start, done: error.done }
      givenUp.set(key, stopped)
      return { stopped }
    }
  }

  /** The cost of an answer, for each contestant. */
  async function measureCell(all, cell) {
    const input = answerIn(cell.protocol, cell.shape, LENGTHS[cell.length], cell.size, 3)
    const stopped = {}
    const inTime = []
    for (const contestant of all) {
      const fate = await isInTime(contestant, cell, input)
      if (fate.stopped === undefined) inTime.push(contestant)
      else stopped[contestant.name] = fate.stopped
    }
    const floors = floorsFor(input.parts.flatMap(({ delta }) => delta ?? []))
    const names = [...inTime.map((one) => one.name), ...Object.keys(floors)]
    const runs = inTime.map((one) => runOf(one, cell.protocol, [input]))
    const lists = await interleave([...runs, ...Object.values(floors)], { quick: args.quick, rounds: ROUNDS, budget: BUDGET })
    const times = new Map(lists.map((list, index) => [names[index], list]))
    const row = {
      ...cell,
      deltas: input.parts.length - 1,
      milliseconds: Object.fromEntries([...times].map(([who, list]) => [who, median(list)])),
      stopped,
    }
    const own = times.get('tokenweir')
    if (own === undefined) return row
    const others = times.get(PEER)
    // A stopped answer is at most as long as this one, so this one takes at least that long.
    const value = others === undefined ? stopped[PEER].milliseconds / median(own) : ratio(others, own)
    const ok = value >= FASTER.least
    // A bound that is too low is meaningless.
    const isTold = cell.length === FASTER.length && (ok || others !== undefined)
    row.faster = { value, ...(isTold ? { least: FASTER.least } : {}), ok, bound: others === undefined }
    const over = ratio(own, times.get('identity'))
    row.identity = { value: over, most: MOST, ok: over <= MOST }
    const sync = ratio(times.get('without a stream'), times.get('identity'))
    row.sync = { value: sync, most: MOST_SYNC, ok: sync <= MOST_SYNC }
    return row
  }

  /** Time per character in answers of each length, as many of them as make up the longest. */
  async function measureGrowth(contestant, cell) {
    const lengths = ['10k', '100k', '1m']
    const characters = []
    const runs = lengths.map((length) => {
      const inputs = Array.from({ length: Math.floor(LENGTHS['1m'] / LENGTHS[length]) }, (_, index) =>
        answerIn(cell.protocol, cell.shape, LENGTHS[length], cell.size, index + 1),
      )
      characters.push(inputs.reduce((sum, input) => sum + input.characters, 0))
      return runOf(contestant, cell.protocol, inputs)
    })
    const lists = await interleave(runs, { quick: args.quick, rounds: args.quick ? 5 : 9, budget: args.quick ? 4000 : 10_000 })
    const perCharacter = lists.map((list, index) => list.map((milliseconds) => (milliseconds * 1e6) / characters[index]))
    const growth = ratio(perCharacter.at(-1), perCharacter[0])
    return {
      name: contestant.name,
      ...cell,
      nanoseconds: Object.fromEntries(lengths.map((length, index) => [length, median(perCharacter[index])])),
      growth,
      // The identity has no target: it shows the cost of the streams.
      ...(contestant.calls ? { most: GROWTH, ok: growth <= GROWTH } : {}),
    }
  }

  // The run.

  const checked = await verify(all)
  const report = { ...machine(), characters: LENGTHS, rounds: ROUNDS, patience: PATIENCE, peers: [], growth: [] }
  console.log(`Right calls from all: ${checked} answers. Node ${report.node}, ${report.cpu}; up to ${ROUNDS} rounds.\n`)

  for (const protocol of protocols) {
    for (const shape of Object.keys(SHAPES)) {
      for (const size of SIZES) {
        for (const length of Object.keys(LENGTHS)) {
          if (args.quick && length === '1m') continue
          if (asked({ part: 'peers', protocol, shape, length, size })) report.peers.push(await measureCell(all, { protocol, shape, length, size }))
        }
      }
    }
  }

  const labels = ['protocol', 'arguments', 'delta', 'answer']
  const labelled = ({ protocol, shape, size, length }) => [protocol, SHAPES[shape].label, String(size), ...(length === undefined ? [] : [length])]

  if (report.peers.length > 0) {
    heading(`${title}: ns per delta`)
    printTable(
      [...labels, ...all.map(({ name }) => name), ...FLOORS],
      report.peers.map((row) => [
        ...labelled(row),
        ...[...all.map(({ name }) => name), ...FLOORS].map((name) => {
          if (name in row.milliseconds) return time((row.milliseconds[name] * 1e6) / row.deltas)
          if (!(name in row.stopped)) return '-'
          const { milliseconds, done, length } = row.stopped[name]
          if (length !== row.length) return `stopped at ${length}`
          return `stopped after ${(milliseconds / 1000).toFixed(0)} s (${Math.round(done * 100)} % read)`
        }),
      ]),
    )
    if (own.length > 0) {
      heading(`${title}: how many times as fast as the peer, and how many times as long as an identity`)
      printTable(
        [...labels, `as fast as ${PEER}`, 'as long as an identity', 'without a stream'],
        report.peers.map((row) => [
          ...labelled(row),
          `${row.faster.bound ? '>' : ''}${against(row.faster)}`,
          `x${row.identity.value.toFixed(2)} ${row.identity.ok ? 'ok' : 'miss'} (${MOST})`,
          against(row.sync),
        ]),
      )
    }
  }

  for (const protocol of protocols) {
    for (const shape of Object.keys(SHAPES)) {
      for (const size of SIZES) {
        if (!asked({ part: 'growth', protocol, shape, size })) continue
        for (const contestant of all.filter(({ name }) => name !== PEER)) report.growth.push(await measureGrowth(contestant, { protocol, shape, size }))
      }
    }
  }

  if (report.growth.length > 0) {
    heading('Linear: ns per character in answers of these lengths, and the longest against the shortest')
    printTable(
      ['protocol', 'arguments', 'delta', 'who', '10k', '100k', '1m', 'growth'],
      report.growth.map((row) => [
        ...labelled(row),
        row.name,
        ...Object.values(row.nanoseconds).map((nanoseconds) => nanoseconds.toFixed(1)),
        row.most === undefined ? `x${row.growth.toFixed(2)}` : growing(row),
      ]),
    )
  }

  finish(args, report, [...report.growth, ...report.peers.flatMap((row) => (row.faster === undefined ? [] : [row.faster, row.identity, row.sync]))])
}
