// `StreamingParser`: tools, files and commands as segments, while the text that
// they are in is being written.
//
// Source: seeds/000, "StreamingParser"; spec/segment.md. AutoByteus' class has
// the same methods in Python's spelling.

import { Journal, type Kind, type Snapshot } from '../journal.js'
import { SegmentState, aboutOf } from './segment-state.js'
import { ParseError, requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { type StreamEnd, endedByItself } from '../finish-reason.js'
import { type SourceOptions, type TextSource, chunksOf, signalOf, withSignal } from '../sources.js'
import { type AnySegmentEvent, EventObjects, plainEvent, styled } from './autobyteus-events.js'
import { SegmentIds } from './ids.js'
import { type Settings, settingsOf } from './options.js'
import { SegmentEmitter } from './emitter.js'
import type { Segment, SegmentConfig, SegmentEvent, SegmentEventStyle, StyledSegmentEvent } from './types.js'
import { TransformBase } from '../platform.js'

const KIND: Kind = {
  parser: 'segments',
  place: 'StreamingParser',
  text: 'feed',
  calls: ['finalize', 'interrupt'],
  hearers: ['onError'],
}

/**
 * Emits the segments of what a model writes: text, files, commands, tool calls, each as a start, its content as it
 * comes, and an end.
 *
 * Text that may still become markup is held back; everything else comes out immediately. Text never raises an error.
 * Chunk boundaries don't matter: any way of cutting the text gives the same events, once neighbouring deltas are
 * joined.
 *
 * @example
 * ```ts
 * import { StreamingParser } from 'tokenweir/segments'
 *
 * const parser = new StreamingParser()
 * for (const chunk of ['Look:<run_', 'bash>ls</run_bash>']) {
 *   for (const event of parser.feed(chunk)) {
 *     if (event.type === 'SEGMENT_START') console.log(event.segment_id, event.segment_type)
 *     if (event.type === 'SEGMENT_CONTENT') console.log(event.segment_id, event.payload.delta)
 *   }
 * }
 * parser.finalize()
 * ```
 * ```text
 * seg_1 text
 * seg_1 Look:
 * seg_2 run_bash
 * seg_2 ls
 * ```
 */
export class StreamingParser<Style extends SegmentEventStyle = 'plain'> {
  readonly #emitter: SegmentEmitter
  readonly #state: SegmentState
  readonly #settings: Settings
  readonly #journal: Journal
  #isBusy = false

  /**
   * @throws TypeError for an unknown option, strategy or marker, or an option of a wrong type, naming it.
   */
  constructor(config?: SegmentConfig<Style>) {
    const settings = settingsOf('StreamingParser', config)
    this.#journal = Journal.of(KIND, config)
    this.#settings = settings
    const objects = settings.hasObjects ? new EventObjects(settings.turnId) : undefined
    const ids = new SegmentIds(settings.prefix)
    this.#emitter = new SegmentEmitter(settings, ids)
    this.#state = new SegmentState(this.#emitter, ids, objects)
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives the events that it would have given the parser that
   * the snapshot is of. Options that are data are in the snapshot; functions, and what has some in it, are given again.
   *
   * @throws TypeError that names the option, if one is missing that the other parser had and that is no data, or one is
   * not the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const before = new StreamingParser()
   * before.feed('Look: <run_ba')
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = StreamingParser.restore(JSON.parse(stored))
   * console.log(after.feed('sh>ls').map(({ type, segment_id }) => [type, segment_id])[0]) // [ 'SEGMENT_END', 'seg_1' ]
   * ```
   */
  static restore<Style extends SegmentEventStyle = 'plain'>(
    snapshot: Snapshot,
    config?: SegmentConfig<Style>,
  ): StreamingParser<Style> {
    return Journal.restore(KIND, snapshot, config, {
      make: (options) => new StreamingParser<Style>(options),
      aboutOf: (parser) => aboutOf(parser.#settings),
    })
  }

  /**
   * What the parser has read, between two chunks, as plain JSON: for `StreamingParser.restore`. It has all text so far.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * parser.feed('Look: <run_bash>l')
   * console.log(StreamingParser.restore(parser.snapshot()).currentSegmentType) // run_bash
   * ```
   */
  snapshot(): Snapshot {
    return this.#journal.snapshot(this.#isBusy, undefined, aboutOf(this.#settings))
  }

  /**
   * Reads a chunk and gives what happened in it, in order.
   *
   * @throws TypeError if the chunk is not a string.
   * @throws ParseError `finished` after `finalize`, `reentrant` from inside a callback of this parser.
   * @throws ParseError `state-failed` if a transform of a tool state threw, or what `onError` threw; the events of the
   * chunk then come with the next call.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * console.log(parser.feed('<run_').length) // 0
   * console.log(parser.feed('bash>ls').map(({ type }) => type)) // [ 'SEGMENT_START', 'SEGMENT_CONTENT' ]
   * ```
   */
  feed(chunk: string): StyledSegmentEvent<Style>[] {
    requireString('StreamingParser.feed', chunk)
    this.#enter('feed')
    try {
      if (this.#state.isFinalized)
        throw new ParseError(
          'finished',
          'StreamingParser.feed was called after finalize: call reset() before a new stream',
        )
      if (chunk === '') return []
      this.#journal.read(chunk)
      return this.#styled(this.#emitter.feed(chunk))
    } finally {
      this.#isBusy = false
    }
  }

  /**
   * Ends the stream: pending text comes out, and open segments end. A second call gives nothing more. After a reply
   * that did not end on its own, by `end.reason`, it is `interrupt(reason)`.
   *
   * @throws ParseError `reentrant` or `state-failed`, and what `onError` threw, as `feed` does.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * parser.feed('1 <')
   * for (const event of parser.finalize()) console.log(event.type, event.payload)
   * ```
   * ```text
   * SEGMENT_CONTENT { delta: '<' }
   * SEGMENT_END {}
   * ```
   */
  finalize(end?: StreamEnd): StyledSegmentEvent<Style>[] {
    if (!endedByItself(end?.reason)) return this.interrupt(end?.reason as string)
    this.#enter('finalize')
    this.#journal.call('finalize')
    try {
      this.#state.isFinalized = true
      return this.#styled(this.#emitter.finalize())
    } finally {
      this.#isBusy = false
    }
  }

  /**
   * Ends the stream because the program gives it up: pending text comes out, and what is open ends with
   * `{ interrupted: true, reason }` and the metadata of its START, so that no tool of it is invoked. Nothing comes
   * after `finalize`, and a second time.
   *
   * @throws TypeError if the reason is not a string; ParseError `reentrant` or `state-failed`, as `feed` does.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser({ turnId: 'turn_1' })
   * parser.feed('<write_file path="a.txt">mil')
   * console.log(parser.interrupt('stopped by the user').map(({ type, payload }) => [type, payload])[0])
   * ```
   * ```text
   * [
   *   'SEGMENT_END',
   *   {
   *     interrupted: true,
   *     reason: 'stopped by the user',
   *     metadata: { path: 'a.txt' }
   *   }
   * ]
   * ```
   */
  interrupt(reason: string): StyledSegmentEvent<Style>[] {
    requireString('StreamingParser.interrupt', reason)
    this.#enter('interrupt')
    this.#journal.call('interrupt', reason)
    try {
      const isOver = this.#state.isFinalized
      this.#state.isFinalized = true
      return isOver ? [] : this.#styled(this.#emitter.abandon({ interrupted: true, reason }))
    } finally {
      this.#isBusy = false
    }
  }

  /**
   * Reads a whole text: does what `feed` does, and then `finalize`.
   *
   * @throws as `feed` does.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * console.log(new StreamingParser().feedAndFinalize('Hello').map(({ type }) => type))
   * // → [ 'SEGMENT_START', 'SEGMENT_CONTENT', 'SEGMENT_END' ]
   * ```
   */
  feedAndFinalize(text: string): StyledSegmentEvent<Style>[] {
    const events = this.feed(text)
    events.push(...this.finalize())
    return events
  }

  /**
   * Reads chunks to their end, and finalizes.
   *
   * Leaving the loop early stops the source, and so does an abort of `signal`: the loop then throws its reason.
   *
   * @throws TypeError immediately if the source is not one; from the loop if one of its chunks is not a string.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * for await (const event of new StreamingParser().parseStream(['Hel', 'lo'])) {
   *   if (event.type === 'SEGMENT_CONTENT') console.log(event.payload.delta)
   * }
   * ```
   * ```text
   * Hel
   * lo
   * ```
   */
  parseStream(source: TextSource, options?: SourceOptions): AsyncGenerator<StyledSegmentEvent<Style>, void, undefined> {
    return new EventGenerator(
      chunksOf('StreamingParser.parseStream', source),
      (chunk) => this.feed(chunk),
      () => this.finalize(),
      signalOf('StreamingParser.parseStream', options),
    )
  }

  /**
   * Starts a new stream, with the same options. Ids begin anew.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * parser.feed('Hello')
   * parser.reset()
   * console.log(parser.feed('Hello')[0]?.segment_id) // seg_1
   * ```
   */
  reset(): void {
    this.#enter('reset')
    this.#journal.clear()
    this.#state.reset()
    this.#isBusy = false
  }

  /**
   * Whether the stream has ended.
   *
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * parser.feedAndFinalize('Hello')
   * console.log(parser.isFinalized) // true
   * ```
   */
  get isFinalized(): boolean {
    return this.#state.isFinalized
  }

  /**
   * Gives the id of the open segment, or null.
   *
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * parser.feed('Look: <run_bash>l')
   * console.log(parser.currentSegmentId) // seg_2
   * ```
   */
  get currentSegmentId(): string | null {
    return this.#emitter.open?.id ?? null
  }

  /**
   * Gives the type of the open segment, or null.
   *
   * @example
   * ```ts
   * import { StreamingParser } from 'tokenweir/segments'
   *
   * const parser = new StreamingParser()
   * console.log(parser.currentSegmentType) // null
   * parser.feed('<run_bash>l')
   * console.log(parser.currentSegmentType) // run_bash
   * ```
   */
  get currentSegmentType(): string | null {
    return this.#emitter.open?.type ?? null
  }

  #styled(events: SegmentEvent[]): StyledSegmentEvent<Style>[] {
    return styled(events, this.#state.objects, this.#settings.turnId) as StyledSegmentEvent<Style>[]
  }

  #enter(method: string): void {
    if (this.#isBusy)
      throw new ParseError(
        'reentrant',
        `StreamingParser.${method} was called from inside a callback of the same parser: call it after feed or ` +
          `finalize has returned`,
      )
    this.#isBusy = true
  }
}

/**
 * Turns what a model writes into the events of the segments in it, as a `TransformStream`. A chunk that is not a string
 * makes the stream fail.
 *
 * @example
 * ```ts
 * import { SegmentStream } from 'tokenweir/segments'
 *
 * const response = new Blob(['<run_bash>ls</run_bash>']).stream().pipeThrough(new TextDecoderStream())
 * for await (const { type } of response.pipeThrough(new SegmentStream())) console.log(type)
 * ```
 * ```text
 * SEGMENT_START
 * SEGMENT_CONTENT
 * SEGMENT_END
 * ```
 */
export class SegmentStream<Style extends SegmentEventStyle = 'plain'> extends TransformBase<
  string,
  StyledSegmentEvent<Style>
> {
  /** @throws as the constructor of `StreamingParser`. */
  constructor(config?: SegmentConfig<Style>) {
    const parser = new StreamingParser(config)
    super({
      transform(chunk, controller) {
        requireString('SegmentStream', chunk)
        for (const event of parser.feed(chunk)) controller.enqueue(event)
      },
      flush(controller) {
        for (const event of parser.finalize()) controller.enqueue(event)
      },
    })
  }
}

/**
 * Yields the segments of a source, event by event. Leaving the loop early stops the source, and so does an abort of
 * `signal`.
 *
 * @throws as `StreamingParser` and its `parseStream` do.
 * @example
 * ```ts
 * import { parseSegments } from 'tokenweir/segments'
 *
 * for await (const event of parseSegments(['<run_bash>', 'ls</run_bash>'])) console.log(event.type, event.payload)
 * ```
 * ```text
 * SEGMENT_START {}
 * SEGMENT_CONTENT { delta: 'ls' }
 * SEGMENT_END {}
 * ```
 */
export function parseSegments<Style extends SegmentEventStyle = 'plain'>(
  source: TextSource,
  config?: SegmentConfig<Style> & SourceOptions,
): AsyncGenerator<StyledSegmentEvent<Style>, void, undefined> {
  const [rest, signal] = withSignal<SegmentConfig<Style>>('parseSegments', config)
  return new StreamingParser(rest).parseStream(source, { signal })
}

/**
 * Collects the segments in events of either style: each with its content joined, in the order of their starts.
 *
 * @example
 * ```ts
 * import { StreamingParser, extractSegments } from 'tokenweir/segments'
 *
 * const events = new StreamingParser().feedAndFinalize('Look: <run_bash>ls</run_bash>')
 * for (const segment of extractSegments(events)) console.log(segment)
 * ```
 * ```text
 * { id: 'seg_1', type: 'text', content: 'Look: ', metadata: {} }
 * { id: 'seg_2', type: 'run_bash', content: 'ls', metadata: {} }
 * ```
 */
export function extractSegments(events: Iterable<AnySegmentEvent>): Segment[] {
  const segments = new Map<string, Segment>()
  for (const each of events) {
    const event = plainEvent(each)
    if (event.type === 'SEGMENT_START') {
      const { segment_id: id, segment_type: type, payload } = event
      segments.set(id, { id, type, content: '', metadata: payload.metadata ?? {} })
    } else if (event.type === 'SEGMENT_CONTENT') {
      const segment = segments.get(event.segment_id)
      if (segment !== undefined) segment.content += event.payload.delta
    }
  }
  return [...segments.values()]
}
