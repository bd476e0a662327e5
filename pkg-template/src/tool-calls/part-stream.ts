// Reads the parts of a stream: text is searched for calls, all else passes.
//
// Source: spec/tool_call.md, "Parts".
// Differences: where the source ends a text and begins another, so do we; text that
// was held at the end of the first belongs to it.

import type { ToolCallSession } from '../wasm/tool-calls.js'
import { Catalogue } from './catalogue.js'
import type { ResolvedOptions } from './options.js'
import { PartWriter } from './parts.js'
import type { ProtocolSpec } from './protocol-spec.js'
import { CallReader } from './reader.js'
import { CallStream } from './teller.js'
import type { StreamPart, Tool } from './types.js'

/** Reasons to finish that say nothing against a call. */
const PLAIN_REASONS: readonly unknown[] = ['stop', 'other', 'unknown', undefined]

/** Turns the parts of one stream into parts with calls. */
export class PartStream {
  private readonly calls: CallStream
  private readonly writer: PartWriter
  private readonly reader: CallReader
  /** Units of text that came. */
  private fed = 0
  private isOver = false

  constructor(
    spec: ProtocolSpec,
    tools: readonly Tool[],
    options: ResolvedOptions,
    private readonly emit: (part: StreamPart) => void,
  ) {
    const catalogue = new Catalogue(tools, options, spec.start === '')
    this.writer = new PartWriter(emit, options.toolInputDeltas, options.generateId)
    this.calls = new CallStream(spec, catalogue, options, this.writer)
    const session: ToolCallSession = { start: spec.start, end: spec.end, lines: spec.lines, names: catalogue.tagNames, machine: undefined, isPutAway: false }
    this.reader = new CallReader(session, this.calls, options.maxPending)
  }

  /** Hears the text of each segment that was a call. */
  set onSegment(hear: (raw: string) => void) {
    this.calls.onSegment = hear
  }

  /** Reads a part. Nothing follows `finish`. */
  write(part: StreamPart): void {
    if (this.isOver) return
    switch (part.type) {
      case 'text-delta':
        {
          const { delta } = part as { readonly delta?: unknown }
          // What has no text in it is nothing that is known here.
          if (typeof delta === 'string') this.text(delta)
          else this.emit(part)
        }
        break
      case 'text-start':
        this.writer.providerMetadata = (part as { readonly providerMetadata?: unknown }).providerMetadata
        break
      case 'text-end':
        this.writer.breakText(this.fed, this.calls.keptFrom ?? this.fed - this.reader.holding)
        this.writer.providerMetadata = undefined
        break
      case 'finish':
        this.finish()
        this.emit(this.calls.hasCalled ? withCalls(part) : part)
        break
      default:
        this.emit(part)
    }
  }

  /** Reads text. */
  text(chunk: string): void {
    if (chunk === '' || this.isOver) return
    this.fed += chunk.length
    this.reader.read(chunk)
    this.writer.flush()
  }

  /** The end of the stream: what is held comes out, what is open ends. */
  finish(): void {
    if (this.isOver) return
    this.reader.finish()
    this.writer.closeText()
    this.isOver = true
  }
}

/** A `finish` whose reason says that tools are called, in the form that it had. */
function withCalls(part: StreamPart): StreamPart {
  const reason = (part as { readonly finishReason?: unknown }).finishReason
  return { ...part, finishReason: calledReason(reason) } as StreamPart
}

/** The reason to finish with calls, as a string or as `{ unified, raw }`. A cut, a filter and an error stay. */
export function calledReason(reason: unknown): unknown {
  if (typeof reason === 'object' && reason !== null) {
    const { unified, raw } = reason as { readonly unified?: unknown; readonly raw?: unknown }
    return PLAIN_REASONS.includes(unified) ? { unified: 'tool-calls', raw } : reason
  }
  return PLAIN_REASONS.includes(reason) ? 'tool-calls' : reason
}
