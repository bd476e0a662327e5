// The pace of the chunks.

/** Chunks per second, from slow to as fast as possible. */
export const PACES: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, Infinity]

export function paceName(pace: number): string {
  if (pace === Infinity) return 'as fast as possible'
  return pace === 1 ? '1 chunk per second' : `${pace} chunks per second`
}
