// What the test of the documents has to find: read by it, never imported.

/**
 * Is described.
 *
 * @example half()
 */
export declare function half(): void

export declare class Silent {
  /** Is described. */
  property: string
  /** Is described. */
  method(): void
  private hidden(): void
}

/**
 * Is described.
 *
 * ```ts
 * nobodyRunsThis()
 * ```
 */
export interface Bare {
  member: string
}
