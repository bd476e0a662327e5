/**
 * The contestants of the segment bench, and how each emits the segments of a stream as it arrives.
 *
 * `follow(input, kind, take, call, blame)` reads a stream with a new parser. It calls `take(event)` for each event,
 * `call(invocation)` and `blame(error)`; `calls` and `blames` say whether it does so. `reads(kind)` says whether it supports a text.
 */

import { cut } from './corpus.mjs'
import { StraightforwardSegments } from './segment-straightforward.mjs'

/** The input, chunk by chunk: strings, or deltas of an API call as from a provider's adapter. */
export function inputOf(kind, text, size) {
  const chunks = cut(text, size)
  if (kind.api === undefined) return chunks
  const piece = (callId, name, argumentsDelta) => ({ content: null, reasoning: null, toolCalls: [{ index: 0, callId, name, argumentsDelta }] })
  return [piece('call_1', kind.api, ''), ...chunks.map((chunk) => piece(null, null, chunk))]
}

export function straightforward() {
  return {
    name: 'straightforward',
    reads: (kind) => kind.others.includes('straightforward'),
    follow(chunks, kind, take) {
      const parser = new StraightforwardSegments(kind.config)
      for (let i = 0; i < chunks.length; i++) {
        const events = parser.feed(chunks[i])
        for (let j = 0; j < events.length; j++) take(events[j])
      }
      for (const event of parser.finalize()) take(event)
    },
  }
}

export function ours({ StreamingParser, StreamingResponseHandler }) {
  return [
    { name: 'tokenweir', blames: true, reads: (kind) => kind.api === undefined, follow: own(StreamingParser, {}) },
    { name: 'spans', blames: true, reads: (kind) => kind.api === undefined, follow: own(StreamingParser, { spans: true }) },
    // The handler stores all its output, or only passes it on.
    { name: 'handler', reads: () => true, calls: true, blames: true, follow: answer(StreamingResponseHandler, {}) },
    { name: 'handler, stores nothing', reads: () => true, calls: true, blames: true, follow: answer(StreamingResponseHandler, { keepEvents: false }) },
  ]
}

/** A loop for one set of options: a shared one would see events of different shapes. */
function own(StreamingParser, options) {
  return new Function(
    'StreamingParser',
    'options',
    `return (chunks, kind, take, call, blame) => {
      const parser = new StreamingParser({ ...kind.config, ...options, onError: blame })
      const emit = (events) => {
        for (let i = 0; i < events.length; i++) take(events[i])
      }
      for (let i = 0; i < chunks.length; i++) emit(parser.feed(chunks[i]))
      emit(parser.finalize())
    }`,
  )(StreamingParser, options)
}

function answer(StreamingResponseHandler, options) {
  return (input, kind, take, call, blame) => {
    const handler = new StreamingResponseHandler({
      ...options,
      config: kind.config,
      onSegmentEvent: take,
      onToolInvocation: call,
      onError: blame,
    })
    for (let i = 0; i < input.length; i++) handler.feed(input[i])
    handler.finalize()
  }
}
