// Ids of calls that are not read from a text: `call_` and 24 letters and digits.

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new id. */
export function newCallId(): string {
  let id = 'call_'
  while (id.length < 29) {
    for (const byte of crypto.getRandomValues(new Uint8Array(24))) {
      // 248 is four times 62: beyond it some characters would come more often than others.
      if (byte < 248 && id.length < 29) id += CHARACTERS[byte % 62]
    }
  }
  return id
}
