// Gives values the types of a JSON schema: what a model wrote as `"5"`, where a number
// is expected, is 5.
//
// What a schema says is worked out once, and asked in two ways: of a whole value, by
// `value`, and of one that is still coming, by `plan`. Both give the same.
//
// Source: spec/tool_call.md, "rjson, rxml, coerceBySchema"; facts/ai-sdk-tool-parser.md, 2c.
// Differences: alternatives and references are followed, `"5"` against `number[]` is
// `[5]`, `"4.5"` is no integer, `"null"` against `number | null` is null, keys that a
// schema forbids are dropped, and numbers of many digits keep them.

import { Fitting } from './fitting.js'
import type { Plan } from './plan.js'
import { type Shape, Shapes } from './shape.js'
import { unwrapJsonSchema } from './unwrap.js'
import type { View } from './views.js'

export type { ArrayPlan, Member, ObjectPlan, Plan } from './plan.js'
export { setXmlObjectReader } from './xml-text.js'

/** How numbers are read. */
export interface CoercionOptions {
  /** Whether numbers in strings that JavaScript can't hold become `Digits`. @defaultValue false */
  readonly keepsDigits?: boolean
}

/** Types values by one schema and its parts. */
export class Coercion {
  /** The schema, without the AI SDK's wrapper. */
  readonly root: unknown
  /** @internal */
  readonly keepsDigits: boolean
  readonly #shapes: Shapes

  /** `root` is a JSON schema, `{ jsonSchema }`, or nothing: then strings are guessed at. `$ref`s begin at it. */
  constructor(root: unknown, { keepsDigits = false }: CoercionOptions = {}) {
    this.root = unwrapJsonSchema(root)
    this.keepsDigits = keepsDigits
    this.#shapes = new Shapes(this.root, (value, schema) => this.value(value, schema))
  }

  /**
   * The value by the schema; without a second argument by the root. The argument is not changed;
   * what needs no change may be part of the result.
   *
   * @throws RangeError if it is nested more than 512 levels deep.
   */
  value(value: unknown, ...schema: [schema?: unknown]): unknown {
    return new Fitting(this, this.#shapes).take(value, schema.length === 0 ? this.root : schema[0], 0)
  }

  /** What is done with a value before all of it is there. */
  plan(schema: unknown): Plan {
    return this.#shapes.of(schema).plan
  }

  /** The ways to fit a schema. None: nothing is known, or nothing fits. */
  views(schema: unknown): readonly View[] {
    return this.shape(schema).views
  }

  /** @internal */
  shape(schema: unknown): Shape {
    return this.#shapes.of(schema)
  }
}
