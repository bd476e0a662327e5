// Says what is wrong with how a bomb was read.

/** How many bytes of the heap a parser may need for a unit of the text: what it gives, or must keep until it is decided. */
const HEAP_A_UNIT = {
  // The text so far, and an open block's: getAccumulated and block_complete have it. What is held while a value's type is
  // not decided is a rope: 32 bytes for a chunk, however short, up to 1,048,576 units.
  block: 40,
  // What is held.
  segment: 6,
  // The document's values, a path for each, and what the order mode doesn't know yet.
  field: 700,
  // What is held, a rope too, and the arguments that are made of it: an object's member for each element.
  tool_call: 40,
  rjson: 700,
  rxml: 1_500,
}

/** Beside that: code that is compiled while a bomb is read, and the pieces that are at hand. */
const HEAP_SLACK = 3_000_000

/** What may stay in use behind a bomb, which may not be the first of its process; a parser that stays takes more at full size. */
const HEAP_KEPT = 8_000_000

/** Where records are many, a stretch of up to 16,384 bytes is written again behind each batch of them: so often a unit. */
const WRITTEN_AGAIN = 20

/** `maxPending`: what is held for longer is refused with this code, and then with no other. */
const [MOST_PENDING, TOO_LONG] = [16_777_216, 'call-too-long']

/** What is read again at the end has a budget: beyond it all is text, and this is said. */
const [READ_AGAIN, UNFINISHED] = [65_536, 'unfinished-tool-call']

/** What is told of a bomb at each size, in pairs: some length, and four times as much. */
export function faultsOf(bomb, runs) {
  const faults = []
  for (let at = 0; at < runs.length; at += 2) faults.push(...pairFaults(bomb, runs[at], runs[at + 1]))
  return faults
}

function pairFaults(bomb, short, long) {
  const faults = []
  const place = `${long.units} units in chunks of ${long.chunk}`
  for (const { wasmGrown, units } of [short, long]) if (wasmGrown !== 0) faults.push(`${units} units: the memory of WebAssembly grew by ${wasmGrown} bytes`)
  for (const what of ['bytes', 'calls']) {
    if (long[what] > 4.5 * short[what] + 20_000 && long[what] > WRITTEN_AGAIN * long.units) faults.push(`${place}: ${short[what]} ${what} cross into WebAssembly, then ${long[what]}`)
  }
  const room = HEAP_SLACK + HEAP_A_UNIT[bomb.frontEnd] * long.units
  if (long.peak > room) faults.push(`${place}: ${long.peak} bytes of the heap are in use, at most ${room} may be`)
  // Whether the text is in the heap, or still that of its chunks, is V8's affair.
  if (long.peak > 5 * Math.max(short.peak, short.units) + HEAP_SLACK) faults.push(`${place}: ${short.peak} bytes of the heap are in use, then ${long.peak}`)
  // V8 keeps the text that a regular expression was last asked about, and shapes of objects for a while.
  if (long.after > HEAP_KEPT + long.units) faults.push(`${place}: ${long.after} bytes of the heap stay in use`)
  for (const { codes, units } of [short, long]) {
    const said = codes.filter((code) => !bomb.codes.includes(code) && !(code === TOO_LONG && units > MOST_PENDING) && !(code === UNFINISHED && units > READ_AGAIN))
    if (said.length > 0) faults.push(`${units} units: refused with ${said.join(', ')}`)
  }
  const missing = long.codes.includes(TOO_LONG) ? [] : bomb.codes.filter((code) => !long.codes.includes(code))
  if (missing.length > 0) faults.push(`${place}: not refused with ${missing.join(', ')}`)
  return faults
}
