// The automaton of all rules: its nodes. One that consumes a unit leads to one after it; the others are passed without.

/** What stands for a match; a stop has nothing. */
export type Replace = string | ((match: string) => string) | undefined

/** What a node is: it consumes a unit, asserts something, or splits. One that does nothing ends a match. */
export interface Shape {
  /** Where it leads; a dead end if undefined. */
  next?: Node | undefined
  /** Splits: where it leads otherwise, if what `next` leads to doesn't match. */
  other?: Node | undefined
  readonly isSplit?: true
  /** Whether it is passed, by the unit before and the next one. */
  readonly passes?: (before: number, unit: number) => boolean
  /** Whether that depends on the unit before alone. */
  readonly looksBack?: true
  /** Whether it takes the unit. */
  readonly consumes?: true
}

export interface Node extends Shape {
  readonly id: number
  readonly replace: Replace
}

export type Make = (shape: Shape) => Node

/** Makes a node that consumes a unit between edges. */
export type Take = (edges: readonly number[], next: Node | undefined) => Node
