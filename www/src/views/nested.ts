// The blocks of a stream as a tree. It only grows at its end, so that nothing on the
// page moves.

import type { Block } from '../readings/block-list'

/** A block with its children; without a block, a group of consecutive calls and results. */
export interface CardTree {
  readonly key: string
  readonly block: Block | undefined
  readonly children: CardTree[]
}

export function nested(blocks: readonly Block[]): CardTree[] {
  const roots: CardTree[] = []
  /** The enclosing calls, outermost first. */
  let calls: CardTree[] = []
  for (const block of blocks) {
    // Blank lines between calls and results are text too, but not worth showing.
    if (block.type === 'text' && block.text.trim() === '') continue
    const tree: CardTree = { key: String(block.index), block, children: [] }
    if (block.type !== 'tool_call' && block.type !== 'tool_result') {
      calls = []
      roots.push(tree)
      continue
    }
    let group = roots.at(-1)
    if (group === undefined || group.block !== undefined) {
      group = { key: `tools-${block.index}`, block: undefined, children: [] }
      roots.push(group)
    }
    if (block.type === 'tool_call') {
      calls = calls.slice(0, Math.max(0, block.depth - 1))
      ;(calls.at(-1) ?? group).children.push(tree)
      calls.push(tree)
    } else {
      group.children.push(tree)
    }
  }
  return roots
}
