// The tools of one request: their names, and the coercion of each.

import { own } from '../own.js'
import { coercionBy } from '../rxml/xml-in-strings.js'
import type { Coercion } from '../schema/coercion.js'
import { toolNames } from '../wasm/formats.js'
import type { ResolvedOptions } from './options.js'
import type { Tool } from './types.js'

/** What is known of the tools. */
export class Catalogue {
  /** The names that the machine knows, in the order of their bytes. */
  readonly names: readonly string[]
  readonly #schemas = new Map<string, unknown>()

  constructor(tools: readonly Tool[], { originalToolSchemas }: ResolvedOptions) {
    for (const tool of tools) {
      // Tools of the provider itself are called in another way.
      if (tool.type === undefined || tool.type === 'function')
        this.#schemas.set(tool.name, own(originalToolSchemas, tool.name) ?? tool.inputSchema)
    }
    const names = [...this.#schemas.keys()]
    this.names = names.length > 0 ? toolNames(names) : []
  }

  /** Whether there are tools at all. */
  get isEmpty(): boolean {
    return this.#schemas.size === 0
  }

  has(name: string): boolean {
    return this.#schemas.has(name)
  }

  /** Undefined for a tool that isn't known, or that has no schema. */
  coercion(name: string): Coercion | undefined {
    const schema = this.#schemas.get(name)
    return schema === undefined || schema === null ? undefined : coercionBy(schema, { keepsDigits: true })
  }
}
