// What schemas of tools say of one parameter, for readers of whole texts.

import { objectsIn, readerOf, requiredArguments } from './reader.js'
import { readTools } from './tool-list.js'
import { unwrapJsonSchema } from './keywords.js'

/** The parameters of tools, by the tools' names. */
export class ParameterTypes {
  readonly #schemas = new Map<string, unknown>()

  constructor(tools: unknown) {
    if (tools !== undefined)
      readTools('tools', tools, ({ name, schema }) => this.#schemas.set(name, unwrapJsonSchema(schema)))
  }

  /** Whether a tool's schema is known. */
  knows(tool: string): boolean {
    return this.#schemas.get(tool) !== undefined
  }

  /** Whether a tool has a parameter of that name. */
  lists(tool: string, parameter: string): boolean {
    return this.#objects(tool).some((view) => view.names(parameter))
  }

  /** Whether a tool's call needs it. */
  requires(tool: string, parameter: string): boolean {
    return requiredArguments(this.#objects(tool)).includes(parameter)
  }

  /** Whether it is a string, or null where that may be. */
  isString(tool: string, parameter: string): boolean {
    const kinds = this.#kinds(tool, parameter)
    return kinds.has('string') && [...kinds].every((kind) => kind === 'string' || kind === 'null')
  }

  /** Whether it may be null. */
  isNullable(tool: string, parameter: string): boolean {
    return this.#kinds(tool, parameter).has('null')
  }

  #objects(tool: string): ReturnType<typeof objectsIn> {
    const schema = this.#schemas.get(tool)
    return schema === undefined ? [] : objectsIn(readerOf(schema).ways(schema))
  }

  #kinds(tool: string, parameter: string): ReadonlySet<string> {
    const reader = readerOf(this.#schemas.get(tool))
    const properties = this.#objects(tool).map((view) => view.property(parameter).schema)
    return new Set(
      properties.flatMap((schema) =>
        schema === undefined ? [] : reader.ways(schema).flatMap(({ kinds }) => [...(kinds ?? [])]),
      ),
    )
  }
}
