// tokenweir's two block parsers, and a plain JavaScript class like those in
// today's applications. Each feeds all chunks to a new parser.

import { type BlockEmission, BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { StraightforwardParser } from '../../../bench/straightforward.mjs'

export interface Contestant {
  readonly name: string
  /** Reads the chunks, and returns the visible text. */
  run(chunks: readonly string[]): string
}

/** The result of the plain class. */
interface Plain {
  processChunk(chunk: string): { readonly emissions: readonly BlockEmission[] }
  flush(): { readonly emissions: readonly BlockEmission[] }
}

export const PLAIN = 'plain JavaScript'

// Each contestant has its own loop: V8 optimises a loop for the types it has seen,
// and a shared loop would be slow for all.
export const CONTESTANTS: readonly Contestant[] = [
  {
    name: PLAIN,
    run(chunks) {
      const parser: Plain = new StraightforwardParser()
      let visible = ''
      for (const chunk of chunks) for (const one of parser.processChunk(chunk).emissions) if (one.kind === 'content' && one.meta.visible) visible += one.text
      for (const one of parser.flush().emissions) if (one.kind === 'content' && one.meta.visible) visible += one.text
      return visible
    },
  },
  {
    name: 'BlockParser',
    run(chunks) {
      const parser = new BlockParser()
      let visible = ''
      for (const chunk of chunks) for (const one of parser.processChunk(chunk).emissions) if (one.kind === 'content' && one.meta.visible) visible += one.text
      for (const one of parser.flush().emissions) if (one.kind === 'content' && one.meta.visible) visible += one.text
      return visible
    },
  },
  {
    name: 'IncrementalXmlParser',
    run(chunks) {
      const parser = new IncrementalXmlParser()
      let visible = ''
      for (const chunk of chunks) for (const one of parser.processChunk(chunk).emissions) if (one.kind === 'content' && one.meta.visible) visible += one.text
      for (const one of parser.flush().emissions) if (one.kind === 'content' && one.meta.visible) visible += one.text
      return visible
    },
  },
]
