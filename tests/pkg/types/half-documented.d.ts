// Input of the documentation test, which must find its gaps: read by it, never imported.

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
