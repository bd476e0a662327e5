// Checks the measurements of an input against its bounds.
import { isWhole } from './inputs.mjs'

/** How many bytes of heap a parser may need per unit of text, for its results and its pending text. */
const HEAP_A_UNIT = {
  // The text so far and that of the open block, for getAccumulated and block_complete. While a value's type is undecided,
  // its pending text is a rope: 32 bytes per chunk, however short, up to 1,048,576 units.
  block: 40,
  // Pending text.
  segment: 6,
  // Pending text, and that of the open hunk.
  edit: 40,
  // The document's values, a path for each, and the undecided fields of the order mode.
  field: 700,
  // Pending text, also a rope, and the arguments built from it: one object member per element.
  tool_call: 40,
  rjson: 700,
  rxml: 1_500,
}

/** Allowance for code compiled during the run and for the current pieces. */
const HEAP_SLACK = 3_000_000

/** Heap that may stay in use after an input, which may not be the first of its process; a leaked parser takes more at full size. */
const HEAP_KEPT = 8_000_000

/** With many records, up to 16,384 bytes are copied again after each batch of them: at most this many bytes per unit. */
const WRITTEN_AGAIN = 20

/** Longer pending text is rejected with this code only: beyond `maxPending`, and of segments text in a tool besides its content. */
const TOO_LONG = 'call-too-long'
const mostPending = (frontEnd) => (frontEnd === 'segment' ? 1_048_576 : 16_777_216)

/** Reading again at the end has a budget: the rest is text, with this code. */
const [READ_AGAIN, UNFINISHED] = [65_536, 'unfinished-tool-call']

/** All violations of an input, comparing runs in pairs: some length, and four times that length. */
export function faultsOf(input, runs) {
  const faults = []
  for (let at = 0; at < runs.length; at += 2) faults.push(...pairFaults(input, runs[at], runs[at + 1]))
  return faults
}

function pairFaults(input, short, long) {
  const faults = []
  const place = `${long.units} units in chunks of ${long.chunk}`
  for (const { wasmGrown, units } of [short, long]) if (wasmGrown !== 0) faults.push(`${units} units: WebAssembly memory grew by ${wasmGrown} bytes`)
  for (const what of ['bytes', 'calls']) {
    if (long[what] > 4.5 * short[what] + 20_000 && long[what] > WRITTEN_AGAIN * long.units) faults.push(`${place}: ${short[what]} ${what} pass into WebAssembly, then ${long[what]}`)
  }
  const room = HEAP_SLACK + HEAP_A_UNIT[input.frontEnd] * long.units
  if (long.peak > room) faults.push(`${place}: ${long.peak} bytes of heap are in use; the limit is ${room}`)
  // V8 decides whether the text is copied or still shares the chunks' memory, and when the value of a whole text is gone.
  const least = short.units * (isWhole(input.frontEnd) ? 20 : 1)
  if (long.peak > 5 * Math.max(short.peak, least) + HEAP_SLACK) faults.push(`${place}: ${short.peak} bytes of heap are in use, then ${long.peak}`)
  // V8 keeps the subject of the last regular expression, and object shapes for a while.
  if (long.after > HEAP_KEPT + long.units) faults.push(`${place}: ${long.after} bytes of heap stay in use`)
  for (const { codes, units } of [short, long]) {
    const unexpected = codes.filter((code) => !input.codes.includes(code) && !(code === TOO_LONG && units > mostPending(input.frontEnd)) && !(code === UNFINISHED && units > READ_AGAIN))
    if (unexpected.length > 0) faults.push(`${units} units: rejected with ${unexpected.join(', ')}`)
  }
  const missing = long.codes.includes(TOO_LONG) ? [] : input.codes.filter((code) => !long.codes.includes(code))
  if (missing.length > 0) faults.push(`${place}: not rejected with ${missing.join(', ')}`)
  return faults
}
