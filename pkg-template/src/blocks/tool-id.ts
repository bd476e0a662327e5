import { describe } from '../errors.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new id in Anthropic's form: `toolu_` and 24 random base-62 characters. */
export function randomToolId(): string {
  let id = ''
  while (id.length < 24) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // 62 and 63 are left out, so that every character is equally likely.
      const char = ALPHABET[byte & 63]
      if (char !== undefined && id.length < 24) id += char
    }
  }
  return `toolu_${id}`
}

/**
 * The id of a user's `generateId`. If it throws, or returns none, `failed` gets the
 * error and the id is a random one, so that the block is still emitted.
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
