// Builds the arguments of a call from its elements: text, an object or a list, as the
// tool's schema has them.
//
//     <city>Paris</city><days><item>1</item><item>2</item></days>
//
// Source: spec/format.md, "Elements".

import { FormatAnswer } from '../generated/ops.js'
import type { Format } from '../formats/types.js'
import { Joined } from '../joined.js'
import { put } from '../own.js'
import { flag, instance, json, list, map, maybe, set, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { Kind } from '../schema/keywords.js'
import { ANYTHING, type Schema } from '../schema/schema.js'
import { ArgumentWriter } from './argument-writer.js'
import { UNSAFE_NAMES } from './call-repairs.js'
import type { Repair } from './types.js'
import { typedText } from './typed-text.js'

const NO_TYPES: ReadonlySet<Kind> = new Set()

/** A member of an object: its value, and whether that is a list because it came twice. */
interface Member {
  value: unknown
  isCollected: boolean
}

/** What an element holds: members, or the items of a list. */
export class Container {
  static get saved(): SavedClass {
    return {
      skips: ['part'],
      fields: {
        members: map(text, shape<Member>({ value: json, isCollected: flag })),
        isList: flag,
        isItem: flag,
        items: list(json),
      },
    }
  }
  readonly members = new Map<string, Member>()

  /** `part` is the schema of the object or of the list's items; undefined if nothing is said of them. */
  constructor(
    readonly isList: boolean,
    public part: Schema | undefined,
    /** Whether it is the only item of a list. */
    readonly isItem = false,
    readonly items: unknown[] = [],
  ) {}

  /** Adds a member; false if it is there already, and must not come again. */
  add(name: string, value: unknown, duplicate: 'last' | 'list' | 'reject'): boolean {
    const before = this.members.get(name)
    if (before === undefined) this.members.set(name, { value, isCollected: false })
    else if (duplicate === 'reject') return false
    else if (duplicate === 'last') before.value = value
    else if (before.isCollected) (before.value as unknown[]).push(value)
    else {
      before.value = [before.value, value]
      before.isCollected = true
    }
    return true
  }

  /** Adds to a member that is a list. */
  extend(name: string, items: readonly unknown[]): void {
    const before = this.members.get(name)
    if (before === undefined) this.members.set(name, { value: [...items], isCollected: false })
    else if (Array.isArray(before.value)) before.value.push(...items)
    else this.members.set(name, { value: [before.value, ...items], isCollected: true })
  }

  get value(): Readonly<Record<string, unknown>> | readonly unknown[] {
    if (this.isList) return this.items
    const object: Record<string, unknown> = {}
    for (const [name, { value }] of this.members) put(object, name, value)
    return object
  }
}

/** An element that is open. */
export class OpenElement {
  static get saved(): SavedClass {
    return {
      skips: ['part', 'types'],
      fields: { name: text, isAsked: flag, container: maybe(instance(Container)), text: instance(Joined) },
    }
  }
  types: ReadonlySet<Kind>
  /** Whether the machine asked what it is: otherwise its tag closed itself. */
  isAsked = false
  /** What it holds, once an element in it has opened. */
  container: Container | undefined
  readonly text = new Joined()

  /** `part` is what types it; undefined if nothing does. */
  constructor(
    readonly name: string,
    public part: Schema | undefined,
  ) {
    this.types = part?.types ?? NO_TYPES
    this.container = undefined
  }
}

/** Builds the arguments of one call. */
export class ElementsInput {
  static get saved(): SavedClass {
    return {
      skips: ['format', 'schema'],
      fields: {
        error: maybe(text),
        fixes: set(text),
        elements: list(instance(OpenElement)),
        body: maybe(instance(Joined)),
      },
      wake: ({ call, elements }: ElementsInput) => {
        let parent: Container | undefined = call
        for (const element of elements) {
          if (parent === undefined) return
          element.part = partOf(parent, element.name)
          element.types = element.part?.types ?? NO_TYPES
          parent = element.container
          if (parent !== undefined)
            parent.part =
              parent.isList || parent.isItem
                ? itemsOf(element.part)
                : element.types.has('object')
                  ? element.part
                  : undefined
        }
      },
    }
  }
  /** What was wrong last. */
  error: string | undefined
  /** What was repaired. */
  readonly fixes = new Set<Repair>()
  private readonly call: Container
  private readonly elements: OpenElement[] = []
  /** Writes the arguments while they come, where nothing can change them all. */
  private readonly writer: ArgumentWriter | undefined
  /** Whether it is writing the text of the argument that is open. */
  private isWriting = false
  /** The body as one text, if it is no elements. */
  private body: Joined | undefined

  /** `schema` is the tool's, if it has one; `write` gets the arguments as JSON, while they come. */
  constructor(
    private readonly format: Format,
    private readonly schema: Schema | undefined,
    write: (json: string) => void,
    repeat: () => void,
  ) {
    const call = new Container(false, schema)
    this.call = call
    const isFixed = format.repairs?.includes('unwrap-arguments') !== true && !this.#mayBeMessage
    this.writer = isFixed ? new ArgumentWriter(write, (name) => call.members.get(name)?.value, repeat) : undefined
  }

  /** An element opens. */
  open(name: string): void {
    const around = this.elements.at(-1)
    const parent = around === undefined ? this.call : (around.container ??= this.#holding(around, name))
    this.elements.push(new OpenElement(name, partOf(parent, name)))
  }

  /** What an element holds in which this one opens first. */
  #holding({ part, types }: OpenElement, child: string): Container {
    const isList = types.has('array') && (!types.has('object') || child === 'item')
    const items = isList ? itemsOf(part) : undefined
    const isItem = child !== 'item' && items?.types.has('object') === true && items.listed?.includes(child) === true
    if (isList && !isItem) return new Container(true, items)
    return new Container(false, isItem ? items : types.has('object') ? part : undefined, isItem)
  }

  /** What the element is whose tag was read: text, or what comes first in it says. */
  element(): number {
    const element = this.elements.at(-1) as OpenElement
    element.isAsked = true
    const { types } = element
    const mayHold = types.size === 0 || types.has('object') || types.has('array')
    const isText = !mayHold || (types.has('string') && this.format.elements?.prefix === undefined)
    if (isText && this.#isVerbatim(element)) this.isWriting = this.writer?.begin(element.name) === true
    return isText ? FormatAnswer.Text : FormatAnswer.Look
  }

  /** Whether the text of an element is an argument as it is. */
  #isVerbatim({ name, types }: OpenElement): boolean {
    const { format } = this
    const mayBeNull = types.has('null') && format.repairs?.includes('null-text') !== true
    const isOnlyText = types.has('string') && !mayBeNull && !types.has('array') && !types.has('object')
    const isString = format.typing === 'string' || isOnlyText
    return isString && this.elements.length === 1 && !types.has('array') && this.#keeps(name)
  }

  #keeps(name: string): boolean {
    const { repairs = [] } = this.format
    if (repairs.includes('drop-unsafe') && UNSAFE_NAMES.includes(name)) return false
    return !repairs.includes('drop-unknown') || this.schema?.keeps(name) !== false
  }

  /** Whether an element of this name may follow the one that is being read; without one, whether it is an argument. */
  sibling(name: string): number {
    if (this.elements.length === 0)
      return this.schema?.listed?.includes(name) === true ? FormatAnswer.Accept : FormatAnswer.Reject
    const around = this.elements.at(-2)
    const parent = around === undefined ? this.call : around.container
    // An element that nothing is said of ends before any other.
    const names = this.elements.at(-1)?.part === undefined || parent?.isList === true ? undefined : parent?.part?.listed
    return names === undefined || names.includes(name) ? FormatAnswer.Accept : FormatAnswer.Reject
  }

  text(piece: string): void {
    const text = this.body ?? this.elements.at(-1)?.text
    text?.add(piece)
    if (this.isWriting) this.writer?.text(piece)
  }

  /** The element that was opened last closes. */
  close(): void {
    const element = this.elements.pop() as OpenElement
    const { name } = element
    const { value, isList } = this.#valueOf(element)
    const around = this.elements.at(-1)
    const parent = around === undefined ? this.call : (around.container as Container)
    this.#add(parent, element, value, isList, around === undefined)
    if (around === undefined) this.#written(name)
  }

  /** An argument is whole. */
  #written(name: string): void {
    if (this.isWriting) this.writer?.end()
    else if (this.#keeps(name)) this.writer?.add(name)
    this.isWriting = false
  }

  #add(
    parent: Container,
    { name, types, part }: OpenElement,
    value: unknown,
    isList: boolean,
    isArgument: boolean,
  ): void {
    if (parent.isList) parent.items.push(value)
    else if (types.has('array') && (isList || !(types.has('string') || types.has('object'))))
      parent.extend(name, isList ? (value as unknown[]) : [value])
    else if (
      isArgument &&
      part !== undefined &&
      parent.members.has(name) &&
      (this.format.params?.duplicate ?? 'last') === 'last'
    ) {
      this.fixes.add('repeated-argument')
      parent.add(name, value, 'last')
    } else if (
      !parent.add(name, value, isArgument && part !== undefined ? (this.format.params?.duplicate ?? 'last') : 'list')
    )
      this.error = `<${name}> came twice`
  }

  /** An element's value, and whether that is the items of a list. */
  #valueOf({ container, isAsked, types, text, part }: OpenElement): {
    readonly value: unknown
    readonly isList: boolean
  } {
    if (!isAsked) return { value: emptyOf(types), isList: types.has('array') }
    if (container !== undefined) return { value: container.value, isList: container.isList }
    const raw = text.toString()
    const value = typedText(raw, this.format, part, this.fixes)
    if (!types.has('array') || types.has('string')) return { value, isList: false }
    if (Array.isArray(value)) return { value, isList: true }
    if (raw.trim() === '') return { value: [], isList: true }
    return { value: typedText(raw, this.format, part?.element(0), this.fixes), isList: false }
  }

  /** Whether the argument that was read last is one. */
  member(): number {
    return this.error === undefined ? FormatAnswer.Accept : FormatAnswer.Malformed
  }

  /** Whether a body that is no elements may be one text. */
  message(): number {
    if (!this.#mayBeMessage) return FormatAnswer.Reject
    this.elements.length = 0
    this.error = undefined
    this.body = new Joined()
    return FormatAnswer.Accept
  }

  get #mayBeMessage(): boolean {
    const { format, schema } = this
    return (
      format.repairs?.includes('message-text') === true && schema?.property('message')?.types.has('string') === true
    )
  }

  /** Writes what is left; false if nothing was written, and all is left. */
  finish(): boolean {
    this.writer?.finish()
    return this.writer !== undefined
  }

  /** The arguments; undefined if there are none that make a call. */
  arguments(): Readonly<Record<string, unknown>> | undefined {
    if (this.body === undefined) return this.call.value as Readonly<Record<string, unknown>>
    const message = this.body
      .toString()
      .replaceAll(/<\/?[A-Za-z][^<>]*>/g, '')
      .trim()
    return message === '' ? undefined : { message }
  }
}

/** What types an element of some name; undefined if nothing does. */
function partOf({ isList, part }: Container, name: string): Schema | undefined {
  return isList ? part : part?.property(name)
}

/** What is said of a list's items; undefined if nothing is. */
function itemsOf(part: Schema | undefined): Schema | undefined {
  const items = part?.element(0)
  return items === ANYTHING ? undefined : items
}

/** The value of an element whose tag closes itself. */
function emptyOf(types: ReadonlySet<Kind>): unknown {
  if (types.has('string') || !(types.has('array') || types.has('object'))) return ''
  return types.has('array') ? [] : {}
}
