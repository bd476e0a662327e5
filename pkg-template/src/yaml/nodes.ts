// Reads YAML with the package `yaml`.

import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml'

/** Most nodes of a body: aliases may stand for many. */
const MOST_NODES = 100_000

/** A value in YAML: a mapping, a sequence, or a scalar with what was written. */
export type YamlNode =
  | { readonly members: ReadonlyArray<readonly [string, YamlNode]> }
  | { readonly items: readonly YamlNode[] }
  | { readonly value: unknown; readonly source: string | undefined }

/** The value of a text in YAML 1.2; undefined if it has errors. A text of white space is an empty mapping. */
export function readYaml(text: string): YamlNode | undefined {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    uniqueKeys: true,
    intAsBigInt: true,
    logLevel: 'silent',
  })
  if (document.errors.length > 0) return undefined
  const { contents } = document
  if (contents === null || (isScalar(contents) && text.trim() === '')) return { members: [] }
  try {
    return new NodeReader(document).read(contents)
  } catch (error) {
    // Aliases that go in circles, or multiply.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

class NodeReader {
  #count = 0

  constructor(private readonly document: Document) {}

  read(node: unknown): YamlNode {
    if (++this.#count > MOST_NODES) throw new RangeError('too many nodes')
    if (isAlias(node)) return this.read(node.resolve(this.document))
    if (isMap(node))
      return {
        members: node.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), this.read(value)]),
      }
    if (isSeq(node)) return { items: node.items.map((item) => this.read(item)) }
    return isScalar(node) ? { value: node.value, source: node.source } : { value: null, source: undefined }
  }
}
