// What a schema means for a value before all of it has arrived.
//
// A streaming value can be emitted as it arrives if nothing that may still follow changes
// the result. A plan says when that is so. Whole values follow the same plan, so that both
// give the same result.

/** How values of one schema are handled. */
export interface Plan {
  /** Whether a string is taken as it is. */
  readonly keepsStrings: boolean
  /** Whether a number is taken as it is. */
  readonly keepsNumbers: boolean
  /** Whether `true`, `false` and `null` are taken as they are. */
  readonly keepsWords: boolean
  /**
   * Whether there is no schema: a string that reads as a number, a boolean or JSON is converted, all others are kept.
   */
  readonly guesses: boolean
  /** How an object is taken member by member; undefined: only as a whole. */
  readonly object: ObjectPlan | undefined
  /** How an array is taken item by item; undefined: only as a whole. */
  readonly array: ArrayPlan | undefined
}

/** How an object is taken member by member. */
export interface ObjectPlan {
  /**
   * How a member is handled. `wait`: it is not a key of the schema, which forbids others, but it may stand
   * for one that is missing; `leftovers` decides.
   */
  member(key: string): Member
  /**
   * The members that waiting ones become at the object's end, with their values coerced. `seen` are the keys that were
   * kept.
   *
   * @throws RangeError if a value is nested more than 512 levels deep.
   */
  leftovers(
    waiting: ReadonlyMap<string, unknown>,
    seen: ReadonlySet<string>,
  ): ReadonlyArray<readonly [key: string, value: unknown]>
}

/** How one member is handled. */
export interface Member {
  readonly schema: unknown
  readonly action: 'keep' | 'drop' | 'wait'
}

/** How an array is taken element by element. */
export interface ArrayPlan {
  /** The schema of an element. */
  element(index: number): unknown
}
