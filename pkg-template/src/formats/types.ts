// What a wire format is: how a family of models writes tool calls and reasoning as
// text, as a row of plain data that one machine reads.
//
// Source: spec/format.md, "The row". The catalogue is formats/*.json5.

import type { FormatId } from '../generated/format-ids.js'

/**
 * A piece of a head, which stands between an opening marker and what it opens.
 *
 * - A text stands there as it is; a list of texts is any of these, and `''` in it means that it may be absent.
 * - `NAME`, `KEY`, `ID`, `INDEX`, `TYPE` are text up to where the rest of the head can be read; as the last piece, up
 *   to white space, `<` or the arguments. Only a `KEY` may have spaces.
 * - `{ attributes, end }` are XML's attributes in any order, then `end`. `attributes` says which of them has what:
 *   `{ name: 'NAME', string: 'STRING' }`.
 * - `{ optional }` stands there whole or not at all.
 *
 * @example
 * ```ts
 * import type { HeadPiece } from 'tokenweir/formats'
 *
 * const head: HeadPiece[] = ['functions.', 'NAME', ':', 'INDEX', '<|tool_call_argument_begin|>']
 * console.log(head.includes('NAME')) // true
 * ```
 */
export type HeadPiece =
  | string
  | readonly string[]
  | {
      /** The piece that each attribute has, by its name: `NAME`, `KEY`, `ID`, `INDEX`, `TYPE` or `STRING`. */
      readonly attributes: Readonly<Record<string, string>>
      /** What ends the attributes: `>`. */
      readonly end: string
      /** Whether `&amp;` and `&quot;` are decoded. */
      readonly entities?: boolean
    }
  | {
      /** Pieces that stand there together or not at all. */
      readonly optional: readonly HeadPiece[]
    }

/**
 * Two lists of markers: any of the first opens, any of the second closes. At one place the longest counts.
 *
 * @example
 * ```ts
 * import type { Markers } from 'tokenweir/formats'
 *
 * const think: Markers = { open: ['<think>'], close: ['</think>'] }
 * console.log(think.open.length) // 1
 * ```
 */
export interface Markers {
  /** What opens it, each 1 to 128 bytes of UTF-8. */
  readonly open: readonly string[]
  /** What closes it. */
  readonly close: readonly string[]
}

/**
 * How calls and results are put into a prompt.
 *
 * Templates are texts with placeholders: `{name}`, `{args}`, `{yaml}`, `{id}`, `{index}`, `{params}`, `{items}`,
 * `{array}` in `call` and `item`; `{key}`, `{value}`, `{type}`, `{string}` in `param`; `{name}`, `{id}`, `{index}`,
 * `{result}` in `result`. `{name:json}` is the same as a JSON string. Other braces are text.
 *
 * @example
 * ```ts
 * import { type FormatWriting, formats } from 'tokenweir/formats'
 *
 * const write: FormatWriting | undefined = formats['kimi-k2']?.write
 * console.log(write?.section) // [ '<|tool_calls_section_begin|>', '<|tool_calls_section_end|>' ]
 * ```
 */
export interface FormatWriting {
  /** One call; with `{items}` or `{array}`, all calls of a turn. */
  readonly call?: string
  /** One argument, for `{params}`. */
  readonly param?: string
  /** Between two arguments. */
  readonly paramJoin?: string
  /** One call of `{items}` or `{array}`. */
  readonly item?: string
  /** Between two calls, or two items. `{array}` is `[`, its items with `, ` between them, and `]`. */
  readonly join?: string
  /** What stands around all calls of a turn. */
  readonly section?: readonly [string, string]
  /** Between the text of the turn and its calls. */
  readonly before?: string
  /** What stands around the text of the turn. */
  readonly text?: readonly [string, string]
  /** How JSON is laid out: `{"a": 1, "b": [2]}`, which is the default, `{"a":1,"b":[2]}`, or lines with 4 spaces. */
  readonly json?: 'spaced' | 'compact' | 'indent4'
  /**
   * How arguments that are no strings are written: as JSON, which is the default, as Python's literals, or or as the
   * bodies `brace` and `elements` have them.
   */
  readonly values?: 'json' | 'python' | 'brace' | 'elements'
  /**
   * The id of a call that has none, from `{name}` and `{index}`; `{index:9}` has nine digits. With `{name}`, also of a
   * call whose id has another form.
   */
  readonly id?: string
  /** The number of a conversation's first call. 0 by default. */
  readonly firstIndex?: number
  /** One result. */
  readonly result?: string
  /** Between two results. */
  readonly resultJoin?: string
  /** What stands around all results. */
  readonly results?: readonly [string, string]
  /** The role of the turn with the results in the model's template. */
  readonly role?: string
  /** How tools are listed: a line of JSON each, which is the default, or one JSON array. */
  readonly tools?: 'json-lines' | 'json-array'
  /** What stands around the reasoning of the turn. */
  readonly reasoning?: readonly [string, string]
  /** What can't be written, in short texts: `several calls`, `nested arguments`. */
  readonly limits?: readonly string[]
}

/**
 * A wire format: how a family of models writes tool calls and reasoning as text. Plain data, which can be printed and
 * sent; `defineFormat` checks and freezes it.
 *
 * A field that is absent means that there is none. Markers are texts as they stand; `{suffix}` in one is an optional
 * `:` and a word, `{bars}` one to four bars of any kind, with white space around them.
 *
 * Source: spec/format.md, "The row".
 *
 * @example
 * ```ts
 * import { type Format, formats } from 'tokenweir/formats'
 *
 * const hermes: Format | undefined = formats['hermes']
 * console.log(hermes?.call?.open, hermes?.call?.body) // [ '<tool_call>' ] json
 * ```
 */
export interface Format {
  /** Its name: `kimi-k2`. */
  readonly id: string
  /** Its name for people. */
  readonly title?: string
  /**
   * Names of models, without what stands before the last `/` or `\\`. `*` is any text; a number before it ends there,
   * so `qwen3*` is not `qwen3.5`. Case doesn't count, nor does how a number is joined (`llama3.1`, `llama-3.1`,
   * `llama-3_1`). The longest that fits wins.
   */
  readonly models?: readonly string[]
  /** Texts that all occur in the Jinja chat template of its models. */
  readonly template?: readonly string[]
  /** Where its facts come from. */
  readonly source?: string
  /** One call, as the model writes it. */
  readonly sample?: string
  /** What reading can't know, for the documentation. */
  readonly notes?: readonly string[]

  /** What stands around one or more calls. `optional`: calls may stand without it. */
  readonly section?: Markers & {
    /** Whether calls may stand without it. */
    readonly optional?: boolean
  }
  /** How a call is written. */
  readonly call?: {
    /** What opens a call; empty or absent with `bare`, and where the tool's name is the tag. */
    readonly open?: readonly string[]
    /**
     * With `params` in a `section`: elements that have the tool's name, each closed by what has its opener's place, and
     * may stand instead of `open` and `head`.
     */
    readonly names?: Markers
    /** What stands between `open` and the arguments. */
    readonly head?: readonly HeadPiece[]
    /**
     * How arguments are written: a JSON object with `keys`, or a list of them; `{NAME: arguments}`; JSON that is the
     * arguments; `params`; elements named like the arguments; braces with bare keys; Python's calls; YAML; a text,
     * which may be JSON.
     */
    readonly body: 'json' | 'keyed' | 'args' | 'params' | 'elements' | 'brace' | 'python' | 'yaml' | 'text'
    /**
     * With `json` between one opener and one closer, and with `elements` named like the tools: reads with the repairs
     * of `hermesProtocol` and `morphXmlProtocol`, and takes what can't be read for text up to the closer.
     */
    readonly tolerant?: boolean
    /** Whether a JSON object may stand where the body does: the arguments, or an object with `keys`. */
    readonly orJson?: boolean
    /**
     * What closes a call. It may be absent at the end of the turn, and before what may follow a call; with `''` in the
     * list, anywhere.
     */
    readonly close?: readonly string[]
    /** A call counts only with its `close`. */
    readonly requireClose?: boolean
    /** Texts that are passed over between two payloads of one call. */
    readonly separator?: readonly string[]
    /**
     * Where a payload counts without `open`: where the turn's text starts, on a line of its own (Python's calls, and
     * `args` after a line that is a tool's name), or anywhere.
     */
    readonly bare?: 'start' | 'line' | 'anywhere'
    /** A call counts only if its name is one of the tools, where tools are given. */
    readonly known?: boolean
    /** Whether a call in a fenced code block is text. */
    readonly fences?: boolean
    /** With `brace`: the marker on both sides of a string. */
    readonly quote?: string
    /** With `brace`: every value is a text between quotes. */
    readonly texts?: boolean
  }
  /** With the body `json`, or `orJson`: the members of a call's object, in order of precedence. */
  readonly keys?: {
    /** That have the tool's name. */
    readonly name: readonly string[]
    /** That have the arguments. */
    readonly args: readonly string[]
    /** That have the call's id. */
    readonly id?: readonly string[]
  }
  /** With the body `params`: how one argument is written. For `elements`: how their text is read. */
  readonly params?: {
    /** What opens an argument. */
    readonly open?: readonly string[]
    /** What stands between `open` and the value. */
    readonly head?: readonly HeadPiece[]
    /** What closes a value. */
    readonly close?: readonly string[]
    /**
     * What doesn't belong to a value: nothing, which is the default; one line end on either side; all white space
     * around it; all but the indentation of its first line.
     */
    readonly trim?: 'none' | 'line' | 'all' | 'block'
    /** Whether `<![CDATA[…]]>` is unwrapped. */
    readonly cdata?: boolean
    /** Whether `&amp;` and its like are decoded. */
    readonly entities?: boolean
    /**
     * Which closing marker ends a value: one that is followed by what may follow it, which is the default; the first;
     * the last.
     */
    readonly closer?: 'structure' | 'first' | 'last'
    /**
     * What an argument that comes twice does: the last counts, which is the default; they are a list; the call is
     * rejected.
     */
    readonly duplicate?: 'last' | 'list' | 'reject'
  }
  /** With the body `elements`. */
  readonly elements?: {
    /** What stands before each tag. */
    readonly prefix?: string
  }
  /**
   * What decides the type of an argument: the tool's schema, which is the default; the attribute `STRING` or `TYPE`;
   * nothing, it is a string.
   */
  readonly typing?: 'schema' | 'attribute' | 'string'
  /** How a value that is no string is read. JSON is the default. */
  readonly literals?: ReadonlyArray<'json' | 'python'>
  /** How an argument without a schema is read: as JSON where it is JSON; by `literals` where it is absent. */
  readonly untyped?: 'json'
  /** Whether the text has ids. Implied by `ID`, `INDEX` and `keys.id`. */
  readonly ids?: 'text' | 'none'

  /** How reasoning is written. */
  readonly reasoning?: Markers & {
    /** A text that may stand after the opening marker, and belongs to it. */
    readonly label?: string
    /**
     * Whether a reply starts inside reasoning: never, which is the default; only if `prefill` says so; always, unless
     * `prefill` is given.
     */
    readonly prefilled?: 'never' | 'sometimes' | 'always'
    /** Whether a marker that opens a call ends reasoning. */
    readonly endsAtCall?: boolean
    /** Where an opening marker counts: at the start of a line, which is the default, or anywhere. */
    readonly where?: 'line' | 'anywhere'
  }
  /** Frames around text. Both markers are removed. */
  readonly answer?: readonly Markers[]
  /**
   * Markers that are removed from text. One that begins with a letter is a word: it counts only at the start of a line,
   * after something else that isn't text, and at the end of the turn.
   */
  readonly drop?: readonly string[]
  /** Frames that are removed from text with what is in them. */
  readonly skip?: readonly Markers[]
  /** Cohere's citations: `<co>text</co: 0:[1]>`. */
  readonly citations?: {
    /** What stands before the cited text. */
    readonly open: string
    /** What stands between it and the sources. */
    readonly close: string
    /** What stands after the sources. */
    readonly end: string
  }

  /** Messages with a header that says what they are. */
  readonly messages?: {
    /** What begins a header. */
    readonly open: readonly string[]
    /** What stands at the start of a turn where a header has begun in the prompt. */
    readonly begins?: readonly string[]
    /** What ends a header, and belongs to it. */
    readonly headEnd: readonly string[]
    /** What ends a message; so does `open`. */
    readonly close?: readonly string[]
    /** What stands between the texts of two messages. */
    readonly join?: string
    /** What a message is, by its header: the first route that fits. Without one it is text. */
    readonly routes: ReadonlyArray<{
      /** The whole header is one of these. */
      readonly is?: readonly string[]
      /** At least one of these texts occurs in the header. */
      readonly has?: readonly string[]
      /** No one of these texts occurs in it. */
      readonly lacks?: readonly string[]
      /** The tool's name is what follows the first of these in the header; `''` is its start. */
      readonly name?: readonly string[]
      /** What the message is: one call, calls as `section` and `call` have them, reasoning, text, or nothing. */
      readonly kind: 'call' | 'calls' | 'reasoning' | 'text' | 'drop'
    }>
  }

  /** What stands around the model's turn in its template. */
  readonly turn?: {
    /**
     * Tokens that end it, besides those that many templates have (`<|im_end|>`, `<|eot_id|>`, `<end_of_turn>`): at the
     * end of the reply, or before another turn, they are no text and no argument.
     */
    readonly end?: readonly string[]
    /**
     * What begins a turn of another: a tool's result. The model that goes on after a call makes it up, and all that
     * follows. With `messages`, a message of another is no text. One that is a word counts only at a line's start.
     */
    readonly other?: readonly string[]
  }

  /** Named repairs besides those of all formats. */
  readonly repairs?: readonly string[]
  /** Markers that are special tokens, which a server with `skip_special_tokens` leaves out. */
  readonly special?: 'all' | readonly string[]
  /** How calls and results are put into a prompt. */
  readonly write?: FormatWriting
}

/**
 * A format for `defineFormat`, which may be like another one.
 *
 * @example
 * ```ts
 * import { type FormatRow, defineFormat } from 'tokenweir/formats'
 *
 * const row: FormatRow = { id: 'my-model', like: 'hermes', reasoning: { open: ['<reason>'], close: ['</reason>'] } }
 * console.log(defineFormat(row).call?.open) // [ '<tool_call>' ]
 * ```
 */
export type FormatRow = { readonly [Field in keyof Format]: Format[Field] | (Field extends 'id' ? never : null) } & {
  /**
   * The format, or the id of one, whose fields it has, but `title`, `models`, `template`, `sample`, `source` and
   * `write.limits`. A field of its own replaces the whole field; `null` leaves it out.
   */
  readonly like?: FormatId | Format
}

/**
 * Several formats together, which `anyOf` makes: the earliest marker decides.
 *
 * @example
 * ```ts
 * import { type AnyFormat, anyOf } from 'tokenweir/formats'
 *
 * const either: AnyFormat = anyOf('hermes', 'kimi-k2')
 * console.log(either.anyOf.map(({ id }) => id)) // [ 'hermes', 'kimi-k2' ]
 * ```
 */
export interface AnyFormat {
  /** The formats, at most 8. */
  readonly anyOf: readonly Format[]
}
