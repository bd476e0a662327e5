// A call's arguments as elements or in YAML, from the records of the format machine.

import { FormatAnswer, FormatAsk } from '../generated/ops.js'
import type { Format } from '../formats/types.js'
import { Joined } from '../joined.js'
import { instance, maybe } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { numberOf } from '../json/digits.js'
import type { Schema } from '../schema/schema.js'
import { toJson } from '../schema/to-json.js'
import { type Repaired, repaired } from './call-repairs.js'
import { ElementsInput } from './elements-input.js'
import { typedText } from './typed-text.js'
import type { Repair } from './types.js'
import { yamlReader } from './yaml-reader.js'

/** Reads the body of one call. */
export class TaggedBody {
  static get saved(): SavedClass {
    return { skips: ['known', 'format', 'schema', 'put'], fields: { yaml: maybe(instance(Joined)) } }
  }
  private readonly elements: ElementsInput
  /** The text of the body, as long as no element came. */
  private yaml: Joined | undefined
  /** The name of the element that may follow the one that is open. */
  private next = ''
  private known: Repaired | undefined

  /** `schema` is the tool's, if it has one; `write` gets the arguments as JSON. */
  constructor(
    private readonly format: Format,
    private readonly schema: Schema | undefined,
    private readonly put: (json: string) => void,
    repeat: () => void,
  ) {
    this.elements = new ElementsInput(format, schema, put, repeat)
    this.yaml = format.call?.body === 'yaml' ? new Joined() : undefined
  }

  /** What was wrong last. */
  get error(): string | undefined {
    const { error } = this.elements
    return error ?? (this.known !== undefined && 'malformed' in this.known ? this.known.malformed : undefined)
  }

  /** The names of the arguments that came. */
  get given(): readonly string[] {
    const { result } = this
    return 'input' in result ? Object.keys(result.input) : []
  }

  open(name: string): void {
    this.yaml = undefined
    this.elements.open(name)
  }

  close(): void {
    this.elements.close()
  }

  sibling(name: string): void {
    this.next = name
  }

  text(piece: string): void {
    if (this.yaml === undefined) this.elements.text(piece)
    else this.yaml.add(piece)
  }

  /** Answers a question of the machine, both by their numbers. */
  answer(ask: number): number {
    switch (ask) {
      case FormatAsk.Element:
        return this.elements.element()
      case FormatAsk.Open:
        return this.elements.sibling(this.next)
      case FormatAsk.Member:
        return this.elements.member()
      case FormatAsk.Message:
        return this.elements.message()
      default:
        return 'malformed' in this.result ? FormatAnswer.Malformed : FormatAnswer.Accept
    }
  }

  /** The arguments, or why there are none. */
  get result(): Repaired {
    return (this.known ??= this.#read())
  }

  /** Arguments that came in another way, after the row's repairs. */
  repaired(input: Readonly<Record<string, unknown>>): Repaired {
    return repaired(input, this.format, this.schema)
  }

  /** Writes all arguments. */
  write(input: Readonly<Record<string, unknown>>): void {
    this.put(toJson(input))
  }

  /** Writes what is left of the arguments. */
  finish(input: Readonly<Record<string, unknown>>): void {
    if (this.yaml !== undefined || !this.elements.finish()) this.write(input)
  }

  #read(): Repaired {
    const { format, schema } = this
    const { fixes } = this.elements
    const input =
      this.yaml === undefined
        ? (this.elements.arguments() ?? 'it holds neither elements nor a text')
        : this.#readYaml(this.yaml.toString(), fixes)
    return typeof input === 'string' ? { malformed: input } : repaired(input, format, schema, [...fixes])
  }

  #readYaml(body: string, fixes: Set<Repair>): Readonly<Record<string, unknown>> | string {
    const { format, schema } = this
    const read = yamlReader(format)
    return read === undefined
      ? 'nothing reads YAML: withYaml of tokenweir/yaml adds it to a format'
      : read(body, format, schema, {
          typed: (text, part) => typedText(text, format, part, fixes),
          number: numberOf,
          fixed: (repair) => void fixes.add(repair),
        })
  }
}
