/**
 * The contestants of the tool-call bench, and how each is fed and drained.
 *
 * `follow(parts, protocol, take, end)` reads an answer with a new parser and calls `take(part)` for each emitted part.
 * The same loop drives all streams: a source that makes a part on request, the stream, and a reader. `end` is the
 * time, as of `performance.now()`, at which a run is stopped: `follow` throws `Late` then.
 *
 * `calls` says whether it emits tool calls; an identity emits its input. `wrongDeltas` names the protocols whose calls are
 * right, but whose deltas don't join to them.
 */

import { env } from 'node:process'
import { answer, TOOLS } from './tool-texts.mjs'
import { cut } from './corpus.mjs'

/** A run that takes too long; `done` is how much of the parts was read, from 0 to 1. */
export class Late extends Error {
  constructor(done) {
    super(`stopped when ${Math.round(done * 100)} % was read`)
    this.done = done
  }
}

/** An answer in parts, as a provider streams it: `{ parts, name, args }`. */
export function answerIn(protocol, shape, length, size, seed) {
  const { text, name, args } = answer(protocol, shape, length, seed)
  const parts = cut(text, size).map((delta) => ({ type: 'text-delta', id: '0', delta }))
  parts.push({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } })
  return { parts, name, args, characters: text.length }
}

async function drain(parts, transform, take, end) {
  let at = 0
  const source = new ReadableStream({
    pull(controller) {
      if (performance.now() > end) controller.error(new Late(at / parts.length))
      else if (at < parts.length) controller.enqueue(parts[at++])
      else controller.close()
    },
  })
  const reader = source.pipeThrough(transform).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    take(value)
  }
}

export function identity() {
  return {
    name: 'identity',
    calls: false,
    follow: (parts, protocol, take, end) => drain(parts, new TransformStream(), take, end),
  }
}

export const PEER = '@ai-sdk-tool/parser'

/** The peer that is installed, or another build of it, whose module TOOL_PARSER names: npm doesn't have 5.1.6. */
export async function peer() {
  const { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol, yamlXmlProtocol } = await import(env.TOOL_PARSER ?? PEER)
  const protocols = { hermes: hermesProtocol(), morph: morphXmlProtocol(), 'qwen3-coder': qwen3CoderProtocol(), yaml: yamlXmlProtocol() }
  return {
    name: PEER,
    calls: true,
    wrongDeltas: ['qwen3-coder', 'yaml'],
    follow: (parts, protocol, take, end) => drain(parts, protocols[protocol].createStreamParser({ tools: TOOLS }), take, end),
  }
}

/** tokenweir with and without a stream. `sources` has a `protocol` by its name, and the `format` where calls are read by one. */
export function ours(ToolCallParser, sources) {
  return [
    {
      name: 'tokenweir',
      calls: true,
      follow: (parts, name, take, end) => drain(parts, sources[name].protocol.createStreamParser({ tools: TOOLS }), take, end),
    },
    {
      name: 'without a stream',
      calls: true,
      follow(parts, name, take) {
        const { protocol, format } = sources[name]
        const parser = new ToolCallParser(format === undefined ? { protocol, tools: TOOLS } : { format, tools: TOOLS })
        for (let i = 0; i < parts.length; i++) {
          const emitted = parser.write(parts[i])
          for (let j = 0; j < emitted.length; j++) take(emitted[j])
        }
        for (const part of parser.finish()) take(part)
      },
    },
  ]
}
