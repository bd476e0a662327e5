// Plays the text: chunk by chunk, at a pace, into the front-end that is chosen.
//
// What was fed is kept as places where the text was cut, so that another front-end,
// or the same with another choice, can be brought to the same place at once.

import { batch, effect, signal, untracked } from '@preact/signals'
import { endOfChunk } from './chunks'
import { PACES } from './pace'
import { report, sentenceOf } from './problems'
import { type AnyReading, open } from './readings/front-ends'
import { choices, chunkSize, frontEnd, pace, text } from './settings'
import { Told } from './told'

export type Phase = 'ready' | 'playing' | 'paused' | 'ended'

/** A text that is being read. */
export interface Stream {
  readonly told: Told
  readonly read: AnyReading
}

export const phase = signal<Phase>('ready')
/** Undefined while a choice is wrong. */
export const stream = signal<Stream | undefined>(undefined)
/** What is wrong with a choice. */
export const choiceProblem = signal<string | undefined>(undefined)
/** Counts what has changed in `stream`, which changes in place. */
export const frame = signal(0)

/** Where the text was cut so far. */
let cuts: number[] = []

/** No frame works longer than this, so that the page stays quick. */
const MOST_WORK = 9

/** Begins: a new text starts over; another choice reads again what was fed. */
export function watchSettings(): void {
  effect(() => {
    text.value
    untracked(restart)
  })
  effect(() => {
    frontEnd.value
    choices.value
    untracked(readAgain)
  })
}

export function restart(): void {
  cuts = []
  batch(() => {
    phase.value = 'ready'
    readAgain()
  })
}

export function play(): void {
  if (phase.value === 'ended') restart()
  if (stream.value === undefined) return
  phase.value = 'playing'
  let last = performance.now()
  let due = 1
  const go = (now: number): void => {
    if (phase.value !== 'playing') return
    const chunksASecond = PACES[pace.value] ?? 1
    due = chunksASecond === Infinity ? Infinity : due + (Math.max(0, now - last) / 1000) * chunksASecond
    last = now
    const stop = performance.now() + MOST_WORK
    while (due >= 1 && phase.value === 'playing' && performance.now() < stop) {
      due--
      feedNext()
    }
    // What can't be done in time is not made up for later.
    due = Math.min(due, 1)
    frame.value++
    requestAnimationFrame(go)
  }
  requestAnimationFrame(go)
}

export function pause(): void {
  if (phase.value === 'playing') phase.value = 'paused'
}

/** One chunk. */
export function step(): void {
  if (phase.value === 'ended') restart()
  if (stream.value === undefined) return
  phase.value = 'paused'
  feedNext()
  frame.value++
}

function feedNext(): void {
  const now = stream.value
  if (now === undefined) return
  const { told } = now
  const from = told.fed
  const all = told.text
  if (from < all.length) {
    const end = endOfChunk(all, from, chunkSize.value)
    cuts.push(end)
    guarded(() => feed(now, end))
  }
  if (told.fed >= all.length) {
    guarded(() => now.read.reading.end())
    phase.value = 'ended'
  }
}

function feed({ told, read }: Stream, end: number): void {
  const from = told.fed
  told.feed(end)
  read.reading.feed(told.text.slice(from, end))
}

/** Opens the text anew, and feeds what was fed before. */
function readAgain(): void {
  try {
    const told = new Told(text.value)
    const next: Stream = { told, read: open(frontEnd.value, told, choices.value) }
    for (const end of cuts) feed(next, end)
    if (phase.value === 'ended') next.read.reading.end()
    choiceProblem.value = undefined
    stream.value = next
  } catch (error) {
    choiceProblem.value = sentenceOf(error)
    stream.value = undefined
    if (phase.value === 'playing') phase.value = 'paused'
  }
  frame.value++
}

/** No text makes a parser throw; if one does all the same, the page says so and stops. */
function guarded(act: () => void): void {
  try {
    act()
  } catch (error) {
    phase.value = 'ended'
    report(`The parser failed: ${sentenceOf(error)}`)
  }
}
