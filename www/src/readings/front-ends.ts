// The parsers that the page can switch between.

import type { Emitted } from '../emitted'
import type { ArgumentReading } from './arguments'
import { type BlockChoice, BlockReading } from './blocks'
import type { EditReading } from './edits'
import { type FieldChoice, FieldReading } from './fields'
import { type FormatChoice, formatSource } from './formats'
import { PartReading } from './parts'
import type { Changed } from './reading'
import { ReplyReading } from './replies'
import { type SegmentChoice, SegmentReading } from './segments'
import { type ToolCallChoice, protocolSource } from './tool-calls'

export type FrontEnd = 'formats' | 'fields' | 'arguments' | 'edits' | 'segments' | 'blocks' | 'tool-calls'

/** What a tab is for, and what a program imports for it: the entry, its name, and what it does with it. */
interface About {
  readonly label: string
  readonly what: string
  readonly entry: string
  readonly name: string
  readonly program: string
}

/** The tabs, in their order. */
export const ABOUT: Readonly<Record<FrontEnd, About>> = {
  formats: {
    label: 'Show the text',
    what: 'The text of a reply, without the thinking and the tool calls that a local model writes into it.',
    entry: 'tokenweir',
    name: 'visibleText',
    program: `const response = fetch(url, { method: 'POST', body })
for await (const text of visibleText(response, { model })) {
  show(text)
}`,
  },
  fields: {
    label: 'Fill a form',
    what: 'A JSON answer, value by value, with prose and fences around it.',
    entry: 'tokenweir/fields',
    name: 'parseFields',
    program: `const answer = parseFields(stream, schema)
answer.on('title', ({ delta }) => show(delta))
const form = await answer.result()`,
  },
  arguments: {
    label: 'Show a call',
    what: 'The JSON arguments of a call while they are written, with the values that are final.',
    entry: 'tokenweir/args',
    name: 'ArgumentsReader',
    program: `const call = new ArgumentsReader()
call.onText('content', (delta) => show(delta))
for await (const delta of deltas) call.write(delta)
call.end(finishReason)`,
  },
  edits: {
    label: 'Show file changes',
    what: 'The patches in a reply: each file as soon as its name is known, old lines and new lines while they are written.',
    entry: 'tokenweir/edits',
    name: 'parseEdits',
    program: `for await (const event of parseEdits(stream)) {
  if (event.type === 'delta') show(event.side, event.delta)
}`,
  },
  segments: {
    label: 'Follow an agent',
    what: 'The files, commands and tools of a coding agent, as XML, JSON or sentinels, to be approved before they run.',
    entry: 'tokenweir/segments',
    name: 'StreamingResponseHandler',
    program: `const handler = new StreamingResponseHandler({
  onSegmentEvent: show,
  onToolInvocation: approve,
})
for await (const chunk of stream) handler.feed(chunk)
handler.finalize()`,
  },
  blocks: {
    label: 'Read XML tags',
    what: 'Thinking, tool calls and results, written as XML tags.',
    entry: 'tokenweir/blocks',
    name: 'BlockParser',
    program: `const parser = new BlockParser({
  onChunk: (text, { visible }) => visible && show(text),
})
for await (const chunk of stream) parser.processChunk(chunk)
parser.flush()`,
  },
  'tool-calls': {
    label: 'Use the AI SDK',
    what: 'Calls of a model without native tool calling, as parts of an AI SDK stream.',
    entry: 'tokenweir/ai-sdk',
    name: 'hermesToolMiddleware',
    program: `const model = wrapLanguageModel({
  model: localModel,
  middleware: hermesToolMiddleware,
})`,
  },
}

export const FRONT_ENDS = Object.keys(ABOUT) as readonly FrontEnd[]

/** What reads two of the tabs; undefined while it isn't loaded. */
export type Late = typeof import('./late')

/** The settings of each parser. */
export interface Choices {
  readonly blocks: BlockChoice
  readonly segments: SegmentChoice
  readonly fields: FieldChoice
  readonly 'tool-calls': ToolCallChoice
  readonly formats: FormatChoice
  readonly arguments: { readonly schema: string }
  readonly late: Late | undefined
}

export type AnyReading =
  | { readonly frontEnd: 'blocks'; readonly reading: BlockReading }
  | { readonly frontEnd: 'segments'; readonly reading: SegmentReading }
  | { readonly frontEnd: 'fields'; readonly reading: FieldReading }
  | { readonly frontEnd: 'tool-calls'; readonly reading: PartReading }
  | { readonly frontEnd: 'formats'; readonly reading: ReplyReading }
  | { readonly frontEnd: 'arguments'; readonly reading: ArgumentReading }
  | { readonly frontEnd: 'edits'; readonly reading: EditReading }

/** Opens a parser. Throws if a setting is invalid. */
export function open(frontEnd: FrontEnd, emitted: Emitted, choices: Choices, changed: Changed): AnyReading {
  switch (frontEnd) {
    case 'blocks':
      return { frontEnd, reading: new BlockReading(emitted, choices.blocks, changed) }
    case 'segments':
      return { frontEnd, reading: new SegmentReading(emitted, choices.segments, changed) }
    case 'fields':
      return { frontEnd, reading: new FieldReading(emitted, choices.fields) }
    case 'tool-calls':
      return { frontEnd, reading: new PartReading(emitted, protocolSource(choices['tool-calls']), changed) }
    case 'formats':
      return { frontEnd, reading: new ReplyReading(emitted, formatSource(choices.formats), changed) }
    case 'arguments':
      return { frontEnd, reading: new (loaded(choices).ArgumentReading)(emitted, choices.arguments.schema) }
    case 'edits':
      return { frontEnd, reading: new (loaded(choices).EditReading)(emitted, changed) }
  }
}

function loaded({ late }: Choices): Late {
  if (late === undefined) throw new Error('The reader of this tab is loading.')
  return late
}
