// `tokenweir blocks`

import { Option } from 'commander'
import type { BlockEmission, BlockParserOptions } from 'tokenweir/blocks'
import { byOptions } from '../cli-error.js'
import { formatOptions, textFormat } from '../format.js'
import { type CommandSpec, type Front, textIn } from '../front.js'
import { counter } from '../ids.js'
import { startWithThinkingOption, tagsOption } from '../options.js'
import { schemasOf, toolsIn } from '../tools.js'
import type { Screen, Style } from '../views/screen.js'
import { columns, json, place, sentence, short } from '../views/short.js'

export const blocks: CommandSpec = {
  name: 'blocks',
  summary: 'text, thinking, tool calls and tool results',
  details: `Parses the tags of prefill mode in raw text: <thinking>, <function_calls>, <function_results>.
With --format or --model the format of a model's text counts instead. A recording is read as by readReply: its native
blocks, and those that tags in its text make; with --text only the tags in its text count.
--json prints the emissions of BlockParser and NativeBlocks:
{"kind":"content","text","meta"} and {"kind":"blockEvent","event"}.`,
  example: `  $ printf 'Wait. <thinking>Hm.</thinking>Yes.' | npx tokenweir blocks
  0 text         start
  0 text         "Wait. "
  0 text         complete
  1 thinking     start
  1 thinking     "Hm."
  1 thinking     complete
  2 text         start
  2 text         "Yes."
  2 text         complete`,
  options: [
    ...formatOptions('text', 'spans'),
    tagsOption(),
    new Option(
      '--text',
      "parse only the tags in a recording's text, not its native blocks; implied by --tags, " +
        '--start-with-thinking and --fences text',
    ),
    startWithThinkingOption(),
    new Option(
      '--fences <how>',
      'markup in Markdown code: parse it, or leave it as text (default: "parse", with --format "text")',
    ).choices(['parse', 'text']),
    new Option('--tools <file>', 'JSON file of the tools; their schemas give parameters their types'),
    new Option('--spans', 'print spans, and markup as events'),
  ],
  async load(options) {
    const { BlockParser } = await import('tokenweir/blocks')
    const tags = options['tags'] as BlockParserOptions['tags']
    const given = toolsIn(options['tools'] as string | undefined)
    const tools = schemasOf(given) as BlockParserOptions['tools']
    const startWithThinking = options['startWithThinking'] === true
    const fences = options['fences'] as BlockParserOptions['fences']
    const format = await textFormat(options, given, fences)
    const isOfTags = options['text'] === true || tags !== undefined || startWithThinking || fences === 'text'
    const readsText = format === undefined && isOfTags
    const nextId = counter()
    const spans = options['spans'] === true
    const parser = byOptions(
      () => new BlockParser({ tags, tools, fences, spans, startWithThinking, generateId: () => nextId() }),
    )
    return { front: new BlockFront(parser, readsText), readsText, format }
  },
}

interface Parser {
  processChunk(chunk: string): { readonly emissions: BlockEmission[] }
  flush(): { readonly emissions: BlockEmission[] }
}

const STYLES: Readonly<Record<string, Style | undefined>> = {
  text: undefined,
  thinking: 'dim',
  tool_call: 'yellow',
  tool_result: 'green',
}

class BlockFront implements Front<BlockEmission> {
  constructor(
    private readonly parser: Parser,
    private readonly readsText: boolean,
  ) {}

  text(chunk: string): BlockEmission[] {
    return this.parser.processChunk(chunk).emissions
  }

  native(emission: BlockEmission): BlockEmission[] {
    return this.readsText ? this.text(textIn(emission)) : [emission]
  }

  finish(): BlockEmission[] {
    return this.parser.flush().emissions
  }

  json(emission: BlockEmission): unknown {
    return emission
  }

  line(emission: BlockEmission): string {
    if (emission.kind === 'markup')
      return columns(
        [
          ['-', 1],
          ['markup', 12],
        ],
        short(emission.text) + place(emission.span),
      )
    if (emission.kind === 'content') {
      const { blockIndex, type, toolCallPart, span } = emission.meta
      return this.#row(
        blockIndex,
        type,
        `${toolCallPart === undefined ? '' : `${toolCallPart} `}${json(emission.text)}${place(span)}`,
      )
    }
    if (emission.event.event === 'stop' || emission.event.event === 'reclassify')
      return columns(
        [
          ['-', 1],
          [emission.event.event, 12],
        ],
        json(emission.event),
      )
    const { event, index, block } = emission.event
    if (event === 'block_start') return this.#row(index, block.type, 'start')
    const { input, content, toolId, isError, incomplete } = block
    const rest = [
      'complete',
      block.type === 'tool_call' ? short(input ?? content) : '',
      block.type === 'tool_result' && toolId !== undefined ? toolId : '',
      isError ? '(error)' : '',
      incomplete ? '(incomplete)' : '',
    ]
    return this.#row(index, block.type, sentence(rest))
  }

  paint(emission: BlockEmission, screen: Screen): void {
    if (emission.kind === 'markup') return
    if (emission.kind === 'content') {
      const { type, toolCallPart } = emission.meta
      if (toolCallPart === 'id') return
      if (toolCallPart === 'name') screen.write(`${emission.text} `, 'name')
      else screen.write(emission.text, STYLES[type])
      return
    }
    const { event, block } = emission.event
    if (event === 'stop' || event === 'reclassify' || block.type === 'text') return
    if (event === 'block_complete' && block.isError) screen.write(' (error)', 'red')
    if (event === 'block_complete' && block.incomplete) screen.write(' (incomplete)', 'red')
    screen.endLine()
  }

  #row(index: number, type: string, rest: string): string {
    return columns(
      [
        [String(index), 1],
        [type, 12],
      ],
      rest,
    )
  }
}
