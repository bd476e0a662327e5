import { describe } from '../errors.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random bytes that were not used yet, from `next` on: to ask for so many takes as long as to ask for one. */
const bytes = /* @__PURE__ */ new Uint8Array(1_024)
let next = 1_024

/** A new id in Anthropic's form: `toolu_` and 24 random base-62 characters. */
export function randomToolId(): string {
  // Joined at the end: a journal keeps ids, and V8 would keep each addition.
  const letters: string[] = []
  while (letters.length < 24) {
    if (next === bytes.length) {
      crypto.getRandomValues(bytes)
      next = 0
    }
    // 62 and 63 are left out, so that every character is equally likely.
    const letter = ALPHABET[(bytes[next++] as number) & 63]
    if (letter !== undefined) letters.push(letter)
  }
  return `toolu_${letters.join('')}`
}

/**
 * The id of a user's `generateId`. If it throws, or returns none, `failed` gets the error and the id is a random one,
 * so that the block is still emitted.
 */
export function toolIdFrom(place: string, generateId: () => string, failed: (error: unknown) => void): string {
  try {
    const id: unknown = generateId()
    if (typeof id === 'string' && id !== '') return id
    throw new TypeError(`${place}: generateId must return a non-empty string, but returned ${describe(id)}`)
  } catch (error) {
    failed(error)
    return randomToolId()
  }
}
