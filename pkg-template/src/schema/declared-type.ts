// How the parameters of tools are declared, as far as it decides how blocks read their text.

import { describe } from '../errors.js'
import { Declared } from '../generated/ops.js'
import type { Listing } from '../json/members.js'
import { type Kind, listingOf, unwrapJsonSchema } from './keywords.js'
import { listedProperties, objectsIn, readerOf, requiredArguments } from './reader.js'
import { isSchema, readTools } from './tool-list.js'
import type { View } from './view.js'

/** What is known of a parameter. */
interface Declaration {
  readonly declared: Declared
  readonly listing: Listing
}

const UNKNOWN: Declaration = { declared: Declared.Unknown, listing: undefined }

/** The declarations of a list of tools, each read when it is first asked for. */
export class Declarations {
  readonly #tools = new Map<string, { readonly schema: unknown; readonly parameters: Map<string, Declaration> }>()

  /** Refuses what isn't a tool, or has no JSON schema, by name. */
  constructor(place: string, tools: unknown) {
    readTools(place, tools, ({ name, schema: given }) => {
      const schema = unwrapJsonSchema(given)
      if (given !== undefined && !isSchema(schema))
        throw new TypeError(
          `${place}: the schema of ${JSON.stringify(name)} must be a JSON schema or a library's, but is ` +
            `${describe(schema)}`,
        )
      this.#tools.set(name, { schema, parameters: new Map() })
    })
  }

  /** The parameters that a tool requires: none if its schema isn't known. */
  requiredBy(tool: string): readonly string[] {
    const schema = this.#tools.get(tool)?.schema
    return schema === undefined ? [] : requiredArguments(objectsIn(readerOf(schema).ways(schema)))
  }

  /** How a parameter is declared; as an element, only if the schema lists its name. */
  of(tool: string, parameter: string, isElement: boolean): Declared {
    if (isElement && !lists(this.#tools.get(tool)?.schema, parameter)) return Declared.Unknown
    const { declared } = this.#declaration(tool, parameter)
    return isElement && declared === Declared.Unknown ? Declared.Named : declared
  }

  /** Whether a tool may have a parameter of the name: not where its schema lists others. */
  mayHave(tool: string, parameter: string): boolean {
    const schema = this.#tools.get(tool)?.schema
    return listedProperties(objectsIn(readerOf(schema).ways(schema)))?.includes(parameter) ?? true
  }

  /** What a parameter is if it comes again. */
  listing(tool: string, parameter: string): Listing {
    return this.#declaration(tool, parameter).listing
  }

  #declaration(tool: string, parameter: string): Declaration {
    const known = this.#tools.get(tool)
    if (known === undefined) return UNKNOWN
    let declaration = known.parameters.get(parameter)
    if (declaration === undefined)
      known.parameters.set(parameter, (declaration = declarationIn(known.schema, parameter)))
    return declaration
  }
}

/** Whether a schema of an object has a property by its name. */
export function lists(schema: unknown, parameter: string): boolean {
  return objectsIn(readerOf(schema).ways(schema)).some((view) => view.names(parameter))
}

function declarationIn(schema: unknown, parameter: string): Declaration {
  const reader = readerOf(schema)
  const found = objectsIn(reader.ways(schema)).map((view) => view.property(parameter))
  if (found.length === 0 || found.some(({ schema }) => schema === undefined)) return UNKNOWN
  const views = found.flatMap(({ schema }) => reader.ways(schema))
  if (views.some((view) => kindsOf(view) === undefined)) return UNKNOWN
  const kindsIn = (views: readonly View[]) => new Set(views.flatMap((view) => [...(kindsOf(view) ?? [])]))
  const kinds = kindsIn(views)
  const listing = listingOf(kinds, () => kindsIn(views.flatMap((view) => reader.ways(view.element(0)))))
  return { declared: declaredBy(kinds), listing }
}

function declaredBy(kinds: Set<Kind>): Declared {
  // A text that may be null and a string is the string.
  kinds.delete('null')
  const all = (...some: readonly Kind[]) => kinds.size > 0 && [...kinds].every((kind) => some.includes(kind))
  return all('string')
    ? Declared.String
    : all('object', 'array')
      ? Declared.Container
      : all('boolean')
        ? Declared.Boolean
        : kinds.size > 0 && !kinds.has('string')
          ? Declared.Named
          : Declared.Unknown
}

/** The kinds of a view's values, by its `const` and `enum` too. */
function kindsOf({ kinds, literals }: View): ReadonlySet<Kind> | undefined {
  if (literals === undefined) return kinds
  return new Set(
    [...literals].map((value) => (value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean'))),
  )
}
