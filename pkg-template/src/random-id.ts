// Ids that are made up, where a protocol wants one that nobody has given.

/** 128 random bits, as digits. Pages without TLS have no `crypto.randomUUID`. */
export const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('')
