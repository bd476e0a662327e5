// tokenweir's two faces of the block front-end, and a plain JavaScript class that is
// written the way applications do it today. Each feeds all chunks to a new parser.

import { type BlockEmission, BlockParser, IncrementalXmlParser } from 'tokenweir/blocks'
import { StraightforwardParser } from '../../../bench/straightforward.mjs'

export interface Contestant {
  readonly name: string
  /** Reads the chunks, and gives the visible text. */
  run(chunks: readonly string[]): string
}

/** What the plain class gives: its lists are typed by what stands in them. */
interface Plain {
  processChunk(chunk: string): { readonly emissions: readonly BlockEmission[] }
  flush(): { readonly emissions: readonly BlockEmission[] }
}

export const PLAIN = 'plain JavaScript'

// The loops are written out: V8 optimises one by what it has seen, and a loop that
// all shared would be slow for all.
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
