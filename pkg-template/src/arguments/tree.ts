// Reads a call that is an element with the tool's name, whose arguments are the elements in it, and gives them the
// types of the tool's schema.
//
// A string is written while it comes. Elements of one name are a list, which is
// written element by element from the second on; any other argument is written
// when it is known that no element of its name follows.
//
//     <path>a.py</path>          "path":"a.py"
//     <n>1</n><n>2</n><x/>       "n":[1,2],"x":…
//
// An argument that comes again later is written again with all its elements.
//
// Source: spec/tool_call.md, "Morph-XML".

import { FormatAnswer } from '../generated/ops.js'
import { put } from '../own.js'
import { ElementBuilder, XmlElement, fieldsOf, shapedValue, valueOf } from '../rxml/value.js'
import { type Coercion, type Member, type ObjectPlan, typed } from '../schema/coercion.js'
import { KEEP_ALL } from '../schema/plans.js'
import { toJson } from '../schema/to-json.js'
import type { Attributes, XmlFault } from '../xml/decoder.js'
import { CallBody } from './body.js'
import type { ArgumentWriter } from './writer.js'

/** The consecutive elements of one name. */
interface Group {
  readonly name: string
  readonly elements: XmlElement[]
  /** How many of them were written, as a list that is open. */
  written: number
}

/** `<o/>` is `{}` where an object is expected. */
const RULES = { fillsEmpty: true }

/** What the machine asks about. */
interface Asked {
  /** Whether the argument that was read last was never closed. */
  isAbandoned: boolean
  /** An element that may follow the string that is open. */
  next: string
}

/** Reads an element. */
export class TreeArguments extends CallBody {
  /** Those of the tool's own tag, once it was read. */
  private attributes: Attributes | undefined
  /** What gives types, if something does. */
  private readonly typing: Coercion | undefined
  private readonly builder: ElementBuilder
  private readonly object: ObjectPlan | undefined
  private readonly strings = new Set<string>()
  /** All elements of arguments that are not strings: they may come again. */
  private readonly elements = new Map<string, XmlElement[]>()
  private readonly waiting = new Map<string, unknown>()
  /** All arguments, where only all of them together say which way of the schema they go. */
  private readonly all: XmlElement[] = []
  private group: Group | undefined
  private readonly asked: Asked = { isAbandoned: false, next: '' }

  /**
   * `coercion` says what the schema does; values get its types if `coerces`. `isTool`: whether an argument's name is
   * another tool's.
   */
  constructor(
    private readonly coercion: Coercion | undefined,
    private readonly writer: ArgumentWriter,
    coerces: boolean,
    private readonly isTool: (name: string) => boolean,
  ) {
    super('tree')
    this.typing = coerces ? coercion : undefined
    this.builder = new ElementBuilder(coercion?.root, coercion)
    this.object = coercion === undefined ? KEEP_ALL.object : coercion.plan(coercion.root).object
  }

  override whole(): string | undefined {
    return this.error
  }

  override open(name: string, attributes: Attributes | undefined, at: number): void {
    if (this.attributes === undefined) this.attributes = attributes ?? new Map()
    else this.builder.open(name, attributes, at)
  }

  /** What the element is whose tag was read last. One that was never closed ends at the tool's closing tag. */
  override element(): number {
    const { isAbandoned } = this.asked
    this.asked.isAbandoned = false
    if (isAbandoned) return this.error === undefined ? FormatAnswer.Accept : FormatAnswer.Malformed
    const builder = this.builder
    if (builder.depth > 1) return builder.isRaw ? FormatAnswer.Text : FormatAnswer.Accept
    const { name } = builder.innermost
    const member = this.#member(name)
    if (this.group !== undefined && this.group.name !== name) this.#endGroup()
    if (this.isTool(name) && !this.#names(name)) return FormatAnswer.Nested
    const { isRaw } = builder
    if (isRaw && this.strings.has(name)) this.fixes.add('repeated-argument')
    if (isRaw) this.strings.add(name)
    if (
      isRaw &&
      this.object !== undefined &&
      member.action === 'keep' &&
      this.typing?.plan(member.schema).keepsStrings !== false
    ) {
      this.writer.member(name)
      this.writer.beginText()
    }
    return isRaw ? FormatAnswer.Text : FormatAnswer.Accept
  }

  override next(name: string): void {
    this.asked.next = name
  }

  /** Whether that element may follow the string that is being read. */
  override ends(): number {
    const { schema } = this.builder.around
    return schema.mayBeArray || (schema.listed?.includes(this.asked.next) ?? true)
      ? FormatAnswer.Accept
      : FormatAnswer.Reject
  }

  override get given(): readonly string[] {
    const { attributes, strings, elements, all } = this
    return [...(attributes?.keys() ?? []), ...strings, ...elements.keys(), ...all.map(({ name }) => name)]
  }

  override text(piece: string): void {
    if (this.writer.isInText) this.writer.text(piece)
    else this.builder.text(piece)
  }

  override cdata(piece: string): void {
    if (this.writer.isInText) this.writer.text(piece)
    else this.builder.cdata(piece)
  }

  override close(): void {
    const builder = this.builder
    builder.close()
    if (builder.depth > 0) return
    const element = builder.root.children.pop()
    // The tool's own.
    if (element !== undefined) this.#end(element)
  }

  override abandon(): void {
    const builder = this.builder
    builder.abandon()
    const element = builder.depth > 0 ? undefined : builder.root.children.pop()
    if (element === undefined) return
    this.asked.isAbandoned = true
    const inside = this.#tagIn(this.writer.isInText ? this.writer.textSoFar : element.text, element.name)
    if (inside !== undefined) this.error = `<${element.name}> is not closed, and <${inside}> stands in it`
    this.#end(element)
  }

  override fault(fault: XmlFault): void {
    // One that closes nothing is skipped.
    if (fault !== 'stray-closer') this.error = FAULTS[fault]
  }

  /** The tag of a tool, or of another argument by the schema, in a string: it was meant to stand after it. */
  #tagIn(text: string, name: string): string | undefined {
    for (const [, other] of text.matchAll(/<([^\s<>/]+)[\s>]/g))
      if (other !== undefined && other !== name && (this.#names(other) || this.isTool(other))) return other
    return undefined
  }

  /** An argument has ended. */
  #end(element: XmlElement): void {
    if (this.writer.isInText) this.writer.endText()
    else this.#take(element)
  }

  /** Ends the object. */
  override finish(): undefined {
    const { object, writer } = this
    if (object === undefined) {
      writer.put(toJson(this.#all()))
      return
    }
    this.#endGroup()
    for (const [name, value] of this.attributes ?? []) {
      if (writer.keys.has(name) || !this.#knows(name)) continue
      const member = this.#member(name)
      if (member.action === 'drop') continue
      const said = value === true && this.coercion?.plan(member.schema).keepsWords !== true ? '' : value
      this.#write(name, this.#typed(said, member.schema))
    }
    for (const [name, value] of object.leftovers(this.waiting, writer.keys)) this.#write(name, value)
    writer.finish()
  }

  /** An argument's element is whole. */
  #take(element: XmlElement): void {
    const { name } = element
    if (this.object === undefined) {
      this.all.push(element)
      return
    }
    const elements = this.elements.get(name) ?? []
    elements.push(element)
    this.elements.set(name, elements)
    this.group ??= { name, elements, written: 0 }
    if (elements.length > 1) this.#writeList(this.group)
  }

  /** Writes what came of a list, if each of its elements is taken on its own. */
  #writeList(group: Group): void {
    const { name, elements } = group
    const member = this.#member(name)
    const list = this.typing === undefined ? KEEP_ALL.array : this.typing.plan(member.schema).array
    if (list === undefined || member.action !== 'keep') return
    if (group.written === 0) this.writer.member(name)
    for (; group.written < elements.length; group.written++) {
      const at = group.written
      const value = this.#valueOf(elements.slice(at, at + 1), { ...member, schema: list.element(at) })
      this.writer.put(`${at === 0 ? '[' : ','}${toJson(value)}`)
    }
  }

  /** All arguments together, where the schema leaves several ways. */
  #all(): unknown {
    const fields = fieldsOf(this.all, RULES)
    for (const [name, value] of this.attributes ?? [])
      if (!Object.hasOwn(fields, name) && this.#knows(name)) put(fields, name, value === true ? '' : value)
    return this.#typed(fields, this.typing?.root)
  }

  #member(name: string): Member {
    return this.object?.member(name) ?? { schema: undefined, action: 'keep' }
  }

  /** Whether the schema speaks of an argument by its name. */
  #knows(name: string): boolean {
    return this.builder.root.schema.property(name) !== undefined
  }

  /** Whether it does so by that very name, and not of all others. */
  #names(name: string): boolean {
    return this.coercion?.schema.names(name) === true
  }

  #typed(value: unknown, schema: unknown): unknown {
    return this.typing === undefined ? value : typed(this.typing, value, schema)
  }

  #endGroup(): void {
    const group = this.group
    this.group = undefined
    if (group === undefined) return
    const { name, elements, written } = group
    const member = this.#member(name)
    if (member.action === 'drop') return
    if (written > 0) {
      this.writer.put(']')
      return
    }
    const value = this.#valueOf(elements, member)
    if (member.action === 'wait') {
      this.waiting.set(name, value)
      return
    }
    this.#write(name, value)
  }

  #valueOf(elements: readonly XmlElement[], { schema }: Member): unknown {
    const [first] = elements
    if (this.typing !== undefined && first !== undefined)
      return this.#typed(shapedValue(elements, first.schema, RULES), schema)
    return elements.length === 1 && first !== undefined ? valueOf(first) : elements.map((element) => valueOf(element))
  }

  #write(name: string, value: unknown): void {
    this.writer.member(name)
    this.writer.put(toJson(value))
  }
}

const FAULTS: Readonly<Record<Exclude<XmlFault, 'stray-closer'>, string>> = {
  'loose-less': 'a < begins no tag',
  'own-tag': 'a string holds a tag of its own name',
  'too-deep': 'the elements are too deep',
  'cut-tag': 'the text ends in a tag',
  text: 'text stands between the arguments',
}
