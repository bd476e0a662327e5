import type { Span } from '../span.js'
import type { AnyTag, Attributes, CustomTag, Meaning, Role, TagRole } from './custom-types.js'

export type { TagRole }

/**
 * The kind of the logical block that a chunk belongs to. `Custom`: the definitions of custom tags.
 *
 * @example
 * ```ts
 * import { BlockParser, type ChunkType } from 'tokenweir/blocks'
 *
 * const seen = new Set<ChunkType>()
 * const parser = new BlockParser({ onChunk: (text, meta) => seen.add(meta.type) })
 * parser.processChunk('<thinking>hm</thinking>Hello')
 * console.log([...seen]) // [ 'thinking', 'text' ]
 * ```
 */
export type ChunkType<Custom extends Meaning = Role> =
  | 'text'
  | 'thinking'
  | 'tool_call'
  | 'tool_result'
  | BlockOf<Custom>['type']

/**
 * The same four kinds, under membrane's name.
 *
 * @example
 * ```ts
 * import { type MembraneBlockType } from 'tokenweir/blocks'
 * import { IncrementalXmlParser } from 'tokenweir/membrane'
 *
 * const parser = new IncrementalXmlParser()
 * parser.processChunk('<thinking>hm')
 * const type: MembraneBlockType = parser.getCurrentBlockType()
 * console.log(type) // thinking
 * ```
 */
export type MembraneBlockType = ChunkType

/**
 * Metadata of a chunk of streamed text.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser({ onChunk: (text, meta) => console.log(text, meta) })
 * parser.processChunk('Hello') // Hello { type: 'text', visible: true, blockIndex: 0 }
 * ```
 */
export type ChunkMeta<Custom extends Meaning = Role> = BareChunkMeta | ChunkMetaOf<BlockOf<Custom>>

/** The metadata of chunks of custom tags. */
type ChunkMetaOf<Block> = Block extends CustomBlock
  ? Omit<BareChunkMeta<Block['type']>, 'attributes'> & Readonly<Pick<Block, 'attributes'>>
  : never

/**
 * What metadata of a chunk may have. That of a custom tag's chunk always has `attributes`.
 *
 * @example
 * ```ts
 * import { type BareChunkMeta, BlockParser } from 'tokenweir/blocks'
 *
 * const show = (text: string, { type, visible }: BareChunkMeta) => console.log(text, type, visible)
 * new BlockParser({ onChunk: show }).processChunk('Hello') // Hello text true
 * ```
 */
export interface BareChunkMeta<Type extends string = MembraneBlockType> {
  /** Kind of the block. */
  readonly type: Type
  /** True for `text`, and for custom tags that are: the text that a reader sees or a speech server speaks. */
  readonly visible: boolean
  /** Index of the block, from 0, the same as in its block events. */
  readonly blockIndex: number
  /** Nesting depth of tool calls, from 1. On `tool_call` chunks. */
  readonly depth?: number
  /** The part of a tool call: its name, its id, or a piece of its input's JSON text. */
  readonly toolCallPart?: 'name' | 'id' | 'input'
  /** On `tool_call` and `tool_result` chunks, as soon as it is known. */
  readonly toolId?: string
  /** On `tool_call` chunks, as soon as it is known. */
  readonly toolName?: string
  /** True on chunks of a tool call that stands inside thinking: don't execute it. */
  readonly insideThinking?: true
  /** `readReply` of native events only: true on chunks of a tool call whose tags stand in the text. */
  readonly inText?: true
  /**
   * True on the last chunk of a tool call in tags that was cut off, or that can't be read: its text closes what the
   * model left open, so the JSON looks whole and isn't.
   */
  readonly incomplete?: true
  /** Native events only: true on chunks of a call that the provider runs itself, and of its result. */
  readonly hosted?: true
  /** On chunks of a custom tag: its attributes, decoded. */
  readonly attributes?: Readonly<Record<string, string>>
  /** On chunks of a custom tag inside another one: the index of that one's block. */
  readonly parent?: number
  /** The span of the chunk. Only with `spans: true`. */
  readonly span?: Span
}

/**
 * A whole block, as its `block_complete` event carries it.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser({
 *   generateId: () => 'toolu_1',
 *   onBlock: (event) => event.event === 'block_complete' && console.log(JSON.stringify(event.block)),
 * })
 * parser.processChunk('<function_calls><invoke name="add"><parameter name="a">1</parameter></invoke>')
 * ```
 * ```text
 * {"type":"tool_call","toolId":"toolu_1","toolName":"add","input":{"a":1}}
 * ```
 */
export type MembraneBlock = TextBlock | ThinkingBlock | ToolCallBlock | ToolResultBlock

/**
 * What a block of another kind may have.
 *
 * @example
 * ```ts
 * import { type BareBlock, BlockParser } from 'tokenweir/blocks'
 *
 * const show = ({ span, contentSpan }: BareBlock) => console.log(span, contentSpan)
 * const parser = new BlockParser({
 *   spans: true,
 *   onBlock: (event) => event.event === 'block_complete' && show(event.block),
 * })
 * parser.processChunk('<thinking>hm</thinking>') // [ 0, 23 ] [ 10, 12 ]
 * ```
 */
export interface BareBlock {
  /** Its span, with its tags. Only with `spans: true`. */
  span?: Span
  /** The span between its tags. Only with `spans: true`. */
  contentSpan?: Span
  /** On tool calls and tool results. */
  toolId?: string | undefined
  /** On tool calls. */
  toolName?: string | undefined
  /** On tool calls. */
  input?: Record<string, unknown> | undefined
  /** On tool results. */
  isError?: boolean | undefined
  /** On all but text. */
  incomplete?: true | undefined
  /** On tool calls. */
  problem?: ToolCallBlock['problem'] | undefined
  /** On tool calls. */
  repairs?: readonly string[] | undefined
  /** If it began before a restore from a snapshot with `keepText: false`: its `content` is what came since then. */
  partial?: true
  /** On tool calls. */
  insideThinking?: true | undefined
  /** On tool calls. */
  inText?: true | undefined
}

/**
 * Visible text.
 *
 * @example
 * ```ts
 * import type { TextBlock } from 'tokenweir/blocks'
 *
 * const block: TextBlock = { type: 'text', content: 'Hello' }
 * console.log(block.content) // Hello
 * ```
 */
export interface TextBlock extends BareBlock {
  /** Its kind. */
  type: 'text'
  /** The whole text. */
  content: string
  /** Native events only: the provider's signature. */
  signature?: string
  /** Native events only: the provider's citations, as they came. */
  citations?: readonly object[]
}

/**
 * Thinking.
 *
 * @example
 * ```ts
 * import type { ThinkingBlock } from 'tokenweir/blocks'
 *
 * const block: ThinkingBlock = { type: 'thinking', content: 'h', incomplete: true }
 * console.log(block.incomplete) // true
 * ```
 */
export interface ThinkingBlock extends BareBlock {
  /** Its kind. */
  type: 'thinking'
  /** The whole text. */
  content: string
  /** If the reply ended inside it. */
  incomplete?: true
  /** Native events only: the thinking is the provider's summary of an earlier conversation. */
  compaction?: true
  /** Native events only: the provider's signature, without which it refuses the thinking in the next request. */
  signature?: string
  /** Native events only: what the provider has encrypted of it. */
  data?: string
}

/**
 * A tool call; or text between calls, which has `content` and no id.
 *
 * @example
 * ```ts
 * import { BlockParser, type ToolCallBlock } from 'tokenweir/blocks'
 *
 * const call = (block: ToolCallBlock) => block.incomplete || console.log(block.toolName, block.input)
 * const parser = new BlockParser({
 *   onBlock: ({ event, block }) => event === 'block_complete' && block.type === 'tool_call' && call(block),
 * })
 * parser.processChunk('<invoke name="add"><parameter name="a">1</parameter></invoke>') // add { a: 1 }
 * ```
 */
export interface ToolCallBlock extends BareBlock {
  /** Its kind. */
  type: 'tool_call'
  /** Its id. */
  toolId?: string
  /** Its name. */
  toolName?: string
  /**
   * The parsed parameters: `JSON.parse` of its joined `input` chunks or, where a list or an object was not written as
   * JSON, what the repairs of tool calls read.
   */
  input?: Record<string, unknown>
  /** The whole text, if there is no `input`. */
  content?: string
  /** Native events only: the provider's signature. */
  signature?: string
  /** If it was cut off, or its input is not valid JSON: don't execute it. */
  incomplete?: true
  /**
   * Why it is `incomplete`: `missing-arguments`: a call of native events has none, and the schema of its tool in
   * `tools` requires some. `repeated-argument`: an argument came again after its chunks were emitted, so the call comes
   * again as the next block, under another id. `call-in-thinking`: it stands in the thinking of a reply that has
   * neither text nor another call. `repeated-id`: a call of native events with this id was complete before, with
   * other arguments.
   */
  problem?: 'missing-arguments' | 'repeated-argument' | 'call-in-thinking' | 'repeated-id'
  /**
   * What was repaired in its input, if something was, by the names that `Repair` of `tokenweir/tool-calls` has:
   * `kept-escape`, `trailing-comma`; `repeated-argument`: an argument or a key of JSON came twice, and the last one
   * counts.
   */
  repairs?: readonly string[]
  /** If it stands inside thinking: don't execute it. */
  insideThinking?: true
  /**
   * `readReply` of native events only: its tags stand in the text, so the model may only repeat what it has read.
   * Execute it only for a model that is known to write its calls like this.
   */
  inText?: true
  /** Native events only: the provider runs the tool itself, so the program must not. */
  hosted?: true
}

/**
 * A tool's result.
 *
 * @example
 * ```ts
 * import type { ToolResultBlock } from 'tokenweir/blocks'
 *
 * const block: ToolResultBlock = { type: 'tool_result', content: 'Rain.', toolId: 'toolu_1' }
 * console.log(block.toolId) // toolu_1
 * ```
 */
export interface ToolResultBlock extends BareBlock {
  /** Its kind. */
  type: 'tool_result'
  /** The whole text. */
  content: string
  /** The id of its call. */
  toolId?: string
  /** If it reports an error. */
  isError?: boolean
  /** If the reply ended inside it. */
  incomplete?: true
  /** Native events only: the provider runs the tool itself, so the program must not. */
  hosted?: true
}

/**
 * The block of a custom tag: see `CustomTag`. `Name`: the names of attributes that its definition has.
 *
 * @example
 * ```ts
 * import { BlockParser, type CustomBlock } from 'tokenweir/blocks'
 *
 * const save = ({ attributes, content }: CustomBlock<'file', 'path'>) => console.log(attributes.path, content)
 * const parser = new BlockParser({
 *   tags: { write: { type: 'file', attributes: ['path'] } },
 *   onBlock: ({ event, block }) => event === 'block_complete' && block.type === 'file' && save(block),
 * })
 * parser.processChunk('<write path="a.txt">Hello</write>') // a.txt Hello
 * ```
 */
export interface CustomBlock<Type extends string = string, Name extends string = string> extends BareBlock {
  /** Its type: that of its tag's definition. */
  type: Type
  /** The whole text between its tags as it is written, without that of tags inside. */
  content: string
  /** Its attributes, decoded; the first one of a name counts. The model may leave out any. */
  attributes: Readonly<Attributes<Name>>
  /** If its tag stands inside another one: the index of that one's block. */
  parent?: number
  /** If the reply ended inside it. */
  incomplete?: true
}

/** The blocks of definitions, and of those inside of them; those inside of any are any. */
type BlockOf<Custom> =
  Custom extends CustomTag<infer Type, infer Name, infer Child>
    ? CustomBlock<Type, Name> | (AnyTag extends Child ? never : BlockOf<Child>)
    : never

/**
 * A block's boundary.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockEvent } from 'tokenweir/blocks'
 *
 * const show = ({ event, index, block }: BlockEvent) => {
 *   if (event === 'block_start' || event === 'block_complete') console.log(event, index, block.type)
 * }
 * const parser = new BlockParser({ onBlock: show })
 * parser.processChunk('Hello')
 * parser.flush()
 * ```
 * ```text
 * block_start 0 text
 * block_complete 0 text
 * ```
 */
export type BlockEvent<Custom extends Meaning = Role> =
  | BlockStartEvent<Custom>
  | BlockCompleteEvent<Custom>
  | StopEvent
  | ReclassifyEvent

/**
 * A block starts.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockStartEvent } from 'tokenweir/blocks'
 *
 * const started = ({ index, block }: BlockStartEvent) => console.log(index, block.type)
 * const parser = new BlockParser({ onBlock: (event) => event.event === 'block_start' && started(event) })
 * parser.processChunk('Hello') // 0 text
 * ```
 */
export interface BlockStartEvent<Custom extends Meaning = Role> {
  /** Which event it is. */
  event: 'block_start'
  /** Index of the block, from 0. */
  index: number
  /** What is known of the block. */
  block:
    | {
        /** Kind of the block. */
        type: MembraneBlockType
        /** On a tool call inside thinking. */
        insideThinking?: true
        /** On a tool call whose tags stand in the text of native events: see `readReply`. */
        inText?: true
      }
    | StartOf<BlockOf<Custom>>
}

/** What is known of the block of a custom tag at its start. */
type StartOf<Block> = Block extends CustomBlock
  ? Pick<Block, 'type' | 'attributes' | 'parent' | 'insideThinking' | 'inText'>
  : never

/**
 * A block is complete.
 *
 * @example
 * ```ts
 * import { type BlockCompleteEvent, BlockParser } from 'tokenweir/blocks'
 *
 * const completed = ({ index, block }: BlockCompleteEvent) => console.log(index, block)
 * const parser = new BlockParser({ onBlock: (event) => event.event === 'block_complete' && completed(event) })
 * parser.processChunk('<thinking>hm</thinking>') // 0 { type: 'thinking', content: 'hm' }
 * ```
 */
export interface BlockCompleteEvent<Custom extends Meaning = Role> {
  /** Which event it is. */
  event: 'block_complete'
  /** Index of the block, the same as at its start. */
  index: number
  /** The whole block. */
  block: MembraneBlock | BlockOf<Custom>
}

/**
 * A stop sequence ended the reply: see `stopSequences`.
 *
 * @example
 * ```ts
 * import { BlockParser, type StopEvent } from 'tokenweir/blocks'
 *
 * const stopped = ({ sequence, offset }: StopEvent) => console.log(JSON.stringify(sequence), offset)
 * const parser = new BlockParser({
 *   stopSequences: ['\nAlice:'],
 *   onBlock: (event) => event.event === 'stop' && stopped(event),
 * })
 * parser.processChunk('Hello.\nAlice: Hi!') // "\nAlice:" 6
 * ```
 */
export interface StopEvent {
  /** Which event it is. */
  event: 'stop'
  /** The sequence. */
  sequence: string
  /** Where it begins, in UTF-16 code units from the start of the stream. */
  offset: number
  /** Index of the block that it ended; of the next one if none was open. */
  block: number
  /** It has none. */
  index?: undefined
}

/**
 * Text that was emitted as visible was thinking: see `unopenedThinking`.
 *
 * @example
 * ```ts
 * import { BlockParser, type ReclassifyEvent } from 'tokenweir/blocks'
 *
 * const text = 'So, hm.</thinking>Hello'
 * const hide = ({ from, to }: ReclassifyEvent) => console.log(text.slice(from, to))
 * const parser = new BlockParser({
 *   unopenedThinking: 'report',
 *   onBlock: (event) => event.event === 'reclassify' && hide(event),
 * })
 * parser.processChunk(text) // So, hm.
 * ```
 */
export interface ReclassifyEvent {
  /** Which event it is. */
  event: 'reclassify'
  /** What the text was. */
  as: 'thinking'
  /** Where the text begins, in UTF-16 code units from the start of the stream. */
  from: number
  /** Where it ends: at the closing tag. */
  to: number
  /** It has none. */
  index?: undefined
  /** It has none. */
  block?: undefined
}

/**
 * One event, in order.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * for (const emission of new BlockParser().processChunk('<thinking>hm').emissions) {
 *   if (emission.kind === 'content') console.log(emission.meta.type, emission.text)
 *   else if (emission.kind === 'blockEvent') console.log(emission.event.event)
 * }
 * ```
 * ```text
 * block_start
 * thinking hm
 * ```
 */
export type BlockEmission<Custom extends Meaning = Role> =
  | BlockDelta<Custom>
  | {
      /** A call of `onBlock`. */
      kind: 'blockEvent'
      /** The boundary. */
      event: BlockEvent<Custom>
    }
  | MarkupEmission

/**
 * A piece of a block.
 *
 * @example
 * ```ts
 * import { type BlockDelta, BlockParser } from 'tokenweir/blocks'
 *
 * const isDelta = (emission: { kind: string }): emission is BlockDelta => emission.kind === 'content'
 * const deltas: BlockDelta[] = new BlockParser().processChunk('Hello').emissions.filter(isDelta)
 * console.log(deltas.map(({ text, meta }) => [meta.type, text])) // [ [ 'text', 'Hello' ] ]
 * ```
 */
export interface BlockDelta<Custom extends Meaning = Role> {
  /** A call of `onChunk`. */
  kind: 'content'
  /** The piece of text. */
  text: string
  /** Its metadata. */
  meta: ChunkMeta<Custom>
}

/**
 * Text that is markup or layout: neither content nor value. Only with `spans: true`.
 *
 * @example
 * ```ts
 * import { BlockParser, type MarkupEmission } from 'tokenweir/blocks'
 *
 * const show = ({ text, span, role, tagKind, name }: MarkupEmission) => console.log(text, span, role, tagKind, name)
 * const parser = new BlockParser({ spans: true, onMarkup: (text, markup) => show(markup) })
 * parser.processChunk('a<thinking>') // <thinking> [ 1, 11 ] thinking open thinking
 * ```
 */
export interface MarkupEmission {
  /** A call of `onMarkup`. */
  kind: 'markup'
  /** The markup as written. */
  text: string
  /** Its span. */
  span: Span
  /** What it is: (a part of) an opening, closing or self-closing tag, or white space between tags. */
  tagKind: 'open' | 'close' | 'self-closing' | 'layout'
  /** The role of the tag; absent on layout and for custom tags. */
  role?: TagRole
  /** The name of the tag as written, with its prefix; absent on layout. */
  name?: string
}

/**
 * Called for each piece of streamed content.
 *
 * @example
 * ```ts
 * import { BlockParser, type OnChunk } from 'tokenweir/blocks'
 *
 * let spoken = ''
 * const onChunk: OnChunk = (text, { visible }) => {
 *   if (visible) spoken += text
 * }
 * new BlockParser({ onChunk }).processChunk('<thinking>hm</thinking>Hello')
 * console.log(spoken) // Hello
 * ```
 */
export type OnChunk<Custom extends Meaning = Role> = (chunk: string, meta: ChunkMeta<Custom>) => void

/**
 * Called at each block boundary.
 *
 * @example
 * ```ts
 * import { BlockParser, type OnBlock } from 'tokenweir/blocks'
 *
 * const onBlock: OnBlock = (event) => {
 *   if (event.event === 'block_complete') console.log(event.block)
 * }
 * new BlockParser({ onBlock }).processChunk('<thinking>hm</thinking>') // { type: 'thinking', content: 'hm' }
 * ```
 */
export type OnBlock<Custom extends Meaning = Role> = (event: BlockEvent<Custom>) => void

/**
 * The result of a tool, to report as a `tool_result` block.
 *
 * @example
 * ```ts
 * import { BlockParser, type ToolResult } from 'tokenweir/blocks'
 *
 * const result: ToolResult = { toolUseId: 'toolu_1', content: [{ type: 'text', text: '3' }] }
 * const parser = new BlockParser({ onChunk: (text, meta) => console.log(text, meta.toolId) })
 * parser.emitToolResults([result]) // 3 toolu_1
 * ```
 */
export interface ToolResult {
  /** Id of the tool call that it answers. */
  toolUseId: string
  /** The tool's output: text, or content blocks whose text is joined. */
  content:
    | string
    | ReadonlyArray<{
        /** `text`; blocks of other types are ignored. */
        type: string
        /** The text. */
        text?: string
      }>
  /** True when the tool failed. */
  isError?: boolean
}

/**
 * What a call gave.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockResult } from 'tokenweir/blocks'
 *
 * const { emissions }: BlockResult = new BlockParser().processChunk('Hello')
 * console.log(emissions.map(({ kind }) => kind)) // [ 'blockEvent', 'content' ]
 * ```
 */
export interface BlockResult<Custom extends Meaning = Role> {
  /** The events in the order in which they happened, the same as the callbacks got. */
  readonly emissions: Array<BlockEmission<Custom>>
}
