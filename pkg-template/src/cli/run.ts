// Runs a command: input, parser, view, output.

import { Attempts, ParseError, type SentEvent, type Transport, TransportFront, eventDecoder } from '../reply/for-cli.js'
import type { Fields } from '../untrusted.js'
import { CliError, INPUT, USAGE, FINE } from './cli-error.js'
import type { Front, Loaded } from './front.js'
import { textOf } from './input/files.js'
import { NativeRecording, said } from './input/native.js'
import type { SharedOptions } from './options.js'
import { type View, colourView, jsonView, lineView, textView } from './views/view.js'
import type { BlockEmission } from 'tokenweir/blocks'
import { once } from 'node:events'

/** The stream takes back what came of a step, since it asks it again: another front has read what stays. */
class Restart {
  constructor(readonly loaded: Loaded) {}
}

/** Reads the input to its end, and prints its events as they come. */
export async function run(
  load: () => Promise<Loaded>,
  path: string | undefined,
  options: SharedOptions,
): Promise<void> {
  const loaded = await load()
  let view = viewOf(loaded, options)
  const input = await openInput(path, options.input === 'auto' ? undefined : options.input)
  requireFitting(input, options)
  const pieces =
    input.format === 'text' && loaded.format === undefined
      ? ofText(input.pieces, loaded.front, options.chunk)
      : ofEvents(sentIn(input, options.chunk), loaded, load)
  for await (const events of pieces) {
    if (!(events instanceof Restart)) {
      await write(process.stdout, view.show(events))
      continue
    }
    await write(process.stdout, view.finish() + (options.json === true ? '{"kind":"reset"}\n' : ''))
    if (options.json !== true)
      await write(process.stderr, 'tokenweir: the stream asks a step again: what was printed of it is void\n')
    view = viewOf(events.loaded, options)
  }
  await write(process.stdout, view.finish())
}

/** Rejects options that don't apply to this input. */
function requireFitting({ format }: Input, { chunk }: SharedOptions): void {
  if (format === 'text' || chunk === undefined) return
  const what = `this input is a recording (${format}); --input text reads it as text`
  throw new CliError(USAGE, `--chunk cuts raw text, and ${what}`)
}

function viewOf(loaded: Loaded, { json, color }: SharedOptions): View<any> {
  const { stdout } = process
  if (json === true) return jsonView(loaded.front)
  if (hasColours(color, stdout, process.env)) return colourView(loaded.front)
  return loaded.isText === true ? textView(stdout.isTTY === true) : lineView(loaded.front)
}

async function* ofText(
  pieces: AsyncIterable<string>,
  front: Front<unknown>,
  size: number | undefined,
): AsyncGenerator<unknown[], void, undefined> {
  try {
    for await (const text of size === undefined ? pieces : cut(pieces, size)) yield front.text(text)
  } catch (error) {
    yield* ending(front, error)
  }
  yield front.finish()
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
  loaded: Loaded,
  load: () => Promise<Loaded>,
): AsyncGenerator<unknown[] | Restart, void, undefined> {
  const { NativeBlocks } = await import('tokenweir')
  const open = ({ readsText, format }: Loaded) => new NativeRecording(NativeBlocks, !readsText, format)
  const { format } = loaded
  let { front } = loaded
  let recording = open(loaded)
  const attempts = new Attempts()
  const step = (emissions: readonly BlockEmission[]) => emissions.flatMap((emission) => front.native(emission))
  try {
    for await (const sent of sentEvents) {
      if (sent.isEnd === true) {
        recording.declareEnd()
        continue
      }
      const event = typeof sent.event === 'string' && format !== undefined ? said(sent.event) : sent.event
      const kept = typeof event === 'string' ? undefined : attempts.read(event as Fields)
      if (kept !== undefined) {
        const again = await load()
        front = again.front
        recording = open(again)
        for (const event of kept) step(recording.read({ event, line: sent.line }))
        yield new Restart(again)
      }
      if (typeof event === 'string') yield front.text(event)
      else yield step(recording.read({ ...sent, event }))
      if (recording.failure !== undefined) throw recording.failure
    }
  } catch (error) {
    yield step(recording.finish())
    yield* ending(front, error)
  }
  yield step(recording.finish())
  yield front.finish(recording.reason)
}

/** Finishes the events before an error; then throws it. */
function* ending(front: Front<unknown>, error: unknown): Generator<unknown[], void, undefined> {
  if (error instanceof CliError) yield front.finish('error')
  throw error
}

/** Text in chunks, and its format. */
interface Input {
  readonly format: Transport
  readonly pieces: AsyncGenerator<string, void, undefined>
}

/** Opens a file, or standard input, and reads enough of it to detect the format. */
async function openInput(path: string | undefined, forced: Transport | undefined): Promise<Input> {
  const pieces = textOf(path)
  if (forced !== undefined) return { format: forced, pieces }
  const front = new TransportFront()
  for (;;) {
    const next = await pieces.next()
    const format = next.done === true ? front.finish() : front.read(next.value)
    if (format !== undefined) return { format, pieces: after(front.text, pieces) }
  }
}

async function* after(
  head: string,
  pieces: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  if (head !== '') yield head
  yield* pieces
}

/** Events, without what says nothing. */
function* events(sent: Iterable<SentEvent>): Generator<SentEvent, void, undefined> {
  for (const event of sent) {
    if (event.fault !== undefined) throw event.fault
    if (event.isIgnored !== true) yield event
  }
}

/** The events of a recording, each as soon as it is complete. */
async function* eventsOf(
  pieces: AsyncIterable<string>,
  format: Exclude<Transport, 'text'>,
): AsyncGenerator<SentEvent, void, undefined> {
  const decoder = eventDecoder(format, 'recording')
  try {
    for await (const piece of pieces) yield* events(decoder.read(piece))
    yield* events(decoder.finish())
  } catch (error) {
    throw error instanceof ParseError ? new CliError(INPUT, error.message) : error
  }
}

/** Whether to use colours. `asked` is `--color` or `--no-color`. */
function hasColours(
  asked: boolean | undefined,
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (asked !== undefined) return asked
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: terminal } = environment
  if (none !== undefined && none !== '') return false
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && terminal !== 'dumb'
}

/** A reader that closes the pipe (`| head`) ends the program without an error. */
export function quitWhenClosed(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`tokenweir: cannot write output: ${error.message}\n`)
    process.exit(error.code === 'EPIPE' ? FINE : INPUT)
  })
}

/** Writes text, and waits for a slower reader. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain')
}
