// Prints a tree as a structural tag of xgrammar: JSON by a schema and text without markers are nodes, which the engine
// compiles itself; what else is not a text is a grammar.
//
// Source: xgrammar 0.2.8, python/xgrammar/structural_tag.py.

import { gbnfText } from './gbnf.js'
import { isPlain } from './markers.js'
import { ABOUT } from './held-schema.js'
import { isRecord } from '../own.js'
import { type Tree, all, partsOf, text } from './tree.js'

/**
 * A node of a structural tag, as xgrammar has them: its `type`, and what belongs to it.
 *
 * @example
 * ```ts
 * import type { TagFormat } from 'tokenweir/grammar'
 *
 * const node: TagFormat = { type: 'const_string', value: '<tool_call>' }
 * console.log(node.type) // const_string
 * ```
 */
export interface TagFormat {
  /** The kind of node: `sequence`, `json_schema`. */
  readonly type: string
  /** What belongs to this kind. */
  readonly [field: string]: unknown
}

/**
 * A structural tag: plain JSON.
 *
 * @example
 * ```ts
 * import { type StructuralTag, structuralTagFor } from 'tokenweir/grammar'
 *
 * const tag: StructuralTag = structuralTagFor('hermes', { now: {} })
 * console.log(tag.type) // structural_tag
 * ```
 */
export interface StructuralTag {
  /** Always the same. */
  readonly type: 'structural_tag'
  /** What may be written. */
  readonly format: TagFormat
}

/** A tree as a tag. web-xgrammar knows fewer kinds: there it is one grammar. */
export function tagOf(tree: Tree, target: 'xgrammar' | 'web-llm'): StructuralTag {
  return { type: 'structural_tag', format: target === 'web-llm' ? grammar(tree, true) : nodeOf(tree) }
}

const grammar = (tree: Tree, isAscii = false): TagFormat => ({ type: 'grammar', grammar: gbnfText(tree, isAscii) })

/** What stands in several places is a part of one grammar, where it is one rule. */
function nodeOf(tree: Tree): TagFormat {
  if (tree.kind === 'text') return { type: 'const_string', value: tree.text }
  if (tree.kind === 'json' && isExact(tree.schema)) {
    const { schema, without } = tree
    return { type: 'json_schema', json_schema: schema, ...(without.length === 0 ? {} : { excludes: without }) }
  }
  if (tree.kind === 'free' && isPlain(tree)) return { type: 'any_text', excludes: tree.without }
  if (!hasNode(tree)) return grammar(tree)
  switch (tree.kind) {
    case 'all':
      return { type: 'sequence', elements: tree.of.map(nodeOf) }
    case 'any': {
      const ways = tree.of.filter((way) => way.kind !== 'text' || way.text !== '')
      const either = { type: 'or', elements: ways.map(nodeOf) }
      return ways.length === tree.of.length ? either : { type: 'optional', content: either }
    }
    case 'many': {
      const content = nodeOf(tree.of)
      if (tree.max === 1 && tree.min === 0) return { type: 'optional', content }
      if (tree.max !== undefined) return { type: 'repeat', min: tree.min, max: tree.max, content }
      return tree.min === 0
        ? { type: 'star', content }
        : tree.min === 1
          ? { type: 'plus', content }
          : { type: 'repeat', min: tree.min, max: -1, content }
    }
    case 'several':
      return severalOf(tree.of, tree.join)
    default:
      return grammar(tree)
  }
}

/** One or more, with a text between them: tags, each with the text that it begins with. */
function severalOf(of: Tree, join: Tree): TagFormat {
  const content = nodeOf(of)
  const tags = waysOf(of).map((way) => {
    const [begin, ...others] = way.kind === 'all' ? way.of : [way]
    const end = others.at(-1)?.kind === 'text' ? others.pop() : text('')
    return begin?.kind !== 'text' || end?.kind !== 'text'
      ? undefined
      : { type: 'tag', begin: begin.text, content: nodeOf(all(...others)), end: end.text }
  })
  if (join.kind === 'text' && !tags.includes(undefined))
    return { type: 'tags_with_separator', tags, separator: join.text, at_least_one: true, stop_after_first: false }
  return {
    type: 'sequence',
    elements: [content, { type: 'star', content: { type: 'sequence', elements: [nodeOf(join), content] } }],
  }
}

/** The ways of a choice, each with what all begin with. */
function waysOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'any') return tree.of
  const [front, choice, ...others] = tree.kind === 'all' ? tree.of : []
  if (front?.kind !== 'text' || choice?.kind !== 'any' || others.length > 0) return [tree]
  return choice.of.map((way) => all(front, way))
}

/** Whether the engine holds a schema exactly. */
export function isExact(schema: unknown): boolean {
  if (!isRecord(schema)) return !Array.isArray(schema) || schema.every(isExact)
  const { minLength, maxLength, properties, additionalProperties: others, enum: listed, const: only } = schema
  // Strings of a length have no escapes, and a key that isn't declared may be one with an escape.
  if (minLength !== undefined || maxLength !== undefined) return false
  if (isRecord(properties) && Object.keys(properties).length > 0 && others !== undefined && others !== false)
    return false
  if (
    [only, ...(Array.isArray(listed) ? (listed as unknown[]) : [])].some(
      (value) => typeof value === 'object' && value !== null,
    )
  )
    return false
  return Object.entries(schema).every(
    ([keyword, part]) =>
      ABOUT.includes(keyword) ||
      (keyword === 'properties' || keyword === '$defs' ? Object.values(part as object).every(isExact) : isExact(part)),
  )
}

/** Whether the engine has a node for a part. */
function hasNode(tree: Tree): boolean {
  if (tree.kind === 'rule') return false
  return (
    (tree.kind === 'json' && isExact(tree.schema)) ||
    (tree.kind === 'free' && isPlain(tree)) ||
    partsOf(tree).some(hasNode)
  )
}
