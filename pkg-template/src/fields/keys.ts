// The keys of a document, which come again and again: each is looked up instead of
// being made. A string that V8 has as a property's name is found in an object without
// being searched for among all names; and its part of a path is made once.

import { type PathStyle, pathSegment } from './path.js'

/** So many places for keys: a power of two. A key that finds its place taken takes it. */
const PLACES = 128

/** Longer ones are not kept. */
const LONGEST = 64

const { charCodeAt } = String.prototype

/** A key, and its part of a path. */
export interface KnownKey {
  readonly text: string
  /** In the root, and in any other object. */
  readonly first: string
  readonly further: string
}

/** The keys that came last. */
export class Keys {
  private readonly places: Array<KnownKey | undefined> = []

  constructor(private readonly style: PathStyle) {}

  /** What is known of a key. */
  find(text: string): KnownKey {
    const length = text.length
    if (length === 0 || length > LONGEST) return this.known(text)
    // Called like this, since a string's own method is slow to find where strings of many kinds come.
    const place = (length * 19 + charCodeAt.call(text, 0) * 7 + charCodeAt.call(text, length >> 1) * 3 + charCodeAt.call(text, length - 1)) & (PLACES - 1)
    const found = this.places[place]
    if (found !== undefined && found.text === text) return found
    if (this.places.length === 0) for (let at = 0; at < PLACES; at++) this.places.push(undefined)
    return (this.places[place] = this.known(text))
  }

  private known(text: string): KnownKey {
    const [name = text] = Object.keys({ [text]: 0 })
    return { text: name, first: pathSegment(this.style, text, true), further: pathSegment(this.style, text, false) }
  }
}
