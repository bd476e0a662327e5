// Reads arguments as elements, or in YAML: text, an object or a list, as the tool's schema has them.
//
//     <city>Paris</city><days><item>1</item><item>2</item></days>
//
// A text is written while it comes, any other argument when another one comes after it, since elements of its name may
// follow. One that comes again after others comes again at the end, with its last value.
//
// Source: spec/format.md, "Elements".

import type { Format } from '../formats/types.js'
import { FormatAnswer } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { numberOf } from '../json/digits.js'
import { isRecord } from '../own.js'
import type { Kind } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'
import { fromJson, toJson } from '../schema/to-json.js'
import { CallBody } from './body.js'
import { Container, OpenElement, partOf } from './container.js'
import { type Repaired, UNSAFE_NAMES, repaired } from './repairs.js'
import { mayBeOther, typedText } from './typing.js'
import type { ArgumentWriter } from './writer.js'
import { yamlReader } from './yaml-reader.js'

/** Reads elements. */
export class ElementArguments extends CallBody {
  private readonly call: Container
  private readonly elements: OpenElement[] = []
  /** Whether arguments are written while they come, since nothing can change them all. */
  private readonly isFixed: boolean
  /** The argument that came last, as long as it may get more values; and those that came again after others. */
  private last: string | undefined
  private readonly again = new Set<string>()
  /** The body as one text, if it is no elements. */
  private message: Joined | undefined
  /** The body, where it is YAML, as long as no element came. */
  private yaml: Joined | undefined
  /** The name of the element that may follow the one that is open. */
  private sibling = ''
  private known: Repaired | undefined

  /** `schema` is the tool's, if it has one. */
  constructor(
    private readonly format: Format,
    private readonly schema: Schema | undefined,
    private readonly writer: ArgumentWriter,
  ) {
    super('elements')
    this.call = new Container(false, schema)
    this.isFixed = format.repairs?.includes('unwrap-arguments') !== true && !this.#mayBeMessage
    this.yaml = format.call?.body === 'yaml' ? new Joined() : undefined
  }

  override get given(): readonly string[] {
    const { result } = this
    return 'input' in result ? Object.keys(result.input) : []
  }

  override open(name: string): void {
    this.yaml = undefined
    const around = this.elements.at(-1)
    const parent = around === undefined ? this.call : (around.container ??= around.holding(name))
    this.elements.push(new OpenElement(name, partOf(parent, name)))
  }

  override next(name: string): void {
    this.sibling = name
  }

  /** What the element is whose tag was read: text, or what comes first in it says. */
  override element(): number {
    const element = this.elements.at(-1) as OpenElement
    element.isAsked = true
    const { name, types } = element
    const mayHold = types.size === 0 || types.has('object') || types.has('array')
    const isText = !mayHold || (types.has('string') && this.format.elements?.prefix === undefined)
    if (isText && this.#isVerbatim(element) && this.last !== name && !this.writer.keys.has(name)) {
      this.#writeLast()
      this.writer.member(name)
      this.writer.beginText()
    }
    return isText ? FormatAnswer.Text : FormatAnswer.Look
  }

  /** Whether the text of an element is an argument as it is. */
  #isVerbatim({ name, types }: OpenElement): boolean {
    const { format } = this
    const isString = format.typing === 'string' || (types.has('string') && !mayBeOther('', format, types))
    return this.isFixed && isString && this.elements.length === 1 && !types.has('array') && this.#keeps(name)
  }

  #keeps(name: string): boolean {
    const { repairs = [] } = this.format
    if (repairs.includes('drop-unsafe') && UNSAFE_NAMES.includes(name)) return false
    return !repairs.includes('drop-unknown') || this.schema?.keeps(name) !== false
  }

  /** Whether an element of this name may follow the one that is being read; without one, whether it is an argument. */
  override ends(): number {
    const name = this.sibling
    if (this.elements.length === 0)
      return this.schema?.listed?.includes(name) === true ? FormatAnswer.Accept : FormatAnswer.Reject
    const around = this.elements.at(-2)
    const parent = around === undefined ? this.call : around.container
    // An element that nothing is said of ends before any other.
    const names = this.elements.at(-1)?.part === undefined || parent?.isList === true ? undefined : parent?.part?.listed
    return names === undefined || names.includes(name) ? FormatAnswer.Accept : FormatAnswer.Reject
  }

  override text(piece: string): void {
    const text = this.yaml ?? this.message ?? this.elements.at(-1)?.text
    text?.add(piece)
    if (this.writer.isInText) this.writer.text(piece)
  }

  /** The element that was opened last closes. */
  override close(): void {
    const element = this.elements.pop() as OpenElement
    const { value, isList } = this.#valueOf(element)
    const around = this.elements.at(-1)
    const parent = around === undefined ? this.call : (around.container as Container)
    this.#add(parent, element, value, isList, around === undefined)
    if (around === undefined) this.#ended(element.name)
  }

  /** An argument is whole. */
  #ended(name: string): void {
    const { writer } = this
    if (writer.isInText) writer.endText()
    else if (!this.isFixed || !this.#keeps(name)) return
    else if (writer.keys.has(name)) this.again.add(name)
    else if (this.last !== name) {
      this.#writeLast()
      this.last = name
    }
  }

  #writeLast(): void {
    const name = this.last
    this.last = undefined
    if (name !== undefined) this.#write(name)
  }

  #write(name: string): void {
    this.writer.member(name)
    this.writer.put(toJson(this.call.members.get(name)?.value))
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

  override member(): number {
    return this.error === undefined ? FormatAnswer.Accept : FormatAnswer.Malformed
  }

  /** Whether a body that is no elements may be one text. */
  override mayBeText(): number {
    if (!this.#mayBeMessage) return FormatAnswer.Reject
    this.elements.length = 0
    this.error = undefined
    this.message = new Joined()
    return FormatAnswer.Accept
  }

  get #mayBeMessage(): boolean {
    const { format, schema } = this
    return (
      format.repairs?.includes('message-text') === true && schema?.property('message')?.types.has('string') === true
    )
  }

  override whole(): string | undefined {
    const { result } = this
    if (!('malformed' in result)) return undefined
    return (this.error ??= result.malformed)
  }

  override takeJson(): string | undefined {
    const value = fromJson(this.writer.takeHeld())
    if (isRecord(value)) this.known = repaired(value, this.format, this.schema, this.fixes)
    return this.#writeAll()
  }

  override finish(): string | undefined {
    if (!this.isFixed || this.yaml !== undefined || !('input' in this.result)) return this.#writeAll()
    this.#writeLast()
    for (const name of this.again) this.#write(name)
    this.writer.finish()
    return undefined
  }

  /** Writes all arguments; gives why the call is dropped, if it is. */
  #writeAll(): string | undefined {
    const { result } = this
    if (!('input' in result)) return 'dropped' in result ? result.dropped : result.malformed
    this.writer.put(toJson(result.input))
    return undefined
  }

  /** The arguments, or why there are none. */
  get result(): Repaired {
    return (this.known ??= this.#read())
  }

  #read(): Repaired {
    const input = this.yaml === undefined ? this.#all() : this.#readYaml(this.yaml.toString())
    return typeof input === 'string' ? { malformed: input } : repaired(input, this.format, this.schema, this.fixes)
  }

  /** What all elements are, or what is wrong with them. */
  #all(): Readonly<Record<string, unknown>> | string {
    if (this.message === undefined) return this.call.value as Readonly<Record<string, unknown>>
    const message = this.message
      .toString()
      .replaceAll(/<\/?[A-Za-z][^<>]*>/g, '')
      .trim()
    return message === '' ? 'it holds neither elements nor a text' : { message }
  }

  #readYaml(body: string): Readonly<Record<string, unknown>> | string {
    const { format, schema, fixes } = this
    const read = yamlReader(format)
    return read === undefined
      ? 'nothing reads YAML: withYaml of tokenweir/ai-sdk-tool-parser adds it to a format'
      : read(body, format, schema, {
          typed: (text, part) => typedText(text, format, part, fixes),
          number: numberOf,
          fixed: (repair) => void fixes.add(repair),
        })
  }
}

/** The value of an element whose tag closes itself. */
function emptyOf(types: ReadonlySet<Kind>): unknown {
  if (types.has('string') || !(types.has('array') || types.has('object'))) return ''
  return types.has('array') ? [] : {}
}
