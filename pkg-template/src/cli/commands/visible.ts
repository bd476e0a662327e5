// `tokenweir visible`

import type { BlockEmission, BlockParser, BlockParserOptions } from 'tokenweir/blocks'
import { byOptions } from '../cli-error.js'
import { type CommandSpec, type Front, textIn } from '../front.js'
import { fencesOption, startWithThinkingOption, tagsOption } from '../options.js'
import { emittedBySpans } from '../emitted.js'
import type { Screen } from '../views/screen.js'
import { columns, json } from '../views/short.js'

export const visible: CommandSpec = {
  name: 'visible',
  summary: 'only the visible text',
  details: `Reads the text of a recording. The output is the plain text, without a line per event;
Markup that is quoted in Markdown code is shown. --json prints {"text"} for each piece.`,
  example: `  $ printf 'Wait. <thinking>Hm.</thinking>Yes.' | npx tokenweir visible
  Wait. Yes.`,
  options: [tagsOption(), startWithThinkingOption(), fencesOption('text')],
  async load(options) {
    const { BlockParser } = await import('tokenweir/blocks')
    const given: BlockParserOptions = {
      tags: options['tags'] as BlockParserOptions['tags'],
      startWithThinking: options['startWithThinking'] === true,
      fences: options['fences'] as BlockParserOptions['fences'],
    }
    return {
      front: new VisibleFront(byOptions(() => new BlockParser(given))),
      readsText: true,
      isText: true,
      emitted() {
        const shadow = new BlockParser({ ...given, spans: true })
        return emittedBySpans((chunk) =>
          shadow
            .processChunk(chunk)
            .emissions.flatMap((emission) =>
              emission.kind === 'content' ? emission.meta : emission.kind === 'markup' ? emission : [],
            ),
        )
      },
    }
  },
}

class VisibleFront implements Front<string> {
  constructor(private readonly parser: BlockParser) {}

  text(chunk: string): string[] {
    return visibleIn(this.parser.processChunk(chunk).emissions)
  }

  native(emission: BlockEmission): string[] {
    return this.text(textIn(emission))
  }

  finish(): string[] {
    return visibleIn(this.parser.flush().emissions)
  }

  json(text: string): unknown {
    return { text }
  }

  line(text: string): string {
    return columns([['text', 4]], json(text))
  }

  paint(text: string, screen: Screen): void {
    screen.write(text)
  }
}

function visibleIn(emissions: readonly BlockEmission[]): string[] {
  return emissions.flatMap((emission) => (emission.kind === 'content' && emission.meta.visible ? emission.text : []))
}
