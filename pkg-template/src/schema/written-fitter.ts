// Fits values to a schema that are written as text or as elements, and have no types yet.
//
// A value that doesn't fit stays the text. If there are several ways, the best is the one with the
// fewest misfits; of equals a `const` or `enum`, then null, booleans, numbers, arrays and
// objects, then strings: with `string | integer`, `3` is a number and `three` a string. A
// string alone is the text, whatever it looks like. Of equal objects the one is taken
// whose schema speaks of the most fields.

import { keptValue } from '../json/value.js'
import { isRecord, put } from '../own.js'
import { jsonIn } from '../untrusted.js'
import { Fitter, type Fit } from './fitter.js'
import { KINDS, type Kind } from './keywords.js'
import { type SchemaReader, objectsIn, readerOf } from './reader.js'
import type { View } from './view.js'
import { booleanIn, isNullWord, plainNumberIn } from './texts.js'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A value before it has a type. */
interface Written {
  /** The value as it was written. */
  readonly text: string
  /** Its elements, if it is written as a list. */
  readonly list: readonly Written[] | undefined
  /** Its fields, if it is written as an object. One that is written as a list may have them too, all named `item`. */
  readonly fields: readonly WrittenField[] | undefined
  /** Whether these are fields only if a schema says that it is an object: without one it is markup, and a text. */
  readonly isMarkup: boolean
}

/** A field of an object before it has a type. */
export interface WrittenField extends Written {
  readonly name: string
}

/** How a value was read, from the best to the worst. */
const LITERAL = 0
const TYPED = 1
const AS_TEXT = 2
/** An element with nothing in it is an empty string if it may be a string, else an empty list or object. */
const EMPTY = 3

/**
 * Arguments that are written as fields, by the schema of the object of all of them. `repeats`: fields that come again
 * are a list where no schema says what they are, too; otherwise the last one counts there.
 */
export function writtenArguments(
  fields: readonly WrittenField[],
  schema: unknown,
  repeats = false,
): Record<string, Json> {
  const ways = objectsIn(readerOf(schema).ways(schema))
  return new WrittenFitter(readerOf(schema), repeats).arguments(fields, ways) ?? untypedObject(fields, repeats)
}

/** A value as it is written, without a schema. */
function untyped(written: Written, repeats: boolean): Json {
  if (written.list !== undefined) return written.list.map((element) => untyped(element, repeats))
  return written.fields === undefined || written.isMarkup ? written.text : untypedObject(written.fields, repeats)
}

function untypedObject(fields: readonly WrittenField[], repeats: boolean): Record<string, Json> {
  const object: Record<string, Json> = {}
  for (const [name, group] of groupsOf(fields)) {
    const last = group.at(-1) as WrittenField
    put(object, name, untyped(repeats && group.length > 1 ? new Repeated(last, group) : last, repeats))
  }
  return object
}

/** Fields by their names. */
function groupsOf(fields: readonly WrittenField[]): Map<string, WrittenField[]> {
  const groups = new Map<string, WrittenField[]>()
  for (const field of fields) {
    const group = groups.get(field.name)
    if (group === undefined) groups.set(field.name, [field])
    else group.push(field)
  }
  return groups
}

/** A list that is written as a field that comes again and again. As a text the last one counts. */
class Repeated implements Written {
  readonly fields = undefined
  readonly isMarkup = false

  constructor(
    private readonly last: Written,
    readonly list: readonly Written[],
  ) {}

  get text(): string {
    return this.last.text
  }
}

/** Fits the arguments of one tool call. */
class WrittenFitter extends Fitter {
  readonly #reader: SchemaReader
  readonly #repeats: boolean

  constructor(reader: SchemaReader, repeats: boolean) {
    super(['misfits', 'changes', 'strangers'])
    this.#reader = reader
    this.#repeats = repeats
  }

  /** The best object, if there is a way to make one. */
  arguments(fields: readonly WrittenField[], ways: readonly View[]): Record<string, Json> | undefined {
    this.remembered()
    return this.#best(ways, (view) => this.#object(fields, view))?.value as Record<string, Json> | undefined
  }

  protected override fit(written: Written, view: View): unknown {
    const { literals, kinds } = view
    if (literals !== undefined) {
      const literal = literalIn(written.text, literals)
      return literal === undefined ? this.#unfit() : this.#as(LITERAL, literal)
    }
    if (kinds === undefined) return this.#as(AS_TEXT, untyped(written, this.#repeats))
    const best = this.#best(
      KINDS.filter((kind) => kinds.has(kind)),
      (kind) => this.#fitKind(written, kind, view),
    )
    return best === undefined ? this.#unfit() : this.accept(best)
  }

  #best<Way>(ways: readonly Way[], fit: (way: Way) => unknown): Fit | undefined {
    let best: Fit | undefined
    for (const way of ways) {
      const before = this.begin()
      best = this.better(best, this.end(before, fit(way)))
    }
    return best
  }

  /** Each value is tried once against each schema. */
  #take(written: Written, schema: unknown): unknown {
    if (!isRecord(schema) && schema !== false) return untyped(written, this.#repeats)
    const ways = this.#reader.ways(schema)
    const before = this.begin()
    const outcome = this.end(
      before,
      ways.length === 0 ? this.#unfit() : this.choose(written, written, ways, schema, 0, 0),
    )
    if (outcome.misfits < Infinity) return this.accept(outcome)
    this.misfits++
    return written.text
  }

  #as(rank: number, value: unknown): unknown {
    this.changes = rank
    return value
  }

  /** It can't be this. */
  #unfit(): undefined {
    this.misfits = Infinity
  }

  #fitKind(written: Written, kind: Kind, view: View): unknown {
    const { text, list, fields } = written
    switch (kind) {
      case 'string':
        return this.#as(AS_TEXT, text)
      case 'array':
        if (list !== undefined)
          return this.#as(
            TYPED,
            list.map((element, at) => this.#take(element, view.element(at))),
          )
        return fields === undefined ? this.#container(text, '[') : this.#unfit()
      case 'object':
        if (fields === undefined) return list === undefined ? this.#container(text, '{') : this.#unfit()
        return list === undefined || view.names('item') ? this.#object(fields, view) : this.#unfit()
      default: {
        const value = list === undefined && fields === undefined ? scalarIn(text, kind) : undefined
        return value === undefined ? this.#unfit() : this.#as(TYPED, value)
      }
    }
  }

  /** The fields of an object; none is left out. */
  #object(fields: readonly WrittenField[], view: View): unknown {
    const groups = groupsOf(fields)
    for (const name of view.required) if (!groups.has(name)) this.misfits++
    const object: Record<string, unknown> = {}
    for (const [name, group] of groups) {
      const { schema, isRefused } = view.property(name)
      const last = group.at(-1) as WrittenField
      const isList = group.length > 1 && this.#mayBeList(schema)
      if (isRefused) this.misfits++
      if (schema === undefined) this.strangers++
      put(object, name, this.#take(isList ? new Repeated(last, group) : last, schema))
    }
    return this.#as(TYPED, object)
  }

  /** Whether a field that comes again is an item of a list. */
  #mayBeList(schema: unknown): boolean {
    if (this.#repeats && !isRecord(schema)) return schema !== false
    return this.#reader.ways(schema).some(({ kinds }) => kinds?.has('array') ?? this.#repeats)
  }

  /** An array or an object that is written as JSON. */
  #container(text: string, bracket: '[' | '{'): unknown {
    if (text === '') return this.#as(EMPTY, bracket === '[' ? [] : {})
    const value = text.trimStart()[0] === bracket ? (jsonIn(text) ?? keptValue(text)) : undefined
    return value === undefined ? this.#unfit() : this.#as(TYPED, value)
  }
}

function literalIn(text: string, literals: ReadonlySet<unknown>): unknown {
  return [text, scalarIn(text, 'null'), scalarIn(text, 'boolean'), scalarIn(text, 'number')].find(
    (value) => value !== undefined && literals.has(value),
  )
}

/** A null, a boolean or a number. Words in any case: models write `True`. */
function scalarIn(text: string, kind: 'null' | 'boolean' | 'integer' | 'number'): null | boolean | number | undefined {
  if (kind === 'null') return isNullWord(text) ? null : undefined
  if (kind === 'boolean') return booleanIn(text)
  const value = plainNumberIn(text)
  if (kind === 'integer' && !Number.isInteger(value)) return undefined
  // An id of many digits would become another one.
  const isOther =
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(text.trim()) &&
    BigInt(text) !== BigInt(value as number)
  return isOther ? undefined : value
}
