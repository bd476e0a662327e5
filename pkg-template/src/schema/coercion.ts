// Gives values the types of a JSON schema: what a model wrote as `"5"`, where a number
// is expected, is 5.
//
// A schema is read once, and used in two ways: for a whole value, by `value`, and for one
// that is still arriving, by `plan`. Both give the same result.
//
// Source: spec/tool_call.md, "rjson, rxml, coerceBySchema"; facts/ai-sdk-tool-parser.md, 2c.
// Differences: alternatives and references are followed, `"5"` against `number[]` is
// `[5]`, `"4.5"` is not an integer, `"null"` against `number | null` is null, keys that a
// schema forbids are dropped, and numbers of many digits keep them.

import { isRecord } from '../own.js'
import type { Plan } from './plan.js'
import { Plans } from './plans.js'
import { type Schema, Schemas } from './schema.js'
import { unwrapJsonSchema } from './keywords.js'
import { ValueFitter } from './value-fitter.js'

export type { ArrayPlan, Member, ObjectPlan, Plan } from './plan.js'

/** How numbers and XML are read. */
export interface CoercionOptions {
  /** Whether numbers in strings that JavaScript can't hold become `Digits`. @defaultValue false */
  readonly keepsDigits?: boolean
  /** What `<a>1</a><b>2</b>` is read by where an object is expected. @defaultValue none: it stays a text */
  readonly readXml?: XmlObjectReader
  /** Whether strings that no schema speaks of are guessed at. @defaultValue true */
  readonly guesses?: boolean
}

/**
 * Reads the elements of a text as an object of still untyped values, strings in it as the schema's strings; undefined
 * if the text isn't elements from end to end. That is rxml's business, which itself gives types by the coercion.
 */
export type XmlObjectReader = (text: string, schema: unknown, coercion: Coercion) => unknown

/** Types values by one schema and its parts. */
export class Coercion {
  /** The schema, without the AI SDK's wrapper. */
  readonly root: unknown
  /** @internal */
  readonly keepsDigits: boolean
  readonly #schemas: Schemas
  readonly #plans: Plans
  readonly #readXml: XmlObjectReader | undefined
  readonly #guesses: boolean

  /** `root` is a JSON schema, `{ jsonSchema }`, or nothing: then strings are guessed at. `$ref`s begin at it. */
  constructor(root: unknown, { keepsDigits = false, readXml, guesses = true }: CoercionOptions = {}) {
    this.root = unwrapJsonSchema(root)
    this.keepsDigits = keepsDigits
    this.#readXml = readXml
    this.#guesses = guesses
    this.#schemas = new Schemas(this.root)
    this.#plans = new Plans(this.#schemas, (value, schema) => this.value(value, schema))
  }

  /** The root, read. */
  get schema(): Schema {
    return this.of(this.root)
  }

  /** A part, read. */
  of(part: unknown): Schema {
    return this.#schemas.of(part)
  }

  /**
   * The value by the schema; without a second argument by the root. The argument is not changed;
   * what needs no change may be part of the result.
   *
   * @throws RangeError if it is nested more than 512 levels deep.
   */
  value(value: unknown, ...schema: [schema?: unknown]): unknown {
    const readXml = (text: string, schema: unknown) => this.#xmlObject(text, schema)
    return new ValueFitter(this.#schemas, this.#plans, this.keepsDigits, readXml, this.#guesses).take(
      value,
      schema.length === 0 ? this.root : schema[0],
      0,
    )
  }

  /** What is done with a value before all of it has arrived. */
  plan(schema: unknown): Plan {
    return this.#plans.of(schema)
  }

  /** The object that a text's elements make. */
  #xmlObject(text: string, schema: unknown): Readonly<Record<string, unknown>> | undefined {
    if (!text.startsWith('<') || !text.endsWith('>')) return undefined
    const value = this.#readXml?.(text, schema, this)
    return isRecord(value) ? value : undefined
  }
}

/** The value by the schema, or as it is where it is nested too deep to be typed: text never makes a parser throw. */
export function typed(coercion: Coercion, value: unknown, schema: unknown): unknown {
  try {
    return coercion.value(value, schema)
  } catch (error) {
    if (error instanceof RangeError) return value
    throw error
  }
}
