// Prints a tree as a structural tag of xgrammar: JSON by a schema and text without markers are nodes, which the engine
// compiles itself; what else is not a text is a grammar.
//
// Source: xgrammar 0.2.8, python/xgrammar/structural_tag.py.

import { gbnfText } from './gbnf.js'
import { isPlain } from './markers.js'
import type { Tree } from './tree.js'

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
  return { type: 'structural_tag', format: target === 'web-llm' ? grammar(tree) : nodeOf(tree) }
}

const grammar = (tree: Tree): TagFormat => ({ type: 'grammar', grammar: gbnfText(tree) })

function nodeOf(tree: Tree): TagFormat {
  if (tree.kind === 'text') return { type: 'const_string', value: tree.text }
  if (tree.kind === 'json') {
    const { schema, without } = tree
    return { type: 'json_schema', json_schema: schema, ...(without.length === 0 ? {} : { excludes: without }) }
  }
  if (tree.kind === 'free' && isPlain(tree)) return { type: 'any_text', excludes: tree.without }
  if (!hasNode(tree, new Set())) return grammar(tree)
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
      return tree.min === 0 ? { type: 'star', content } : tree.min === 1 ? { type: 'plus', content } : { type: 'repeat', min: tree.min, max: -1, content }
    }
    case 'rule':
      return nodeOf(tree.of())
    default:
      return grammar(tree)
  }
}

/** Whether there is something in a tree that the engine has a node for. */
function hasNode(tree: Tree, seen: Set<Tree>): boolean {
  if (seen.has(tree)) return false
  seen.add(tree)
  switch (tree.kind) {
    case 'json':
      return true
    case 'free':
      return isPlain(tree)
    case 'all':
    case 'any':
      return tree.of.some((part) => hasNode(part, seen))
    case 'many':
      return hasNode(tree.of, seen)
    case 'rule':
      return hasNode(tree.of(), seen)
    default:
      return false
  }
}
