// Segments: an agent's files, commands and tools, and the invocations.

import { type SegmentConfig, type SegmentError, type SegmentEvent, type SegmentMetadata, type SegmentStrategy, StreamingResponseHandler, type ToolInvocation } from 'tokenweir/segments'
import type { JsonValue } from 'tokenweir/fields'
import type { Emitted } from '../emitted'
import { LiveArguments } from './live-arguments'
import type { Changed } from './reading'
import { ShownReading, VisibleText } from './visible-text'

/** One segment, as far as it has been emitted. */
export interface Segment {
  readonly id: string
  readonly type: string
  readonly metadata: SegmentMetadata
  content: string
  /** For a call that is written as JSON. */
  readonly json: LiveArguments | undefined
  isDone: boolean
  /** The tools to call. */
  readonly invocations: ToolInvocation[]
  readonly faults: SegmentError[]
}

export interface SegmentChoice {
  readonly strategy: Extract<SegmentStrategy, 'xml' | 'json' | 'sentinel'>
}

export class SegmentReading extends ShownReading {
  readonly segments: Segment[] = []
  /** Errors without a segment. */
  readonly faults: SegmentError[] = []
  protected readonly shown: VisibleText
  private readonly handler: StreamingResponseHandler

  constructor(
    private readonly emitted: Emitted,
    private readonly choice: SegmentChoice,
    changed: Changed,
  ) {
    super()
    const config: SegmentConfig = { strategy: choice.strategy, spans: true }
    this.handler = new StreamingResponseHandler({
      config,
      keepEvents: false,
      onSegmentEvent: (event) => this.take(event),
      onToolInvocation: (invocation) => this.segmentOf(invocation.id)?.invocations.push(invocation),
      onError: (fault) => (this.segmentOf(fault.segmentId)?.faults ?? this.faults).push(fault),
    })
    this.shown = new VisibleText(changed)
  }

  feed(chunk: string): void {
    this.handler.feed(chunk)
  }

  end(): void {
    this.handler.finalize()
    this.shown.end()
  }

  private take(event: SegmentEvent): void {
    const { emitted } = this
    if (event.type === 'SEGMENT_START') {
      const { segment_id: id, segment_type: type, payload } = event
      if (type !== 'text') this.shown.hide()
      const isJson = this.choice.strategy === 'json' && type === 'tool_call'
      this.segments.push({ id, type, metadata: payload.metadata ?? {}, content: '', json: isJson ? new LiveArguments() : undefined, isDone: false, invocations: [], faults: [] })
      return
    }
    if (event.type === 'MARKUP') {
      emitted.emit(...event.span, 'markup')
      return
    }
    const segment = this.segmentOf(event.segment_id)
    if (segment === undefined) return
    if (event.type === 'SEGMENT_END') {
      segment.isDone = true
      segment.json?.end()
      return
    }
    const { delta } = event.payload
    const isText = segment.type === 'text'
    if (event.span) emitted.emit(...event.span, isText ? 'visible' : 'call')
    segment.content += delta
    segment.json?.add(delta)
    if (isText) this.shown.show(delta)
  }

  /** The segment of an id, searched from the end; another call in the same segment has the suffix `.2`. */
  private segmentOf(id: string | null): Segment | undefined {
    return id === null ? undefined : this.segments.findLast((segment) => id === segment.id || id.startsWith(`${segment.id}.`))
  }
}

/** The form for a segment: its metadata, and its content under its argument's name. */
export function formOf(segment: Segment): JsonValue {
  if (segment.json !== undefined) return segment.json.value ?? {}
  const form: { [name: string]: JsonValue } = { ...segment.metadata }
  form[CONTENT_OF[segment.type] ?? 'as written'] = segment.content
  return form
}

const CONTENT_OF: Readonly<Record<string, string>> = { write_file: 'content', patch_file: 'patch', edit_file: 'patch', run_bash: 'command' }
