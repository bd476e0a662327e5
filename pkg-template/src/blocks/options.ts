// The options of `BlockParser`: checked once, by name, when a parser is made.

import { BLOCK_KINDS, BlockKind, Limit, TagAnswer, TagSet } from '../generated/ops.js'
import { describe } from '../errors.js'
import { type Check, type OptionTable, callback, checkOptions, elsewhere, flag, must, text, word } from '../options.js'
import { isRecord } from '../own.js'
import type { GivenTools } from '../schema/tool-list.js'
import type { CustomTag, Known, Meaning, Role } from './custom-types.js'
import type { MarkupEmission, OnBlock, OnChunk } from './types.js'
import type { StopOptions } from './stop-sequences.js'
import { type OwnTagIn, type TagTable, builtInTags, makeTags } from '../wasm/blocks.js'

/**
 * A JSON schema of a tool's input: what it says of its properties is read, by `$ref`, `anyOf`, `oneOf` and `allOf` too.
 *
 * @example
 * ```ts
 * import { BlockParser, type ToolSchema } from 'tokenweir/blocks'
 *
 * const tools: Record<string, ToolSchema> = { find: { properties: { query: { type: 'string' } } } }
 * const parser = new BlockParser({
 *   tools,
 *   onBlock: (event) => event.event === 'block_complete' && console.log(event.block.input),
 * })
 * parser.processChunk('<invoke name="find"><parameter name="query">1</parameter></invoke>') // { query: '1' }
 * ```
 */
export interface ToolSchema {
  /** Schemas of the parameters, by name. */
  readonly properties?: Readonly<Record<string, unknown>>
  readonly [keyword: string]: unknown
}

/**
 * Which call of a text an id is made for.
 *
 * @example
 * ```ts
 * import { BlockParser, type CallPlace } from 'tokenweir/blocks'
 * import { parseToolCalls } from 'tokenweir/membrane'
 *
 * const text = '<function_calls><invoke name="now"/></function_calls>'
 * const generateId = ({ name, offset }: CallPlace) => `${name}_${offset}`
 * const parser = new BlockParser({
 *   generateId,
 *   onBlock: (event) => event.event === 'block_complete' && console.log(event.block.toolId),
 * })
 * parser.processChunk(text) // now_16
 * console.log(parseToolCalls(text, { generateId })?.calls[0]?.id) // now_16
 * ```
 */
export interface CallPlace {
  /** The tool's name, if it has one. Undefined for a call in a provider's event. */
  readonly name: string | undefined
  /**
   * Where its `<invoke>` begins, in UTF-16 code units from the start of the text. 0 for a call in a provider's event.
   */
  readonly offset: number
}

/** Names of tags: what each means. */
export type Tags<Custom extends Meaning = Meaning> = Readonly<Record<string, (Custom & Known<Custom>) | Role>>

/**
 * What a `BlockParser` can be given. All of it is optional.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockParserOptions } from 'tokenweir/blocks'
 *
 * const options: BlockParserOptions = {
 *   tags: { think: 'thinking' },
 *   onChunk: (text, { visible }) => console.log(visible, text),
 * }
 * new BlockParser(options).processChunk('<think>hm') // false hm
 * ```
 */
export interface BlockParserOptions<Custom extends Meaning = Role> extends StopOptions {
  /** Called for each piece of content. */
  onChunk?: OnChunk<Custom> | undefined
  /** Called at each block's start and end. */
  onBlock?: OnBlock<Custom> | undefined
  /** Called for tags, and for layout between them. Only with `spans`. */
  onMarkup?: ((text: string, markup: MarkupEmission) => void) | undefined
  /** Makes the id of a tool call, which is its argument. @defaultValue `toolu_` and 24 random base-62 characters */
  generateId?: ((call: CallPlace) => string) | undefined
  /**
   * Names of tags besides those that are known, by role, or as a `CustomTag`, whose blocks have a type of their own;
   * `false` takes a known one out. A name means the same with the prefix `antml:`. TypeScript before
   * 5.3 needs `as const` to see the types of a definition.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({
   *   tags: { thought: 'thinking', thinking: false },
   *   onChunk: (text, { type }) => console.log(type, text),
   * })
   * parser.processChunk('<thinking>is text') // text <thinking>is text
   * ```
   */
  tags?: Tags<Custom> | undefined
  /**
   * JSON schemas of the tools' inputs, by tool name; or the tools as the AI SDK, OpenAI or Anthropic takes them, as
   * an object or a list. A parameter that can only be a string is taken as it is written, from its first character
   * on; an object or array goes out as it comes; a boolean may be written `True`. Any other is typed by its text.
   */
  tools?: GivenTools | undefined
  /** Whether parameters lose white space at both ends. @defaultValue true */
  trimParameters?: boolean | undefined
  /** Whether chunks and blocks carry their `span`, and markup is emitted. @defaultValue false */
  spans?: boolean | undefined
  /**
   * Whether the stream begins inside thinking, which the prompt's template has opened. The first closing tag ends it;
   * an opening tag at its start is accepted once, since some servers repeat it. @defaultValue false
   */
  startWithThinking?: boolean | undefined
  /**
   * What a closing tag of thinking does that was never opened: `ignore`: nothing; `report`: it emits a `reclassify`
   * event, which says which text was thinking. Once per reply. @defaultValue 'ignore'
   */
  unopenedThinking?: 'ignore' | 'report' | undefined
  /**
   * `'text'`: tags in Markdown fences and inline code are text, where text is visible. @defaultValue 'parse'; `'text'`
   * in what shows text to people: `visibleText`, `VisibleTextStream` and `readReply`
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ fences: 'text', onChunk: (text, { type }) => console.log(type, text) })
   * parser.processChunk('Write `<thinking>` first.') // text Write `<thinking>` first.
   * ```
   */
  fences?: 'parse' | 'text' | undefined
}

/** The types that blocks have without custom tags. */
const TYPES: readonly string[] = BLOCK_KINDS.slice(0, BlockKind.Own)

const list = must('an array of strings', Array.isArray)

const ownType = must(
  'a name that is no other block\'s type: a letter or "_", then letters, digits, "_", "-", "." or ":"',
  (value) => typeof value === 'string' && /^[A-Za-z_][\w.:-]{0,63}$/.test(value) && !TYPES.includes(value),
)

const OWN_TAG = {
  type: [elsewhere],
  attributes: [list],
  visible: [flag],
  children: [must('an object of names', isRecord)],
} satisfies OptionTable<CustomTag>

/** Adds a custom tag and those inside of it, whose names nobody has checked. */
function addOwn(
  place: string,
  { name, parent, depth }: { name: string; parent: number; depth: number },
  tag: unknown,
  all: OwnTagIn[],
): void {
  checkOptions(place, tag, OWN_TAG)
  const { type, visible = false, children = {} } = tag as CustomTag
  ownType(`${place}: type`, type)
  if (depth > Limit.OwnTagDepth)
    throw new TypeError(`${place} is too deep: at most ${Limit.OwnTagDepth} tags may stand one in the other`)
  const number = all.push({ name, parent, type, visible })
  for (const [inner, inside] of Object.entries(children))
    addOwn(`${place}.children.${inner}`, { name: inner, parent: number, depth: depth + 1 }, inside, all)
}

/** The options for what reads: whatever the tags are. */
export interface ReadingOptions extends Omit<BlockParserOptions<any>, 'tags'> {
  tags?: Tags | undefined
}

const MOST_SEQUENCES = 1_024
const LONGEST_SEQUENCE = 256

const sequences: Check = (name, value) => {
  list(name, value)
  const all = value as readonly unknown[]
  if (all.length > MOST_SEQUENCES)
    throw new TypeError(`${name} has ${all.length} sequences; at most ${MOST_SEQUENCES} are allowed`)
  for (const [at, sequence] of all.entries()) {
    text(`${name}[${at}]`, sequence)
    const { length } = sequence as string
    if (length === 0) throw new TypeError(`${name}[${at}] is empty`)
    if (length > LONGEST_SEQUENCE)
      throw new TypeError(`${name}[${at}] has ${length} characters; at most ${LONGEST_SEQUENCE} are allowed`)
  }
}

/** Where a text stops. */
export const STOP_OPTIONS = {
  stopSequences: [sequences],
  stopIn: [word('text', 'anywhere')],
} satisfies OptionTable<StopOptions>

/** How thinking and quoted tags are read, wherever a text is. */
export const TEXT_OPTIONS = {
  startWithThinking: [flag],
  unopenedThinking: [word('ignore', 'report')],
  fences: [word('parse', 'text')],
} satisfies OptionTable<Pick<BlockParserOptions, 'startWithThinking' | 'unopenedThinking' | 'fences'>>

/** The tags that count in a text where all or none may. */
export const TAGS = must('true, false or an object of names', (value) => typeof value === 'boolean' || isRecord(value))

/** The options of `BlockParser`. */
export const BLOCK_OPTIONS = {
  onChunk: [callback],
  onBlock: [callback],
  onMarkup: [callback],
  generateId: [callback],
  tags: [must('an object of names', isRecord)],
  tools: [elsewhere],
  trimParameters: [flag],
  spans: [flag],
  ...TEXT_OPTIONS,
  ...STOP_OPTIONS,
} satisfies OptionTable<ReadingOptions>

/** Options with the default of what shows text to people: markup that is quoted in Markdown code is shown. */
export function shownOptions<Options extends Pick<BlockParserOptions, 'fences'>>(options: Options): Options {
  return options.fences === undefined ? { ...options, fences: 'text' } : options
}

/** Tables that were made before, by what was asked for: parsers of one program ask for the same. */
const tables = new Map<string, TagTable>()
const MOST_TABLES = 32

/** The tag table that an option asks for: a built-in one with changes. */
export function tagTable(place: string, tags: Tags | undefined, set = TagSet.Default): TagTable {
  if (tags === undefined) return builtInTags(set)
  const changes: Array<readonly [name: string, role: string]> = []
  const own: OwnTagIn[] = []
  for (const [name, meaning] of Object.entries(tags)) {
    if (isRecord(meaning)) addOwn(`${place}: tags.${name}`, { name, parent: 0, depth: 1 }, meaning, own)
    else changes.push([name, roleName(place, name, meaning)])
  }
  const key = JSON.stringify([set, changes, own])
  const made = tables.get(key)
  if (made !== undefined) return made
  const table = makeTags(set, changes, own, (code, name, role) => {
    const what = JSON.stringify(name)
    if (code === TagAnswer.BadName)
      throw new TypeError(
        `${place}: tags: ${what} is not a tag name: it must be a letter or "_", then letters, digits, "_", "-", ` +
          `"." or ":", at most ${Limit.TagNameBytes} characters`,
      )
    if (code === TagAnswer.UnknownRole)
      throw new TypeError(
        `${place}: tags: ${what} has the unknown role ${JSON.stringify(role)}; the roles are thinking, ` +
          `function_calls, function_results, invoke, parameter, result and error`,
      )
    if (code === TagAnswer.HasRole)
      throw new TypeError(
        `${place}: tags: ${what} stands inside another tag and has a role; take that out first, by ` +
          `"${name}: false" in tags`,
      )
    throw new TypeError(`${place}: tags: ${what} is one name too many; a table holds ${Limit.TagNames}`)
  })
  if (tables.size < MOST_TABLES) tables.set(key, table)
  return table
}

/** A role's name for the table, where an empty one takes the tag out. */
function roleName(place: string, name: string, role: unknown): string {
  if (role === false) return ''
  if (typeof role !== 'string' || role === '')
    throw new TypeError(
      `${place}: tags: the role of ${JSON.stringify(name)} must be a role's name, false or a custom tag, but is ` +
        describe(role),
    )
  return role
}
