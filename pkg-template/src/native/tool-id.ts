const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A fresh id in the form that Anthropic's have: `toolu_` and 24 random base-62 characters. */
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
