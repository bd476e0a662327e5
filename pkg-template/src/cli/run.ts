// Runs a command: input, parser, view, output.

import { setTimeout as wait } from 'node:timers/promises'
import type { BlockEmission } from 'tokenweir/blocks'
import type { SentEvent } from '../reply/for-cli.js'
import { CliError, USAGE } from './cli-error.js'
import type { Front, Loaded } from './front.js'
import { NativeRecording, said } from './input/native.js'
import { type Input, openInput } from './input/open.js'
import { eventsOf } from './input/recording.js'
import type { SharedOptions } from './options.js'
import { write } from './output.js'
import { textIn } from './front.js'
import { hasColours } from './views/colours.js'
import { type View, colourView, jsonView, lineView, textView } from './views/view.js'

/** Reads the input to its end, and prints its events as they come. */
export async function run(loaded: Loaded, path: string | undefined, options: SharedOptions): Promise<void> {
  const view = viewOf(loaded, options)
  const input = await openInput(path, options.input === 'auto' ? undefined : options.input)
  requireFitting(loaded, input, options)
  const held = options.held === true ? new Held(loaded) : undefined
  const pieces =
    input.format === 'text' && loaded.format === undefined
      ? ofText(input.pieces, loaded.front, options.chunk)
      : ofEvents(sentIn(input, options.chunk), loaded)
  for await (const { events, text } of pieces) {
    await write(process.stdout, view.show(events))
    const pending = held?.after(text) ?? ''
    if (pending !== '') await write(process.stdout, view.held(pending))
    if (options.pace !== undefined) await wait(options.pace)
  }
  await write(process.stdout, view.finish())
}

/** The events of a chunk of the input, and the model's text in it. */
interface Step {
  readonly events: unknown[]
  readonly text: string
}

/** Rejects options that don't apply to this input. */
function requireFitting({ readsText }: Loaded, { format }: Input, { chunk, held }: SharedOptions): void {
  if (format === 'text') return
  const what = `this input is a recording (${format}); --input text reads it as text`
  if (chunk !== undefined) throw new CliError(USAGE, `--chunk cuts raw text, and ${what}`)
  if (held === true && !readsText)
    throw new CliError(USAGE, `--held shows pending text, and ${what}, --text parses the text in it`)
}

function viewOf(loaded: Loaded, { json, color, held }: SharedOptions): View<any> {
  const { stdout } = process
  if (json === true) return jsonView(loaded.front)
  if (hasColours(color, stdout, process.env)) return colourView(loaded.front)
  return loaded.isText === true && held !== true ? textView(stdout.isTTY === true) : lineView(loaded.front)
}

async function* ofText(
  pieces: AsyncIterable<string>,
  front: Front<unknown>,
  size: number | undefined,
): AsyncGenerator<Step, void, undefined> {
  try {
    for await (const text of size === undefined ? pieces : cut(pieces, size)) yield { events: front.text(text), text }
  } catch (error) {
    yield* ending(front, error)
  }
  yield { events: front.finish(), text: '' }
}

/** Chunks of exactly `size` units, however the text arrives; the last may be shorter. */
async function* cut(pieces: AsyncIterable<string>, size: number): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    let from = 0
    for (; from + size <= text.length; from += size) yield text.slice(from, from + size)
    rest = text.slice(from)
  }
  if (rest !== '') yield rest
}

/** The events of a recording; pieces of raw text are events, too. */
async function* sentIn(
  { format, pieces }: Input,
  size: number | undefined,
): AsyncGenerator<SentEvent, void, undefined> {
  if (format !== 'text') return yield* eventsOf(pieces, format)
  for await (const event of size === undefined ? pieces : cut(pieces, size)) yield { event, line: 1 }
}

async function* ofEvents(
  sentEvents: AsyncIterable<SentEvent>,
  { front, readsText, format }: Loaded,
): AsyncGenerator<Step, void, undefined> {
  const { NativeBlocks } = await import('tokenweir/reply')
  const recording = new NativeRecording(NativeBlocks, !readsText, format)
  const step = (emissions: readonly BlockEmission[]): Step => ({
    events: emissions.flatMap((emission) => front.native(emission)),
    text: emissions.map(textIn).join(''),
  })
  try {
    for await (const sent of sentEvents) {
      const event = typeof sent.event === 'string' && format !== undefined ? said(sent.event) : sent.event
      if (typeof event === 'string') yield { events: front.text(event), text: event }
      else yield step(recording.read({ ...sent, event }))
      if (recording.failure !== undefined) throw recording.failure
    }
  } catch (error) {
    yield step(recording.finish())
    yield* ending(front, error)
  }
  yield step(recording.finish())
  yield { events: front.finish(), text: '' }
}

/** Finishes the events before an error; then throws it. */
function* ending(front: Front<unknown>, error: unknown): Generator<Step, void, undefined> {
  if (error instanceof CliError) yield { events: front.finish(), text: '' }
  throw error
}

/** Tracks the pending text. */
class Held {
  readonly #emitted
  /** Text from `#from` on. */
  #text = ''
  #from = 0

  constructor({ emitted }: Loaded) {
    this.#emitted = emitted()
  }

  /** The pending text after the next chunk. */
  after(piece: string): string {
    if (piece === '') return ''
    this.#text += piece
    const emitted = this.#emitted.feed(piece)
    this.#text = this.#text.slice(emitted - this.#from)
    this.#from = emitted
    return this.#text
  }
}
