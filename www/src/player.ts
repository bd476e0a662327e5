// Plays the text: chunk by chunk, at a pace, into the chosen parser.
//
// The player keeps the positions of the cuts, so that another parser, or the same
// one with other settings, can catch up to the same position immediately.

import { batch, effect, signal, untracked } from '@preact/signals'
import { endOfChunk } from './chunks'
import { PACES } from './pace'
import { report, sentenceOf } from './problems'
import { type AnyReading, open } from './readings/front-ends'
import { choices, chunkSize, frontEnd, naive, pace, sample, text } from './settings'
import { Comparison } from './naive/comparison'
import { Emitted } from './emitted'

export type Phase = 'ready' | 'playing' | 'paused' | 'ended'

/** A text that is being played. */
export interface Stream {
  readonly emitted: Emitted
  readonly read: AnyReading
  readonly compared: Comparison
  /** Whether all of it was read. */
  isOver: boolean
}

export const phase = signal<Phase>('ready')
/** Undefined while a setting is invalid. */
export const stream = signal<Stream | undefined>(undefined)
/** The error in a setting. */
export const choiceProblem = signal<string | undefined>(undefined)
/** Counts the changes of `stream`, which is mutated in place. */
export const frame = signal(0)

/** Whether the system asks for less motion: then a sample is shown whole. */
export const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches

/** The positions of the cuts so far. */
let cuts: number[] = []
/** Whether samples begin on their own: until the reader uses a button. */
let isAutomatic = true
/** The number of the loop that plays, so that an earlier one ends. */
let loop = 0

/** Whether a change of the stream will be shown. */
let isChanging = false

/** The maximum work per frame, so that the page stays responsive. */
const MOST_WORK = 9

/** Starts: a new text starts over; new settings read the fed text again. */
export function watchSettings(): void {
  effect(() => {
    text.value
    const isSample = sample.value !== undefined
    untracked(() => {
      rewind()
      if (isAutomatic && isSample) begin()
    })
  })
  effect(() => {
    frontEnd.value
    choices.value
    untracked(() => {
      const isNew = stream.value === undefined
      readAgain()
      // What reads it was loaded after the sample was chosen.
      if (isNew && isAutomatic && sample.value !== undefined && phase.value === 'ready') begin()
    })
  })
}

export function restart(): void {
  isAutomatic = false
  rewind()
}

export function play(): void {
  isAutomatic = false
  run()
}

export function pause(): void {
  isAutomatic = false
  if (phase.value === 'playing') phase.value = 'paused'
}

/** One chunk. */
export function step(): void {
  isAutomatic = false
  if (phase.value === 'ended') rewind()
  if (stream.value === undefined) return
  phase.value = 'paused'
  feedNext()
  frame.value++
}

/** Begins without a click. */
function begin(): void {
  if (stream.value === undefined) return
  if (!isStill) return run()
  phase.value = 'playing'
  while (stream.value !== undefined && phase.value === 'playing') feedNext()
  frame.value++
}

function rewind(): void {
  cuts = []
  batch(() => {
    phase.value = 'ready'
    readAgain()
  })
}

function run(): void {
  if (phase.value === 'ended') rewind()
  if (stream.value === undefined) return
  phase.value = 'playing'
  const mine = ++loop
  let last = performance.now()
  let due = 1
  const go = (now: number): void => {
    if (phase.value !== 'playing' || loop !== mine) return
    const chunksASecond = PACES[pace.value] ?? 1
    due = chunksASecond === Infinity ? Infinity : due + (Math.max(0, now - last) / 1000) * chunksASecond
    last = now
    const stop = performance.now() + MOST_WORK
    while (due >= 1 && phase.value === 'playing' && performance.now() < stop) {
      due--
      feedNext()
    }
    // Chunks that miss their time are not made up for later.
    due = Math.min(due, 1)
    frame.value++
    requestAnimationFrame(go)
  }
  requestAnimationFrame(go)
}

function feedNext(): void {
  const now = stream.value
  if (now === undefined) return
  const { emitted } = now
  const from = emitted.fed
  const all = emitted.text
  if (from < all.length) {
    const cut = endOfChunk(all, from, chunkSize.value)
    cuts.push(cut)
    guarded(() => feed(now, cut))
  }
  if (emitted.fed >= all.length) {
    guarded(() => end(now))
    phase.value = 'ended'
  }
}

function feed({ emitted, read, compared }: Stream, end: number): void {
  const from = emitted.fed
  emitted.feed(end)
  read.reading.feed(emitted.text.slice(from, end))
  compared.read(emitted.text.slice(0, end))
  compared.show(read.reading.visible)
}

function end(now: Stream): void {
  const { reading } = now.read
  reading.end()
  now.compared.show(reading.visible)
  reading.over.then(() => {
    now.isOver = true
    changedLater(now)
  }, fail)
}

/** What a parser that reads later has read is shown once for all that it reads together. */
function changedLater(now: Stream | undefined): void {
  if (now === undefined || now !== stream.value || isChanging) return
  isChanging = true
  setTimeout(() => {
    isChanging = false
    frame.value++
  })
}

/** Opens the text again, and feeds the same chunks. */
function readAgain(): void {
  try {
    const emitted = new Emitted(text.value)
    const changed = (): void => {
      next?.compared.show(next.read.reading.visible)
      changedLater(next)
    }
    let next: Stream | undefined
    next = { emitted, read: open(frontEnd.value, emitted, choices.value, changed), compared: new Comparison(naive.value), isOver: false }
    for (const cut of cuts) feed(next, cut)
    if (phase.value === 'ended') end(next)
    choiceProblem.value = undefined
    stream.value = next
  } catch (error) {
    choiceProblem.value = sentenceOf(error)
    stream.value = undefined
    if (phase.value === 'playing') phase.value = 'paused'
  }
  frame.value++
}

/** No text makes a parser throw; if one throws anyway, the page reports it and stops. */
function guarded(act: () => void): void {
  try {
    act()
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  phase.value = 'ended'
  report(`The parser failed: ${sentenceOf(error)}`)
}
