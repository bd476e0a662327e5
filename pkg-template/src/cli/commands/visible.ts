// `tokenweir visible`

import { Option } from 'commander'
import type { BlockEmission, BlockParser, BlockParserOptions } from 'tokenweir/blocks'
import { ShownText } from '../../reply/for-cli.js'
import { byOptions } from '../cli-error.js'
import { formatOptions, textFormat } from '../format.js'
import { type CommandSpec, type Front, textIn } from '../front.js'
import { fencesOption, startWithThinkingOption, tagsOption } from '../options.js'
import { toolsIn } from '../tools.js'
import type { Screen } from '../views/screen.js'
import { columns, json } from '../views/short.js'

export const visible: CommandSpec = {
  name: 'visible',
  summary: 'only the visible text',
  details: `Reads the text of a recording. The output is the plain text, without a line per event, and without the white
space around hidden markup. Markup that is quoted in Markdown code is shown. --json prints {"text"} for each piece.`,
  example: `  $ printf 'Wait. <thinking>Hm.</thinking>Yes.' | npx tokenweir visible
  Wait. Yes.`,
  options: [
    ...formatOptions(),
    new Option(
      '--tools <file>',
      'with --format or --model: JSON file of the tools, for formats whose tags are their names',
    ),
    tagsOption(),
    startWithThinkingOption(),
    fencesOption('text'),
    new Option('--no-trim-markup', 'keep all white space around hidden markup'),
  ],
  async load(options) {
    const { BlockParser } = await import('tokenweir/blocks')
    const given: BlockParserOptions = {
      tags: options['tags'] as BlockParserOptions['tags'],
      startWithThinking: options['startWithThinking'] === true,
      fences: options['fences'] as BlockParserOptions['fences'],
    }
    const format = await textFormat(options, toolsIn(options['tools'] as string | undefined), given.fences)
    const parser = byOptions(() => new BlockParser(given))
    return {
      front: new VisibleFront(parser, format !== undefined, options['trimMarkup'] !== false),
      readsText: true,
      format,
      isText: true,
    }
  },
}

class VisibleFront implements Front<string> {
  readonly #shown: ShownText | undefined

  /** `isRead`: all blocks are native ones. */
  constructor(
    private readonly parser: BlockParser,
    private readonly isRead: boolean,
    trims: boolean,
  ) {
    if (trims) this.#shown = new ShownText()
  }

  text(chunk: string): string[] {
    return this.#visibleIn(this.parser.processChunk(chunk).emissions)
  }

  native(emission: BlockEmission): string[] {
    const text = this.isRead ? '' : textIn(emission)
    return text === '' ? this.#visibleIn([emission]) : this.text(text)
  }

  finish(): string[] {
    const rest = this.#visibleIn(this.parser.flush().emissions)
    const last = this.#shown?.finish() ?? ''
    return last === '' ? rest : [...rest, last]
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

  #visibleIn(emissions: readonly BlockEmission[]): string[] {
    const texts = emissions.map((emission) => {
      if (this.#shown !== undefined) return this.#shown.read(emission)
      return emission.kind === 'content' && emission.meta.visible ? emission.text : ''
    })
    return texts.filter((text) => text !== '')
  }
}
