// The automaton of all rules: its nodes. One that consumes a unit leads to one after it; the others are passed without.

/** What stands for a match; a stop has nothing. */
export type Replace = string | ((match: string) => string) | undefined

/** What a node is: it consumes a unit, splits, or asserts something. One that does nothing ends a match. */
export interface Shape {
  /** Where it leads; a dead end if undefined. */
  next?: Node | undefined
  /** Splits: where it leads otherwise, if what `next` leads to doesn't match. */
  other?: Node | undefined
  readonly isSplit?: true | undefined
  /** Consumes a unit that is between these edges. */
  readonly edges?: readonly number[] | undefined
  /** Consumes one of these units. Each leads elsewhere. */
  readonly branches?: Map<number, Node> | undefined
  /** Holds between two units. */
  readonly holds?: ((before: number, after: number) => boolean) | undefined
  /** Whether that depends on the second one. */
  readonly looksAhead?: boolean | undefined
}

export interface Node extends Shape {
  readonly id: number
  replace: Replace
  /** The steps that have last been here before their unit, and after it. */
  before: number
  after: number
}

export type Make = (shape: Shape) => Node

/** All nodes have the same fields in the same order, which makes them twice as fast. */
export function nodeOf(id: number, replace: Replace, shape: Shape): Node {
  const { next, other, isSplit, edges, branches, holds, looksAhead } = shape
  return { id, replace, before: 0, after: 0, next, other, isSplit, edges, branches, holds, looksAhead }
}

/** The nodes that consume a unit, or end a match, to which a node leads if every assertion holds. */
export function leaves(first: Node | undefined): Node[] {
  const found = new Set([first])
  const isPassed = (node: Node) => node.isSplit ?? node.holds
  for (const node of found) if (node !== undefined && isPassed(node)) found.add(node.next).add(node.other)
  return [...found].filter((node) => node !== undefined && !isPassed(node)) as Node[]
}
