// Feeds a text to a `BlockParser` tag by tag, so that after each tag the parser can
// be asked which elements are open. Where a tag ends, a second parser has found.

import type { Depths } from '../blocks/face.js'
import { BlockParser, type BlockParserOptions } from '../blocks/parser.js'
import type { BlockEmission } from '../blocks/types.js'
import type { Span } from '../span.js'

/** What a piece of text gave: at most one tag, at its end. */
export interface Step {
  /** The parser's emissions, in order. Spans count from the start of the walk. */
  readonly emissions: readonly BlockEmission[]
  /** What is open after it. */
  readonly open: Depths
}

/** One walk through a text, which may come in several parts. */
export class Walk {
  private ends: number[] = []
  private offset = 0
  private open: Depths = { functionCalls: 0, functionResults: 0, thinking: 0 }
  private readonly scout: BlockParser
  private readonly parser: BlockParser

  constructor(options: Pick<BlockParserOptions, 'tags' | 'tools' | 'fences'>) {
    this.scout = new BlockParser({ ...options, spans: true, onMarkup: (_, { span }) => this.ends.push(span[1]) })
    this.parser = new BlockParser({ ...options, spans: true })
  }

  /** The steps of the next part. */
  *feed(text: string): Generator<Step> {
    this.ends = []
    this.scout.processChunk(text)
    const start = this.offset
    for (const end of [...this.ends, start + text.length]) {
      if (end <= this.offset) continue
      const piece = text.slice(this.offset - start, end - start)
      this.offset = end
      yield* this.steps(this.parser.processChunk(piece).emissions)
    }
  }

  /** The last steps: what was pending. */
  end(): Step[] {
    return [...this.steps(this.parser.flush().emissions)]
  }

  /** A closing tag of a value waits for what follows it; then a step has the tags that came since. Only those of thinking open anything. */
  private *steps(emissions: readonly BlockEmission[]): Generator<Step> {
    let from = 0
    for (const [at, emission] of emissions.entries()) {
      if (emission.kind !== 'markup' || emission.role !== 'thinking' || at === emissions.length - 1) continue
      const { open } = this
      if (emission.tagKind === 'open') this.open = { ...open, thinking: open.thinking + 1 }
      yield { emissions: emissions.slice(from, at + 1), open: this.open }
      from = at + 1
    }
    yield this.step(emissions.slice(from))
  }

  private step(emissions: readonly BlockEmission[]): Step {
    this.open = this.parser.getDepths()
    return { emissions, open: this.open }
  }
}

/** The span of the last markup. */
export function lastTag(emissions: readonly BlockEmission[]): Span | undefined {
  let span: Span | undefined
  for (const emission of emissions) if (emission.kind === 'markup') span = emission.span
  return span
}
