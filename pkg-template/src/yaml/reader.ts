// Arguments in YAML: what its nodes mean by the tool's schema.
//
// Source: spec/format.md, "YAML".

import type { Format } from '../formats/types.js'
import { put } from '../own.js'
import type { Schema } from '../schema/schema.js'
import { type YamlTyping, YAML_READER } from '../arguments/yaml-reader.js'
import { type YamlNode, readYaml } from './nodes.js'

type Arguments = Readonly<Record<string, unknown>>

/** Reads the arguments in a body, or says what is wrong with it. */
function yamlArguments(
  body: string,
  { repairs }: Format,
  schema: Schema | undefined,
  typing: YamlTyping,
): Arguments | string {
  const node = readYaml(unindented(body))
  if (node === undefined) {
    const members = repairs?.includes('raw-keys') === true ? rawMembers(body, schema, typing) : undefined
    if (members !== undefined) typing.fixed('raw-keys')
    return members ?? 'its YAML has errors'
  }
  return 'members' in node ? objectOf(node.members, schema, typing) : 'its YAML is not a mapping'
}

function objectOf(
  members: ReadonlyArray<readonly [string, YamlNode]>,
  part: Schema | undefined,
  typing: YamlTyping,
): Arguments {
  const object: Record<string, unknown> = {}
  for (const [name, node] of members) put(object, name, valueOf(node, part?.property(name), typing))
  return object
}

/** A node's value: a scalar where a string may stand is what was written. */
function valueOf(node: YamlNode, part: Schema | undefined, typing: YamlTyping): unknown {
  if ('members' in node) return objectOf(node.members, part, typing)
  if ('items' in node) return node.items.map((item, at) => valueOf(item, part?.element(at), typing))
  const { value, source } = node
  const types = part?.types
  if (typeof value === 'string')
    return types === undefined || types.size === 0 || types.has('string') ? value : typing.typed(value, part)
  if (types?.has('string') === true && !(value === null && (types.has('null') || (source ?? '') === '')))
    return source ?? String(value)
  return typeof value === 'bigint' ? typing.number(String(value)) : value
}

/** `key: text` in lines of declared arguments, each text going on to the next such line, as it is written. */
function rawMembers(body: string, schema: Schema | undefined, typing: YamlTyping): Arguments | undefined {
  const names = schema?.listed ?? []
  const texts = new Map<string, string>()
  let last: string | undefined
  for (const line of body.replace(/^[ \t]*\r?\n/, '').split(/(?<=\n)/)) {
    const key = /^([^\s:]+):(?=\s)/.exec(line)?.[1]
    if (key !== undefined && names.includes(key) && !texts.has(key)) {
      texts.set(key, line.slice(key.length + 1).replace(/^ /, ''))
      last = key
    } else if (last === undefined) return undefined
    else texts.set(last, (texts.get(last) as string) + line)
  }
  const input: Record<string, unknown> = {}
  for (const [key, text] of texts)
    put(input, key, typing.typed(key === last ? text : text.replace(/\r?\n$/, ''), schema?.property(key)))
  return input
}

/** A text without the indentation that all its lines have. */
function unindented(text: string): string {
  const lines = text.split('\n')
  const indent = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0
  const least = lines.reduce((least, line) => (line.trim() === '' ? least : Math.min(least, indent(line))), Infinity)
  return lines.map((line) => line.slice(Math.min(least, indent(line)))).join('\n')
}

/**
 * A format whose body is YAML, with what reads it. It is a copy; other formats stay as they are.
 *
 * @example
 * ```ts
 * import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(withYaml({ id: 'mine', call: { body: 'yaml' } }).call?.body) // yaml
 * ```
 */
export function withYaml<Row extends Format>(format: Row): Row {
  if (format.call?.body !== 'yaml') return format
  return Object.freeze({ ...format, [YAML_READER]: yamlArguments })
}
