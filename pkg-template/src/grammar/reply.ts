// A reply as a format's models write it, as a tree: reasoning, text and calls, by the templates with which `writeCalls`
// writes them.
//
// Source: spec/grammar.md, 3.

import { TAG_NAME, Unwritable } from '../formats/arguments.js'
import { placeholdersOf, templateParts } from '../formats/template.js'
import type { Format } from '../formats/types.js'
import { nameText } from '../formats/write.js'
import { Params } from './arguments.js'
import { GrammarError } from './grammar-error.js'
import { type GrammarWarning, HeldSchema } from './held-schema.js'
import { reasoningMarkers, textBodyMarkers, textMarkers } from './marks.js'
import { SPACE, jsonNotation } from './notation.js'
import type { Choice } from './options.js'
import { NOTHING, type Tree, all, any, chars, follow, free, many, optional, rule, several, text } from './tree.js'
import { Values } from './values.js'

/** A tool, and what its schema says of its arguments. */
export interface CallableTool {
  readonly name: string
  readonly schema: unknown
  /** Whether its arguments are held; else any object is. */
  readonly isStrict: boolean
}

const DIGITS = many(chars('09'), 1)
/** What ids and names have that nothing says more of. */
const ANY_NAME = rule('word', () => many(chars('az', 'AZ', '09', '_', '-'), 1))

/** Bodies whose arguments aren't JSON, or end at a marker in it. */
const NOT_JSON: ReadonlyArray<string | undefined> = ['brace', 'python', 'text']

/** The tree of a reply. @throws GrammarError */
export function replyTree(format: Format, tools: readonly CallableTool[], choice: Choice): Tree {
  return follow(new Reply(format, tools, choice).tree())
}

class Reply {
  readonly #names: readonly string[]
  readonly #chosen: readonly CallableTool[]

  constructor(
    private readonly format: Format,
    tools: readonly CallableTool[],
    private readonly choice: Choice,
  ) {
    this.#names = tools.map(({ name }) => name)
    const { toolChoice } = choice
    this.#chosen = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.tool) : tools
  }

  tree(): Tree {
    const { format, choice } = this
    const { call, write = {} } = format
    if (call?.body === 'yaml') this.refuse('yaml', 'YAML is not context-free')
    if (choice.toolChoice !== 'none' && write.call === undefined) this.refuse('calls', 'it has none')
    const said = this.#text()
    return all(this.#reasoning(), choice.toolChoice === 'none' ? said : this.#withCalls(said))
  }

  /** Calls, with text where that may be. */
  #withCalls(said: Tree): Tree {
    const { format, choice } = this
    const { write = {}, call, messages } = format
    const { before = '' } = write
    const calls = this.#calls()
    // A call that ends where its text does takes what follows it.
    const hasAfter = choice.text === 'around' && messages === undefined && call?.body !== 'text'
    const after = hasAfter ? this.#after() : NOTHING
    const whole = all(calls, after)
    if (choice.toolChoice !== 'auto') return choice.text === 'none' ? calls : all(this.#before(said), whole)
    if (choice.text === 'none') return optional(calls)
    // Without a marker a call counts only where the turn starts.
    if (call?.bare === 'start' && before.trim() === '') return any(whole, said)
    if (this.#isFramed || this.#isKept) return any(all(this.#before(said), whole), said)
    return all(said, optional(whole))
  }

  /** Whether text has a frame of its own. */
  get #isFramed(): boolean {
    return this.format.write?.text !== undefined
  }

  /** Whether what stands between text and calls says where calls are. */
  get #isKept(): boolean {
    const { write, call } = this.format
    return (write?.before ?? '').trim() !== '' || call?.bare === 'line'
  }

  /** Text before calls, if there is any. */
  #before(said: Tree): Tree {
    const { write, call } = this.format
    if (call?.bare === 'start' && (write?.before ?? '').trim() === '') return NOTHING
    return this.#isFramed || this.#isKept ? optional(all(said, text(write?.before ?? ''))) : said
  }

  /** Text after calls. */
  #after(): Tree {
    const said = free(textMarkers(this.format, this.#names))
    return this.format.call?.bare === 'line' ? optional(all(text('\n'), said)) : said
  }

  /** The text of the turn. */
  #text(): Tree {
    const { write, messages } = this.format
    if (messages !== undefined && write?.text === undefined) return NOTHING
    const [open, close] = write?.text ?? ['', '']
    const end = close.trim()
    return all(text(open), free([...textMarkers(this.format, this.#names), ...(end === '' ? [] : [end])]), text(close))
  }

  #reasoning(): Tree {
    const { format, choice } = this
    if (choice.reasoning === 'none') return NOTHING
    const { reasoning } = format.write ?? {}
    if (reasoning === undefined) this.refuse('reasoning', 'nothing says how it is written')
    if (choice.reasoning === 'open' && format.messages !== undefined)
      this.refuse('reasoning', 'a message is open only with its header')
    const [open, close] = reasoning
    const thought = all(free(reasoningMarkers(format, this.#names)), text(close))
    if (choice.reasoning === 'open') return thought
    return choice.reasoning === 'required' ? all(text(open), thought) : optional(all(text(open), thought))
  }

  /** The calls of a turn, with what stands around them. */
  #calls(): Tree {
    const { write = {}, call } = this.format
    const { call: template = '', item = '', join, section: [open, close] = ['', ''] } = write
    const used = placeholdersOf(template)
    const isList = used.includes('items') || used.includes('array')
    if (!isList) return all(text(open), this.#several(this.#one(template), text(join ?? '')), text(close))
    const isLaidOut = used.includes('array') && write.json === 'indent4' && call?.body !== 'python'
    const one = this.#one(item, isLaidOut)
    const several = this.#several(one, isLaidOut ? all(SPACE, text(','), SPACE) : text(join ?? ', '))
    const [front, back] = isLaidOut ? [all(text('['), SPACE), all(SPACE, text(']'))] : [text('['), text(']')]
    const parts = templateParts(template).map((piece) =>
      typeof piece === 'string' ? text(piece) : piece.word === 'array' ? all(front, several, back) : several,
    )
    return all(text(open), ...parts, text(close))
  }

  #several(one: Tree, join: Tree): Tree {
    return this.choice.parallel && typeof this.choice.toolChoice !== 'object' ? several(one, join) : one
  }

  /** One call of any tool. */
  #one(template: string, isLaidOut = false): Tree {
    const isFree = this.choice.strict === 'free' && this.#hasFreeName(template)
    const chosen = isFree ? this.#chosen.slice(0, 1) : this.#chosen
    return any(...chosen.map((tool) => this.#call(template, tool, isLaidOut, isFree)))
  }

  /** Whether a call may have any name: it is written once, and calls are found without knowing it. */
  #hasFreeName(template: string): boolean {
    const { call, write } = this.format
    const names = placeholdersOf(template.replace('{id}', write?.id ?? '')).filter((word) => word === 'name')
    const isKnown = call?.bare !== undefined || call?.known === true || call?.body === 'elements'
    return typeof this.choice.toolChoice !== 'object' && names.length === 1 && !isKnown
  }

  /** One call of a tool. */
  #call(template: string, { name, schema, isStrict }: CallableTool, isLaidOut: boolean, isFree: boolean): Tree {
    const { write = {} } = this.format
    const given = isStrict && this.choice.strict === 'schema' ? schema : { type: 'object' }
    const held = this.#held(name, given, placeholdersOf(template).includes('args'))
    return all(
      ...templateParts(template).map((piece) => {
        if (typeof piece === 'string') return isLaidOut ? loose(piece) : text(piece)
        const { word, manner } = piece
        switch (word) {
          case 'name':
            if (!isFree) return text(manner === 'json' ? JSON.stringify(name) : this.#name(name))
            return manner === 'json' ? all(text('"'), ANY_NAME, text('"')) : ANY_NAME
          case 'id':
            return manner === 'json' ? all(text('"'), this.#id(name, isFree), text('"')) : this.#id(name, isFree)
          case 'index':
            return manner === 'json' ? all(text('"'), DIGITS, text('"')) : DIGITS
          case 'params':
            return new Params(this.format, held).all()
          default:
            return this.#arguments(held, write.json ?? 'spaced')
        }
      }),
    )
  }

  /** What is left of a tool's schema. `isJson`: its arguments are JSON, which an engine may compile. */
  #held(name: string, schema: unknown, isJson: boolean): HeldSchema {
    const { format, choice } = this
    const warnings: GrammarWarning[] = []
    if (isJson && !NOT_JSON.includes(format.call?.body)) {
      const held = new HeldSchema(format.id, name, schema, (warning) => warnings.push(warning), true)
      if (choice.isCompiled(held.alone(held.root))) {
        for (const warning of warnings) choice.onWarning(warning)
        return held
      }
    }
    return new HeldSchema(format.id, name, schema, choice.onWarning)
  }

  /** `{args}`. */
  #arguments(held: HeldSchema, layout: 'spaced' | 'compact' | 'indent4'): Tree {
    const { format } = this
    const { call } = format
    if (call?.body === 'brace' || call?.body === 'python') return new Params(format, held).all()
    // A text ends at its marker, wherever that stands.
    const without = call?.body === 'text' ? textBodyMarkers(format) : []
    const values = new Values(format.id, held, jsonNotation(layout, without))
    const { root } = held
    return { kind: 'json', schema: held.alone(root), without, tree: () => values.of(root) }
  }

  #name(name: string): string {
    try {
      const { call } = this.format
      if (call?.body === 'elements' && !TAG_NAME.test(name)) this.refuse('names', `it can't write ${name}`)
      return nameText(this.format, name)
    } catch (error) {
      if (error instanceof Unwritable) this.refuse('names', `the tool's name ${error.message}`)
      throw error
    }
  }

  /** An id by the format's template; where it has none, of letters, digits, `_` and `-`. */
  #id(name: string, isFree: boolean): Tree {
    const { id } = this.format.write ?? {}
    if (id === undefined) return ANY_NAME
    return all(
      ...templateParts(id).map((piece) => {
        if (typeof piece === 'string') return text(piece)
        if (piece.word === 'name') return isFree ? ANY_NAME : text(this.#name(name))
        const length = Number(piece.manner ?? 0)
        return length > 0 ? many(chars('az', 'AZ', '09'), length, length) : DIGITS
      }),
    )
  }

  refuse(feature: string, why: string): never {
    throw new GrammarError(this.format.id, feature, why)
  }
}

/** Texts of JSON with white space between their tokens. */
function loose(of: string): Tree {
  const parts = of.split(/(\s*[[\]{},:]\s*)/)
  return all(...parts.map((part, at) => (at % 2 === 0 ? text(part.trim()) : all(SPACE, text(part.trim()), SPACE))))
}
