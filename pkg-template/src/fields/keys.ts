// Keys that come again and again, in a document and in those after it. Each is looked up
// instead of being made: a string that V8 has as a property's name is found in an object
// without being searched for among all names, and its part of a path is made once.

import { type PathStyle, pathSegment } from '../json/path.js'

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

/** The keys that came more than once. */
class Keys {
  private readonly places: Array<KnownKey | undefined> = Array.from({ length: PLACES })
  /** What came last at each place. */
  private readonly seen = new Int32Array(PLACES)

  constructor(private readonly style: PathStyle) {}

  /** What is known of a key, if it came before. */
  find(text: string): KnownKey | undefined {
    const { length } = text
    if (length === 0 || length > LONGEST) return undefined
    // Called like this, since a string's own method is slow to find where strings of many kinds come.
    const hash =
      length +
      charCodeAt.call(text, 0) * 7 +
      charCodeAt.call(text, length >> 1) * 19 +
      charCodeAt.call(text, length - 1) * 37
    const place = hash & (PLACES - 1)
    const found = this.places[place]
    if (found !== undefined && found.text === text) return found
    // One that comes once isn't worth it.
    if (this.seen[place] === hash) return this.keep(text, place)
    this.seen[place] = hash
    return undefined
  }

  private keep(text: string, place: number): KnownKey {
    // A property's name, which is no part of a longer text that would be kept with it.
    const [name = text] = Object.keys({ [text]: 0 })
    const known = {
      text: name,
      first: pathSegment(this.style, name, true),
      further: pathSegment(this.style, name, false),
    }
    this.places[place] = known
    return known
  }
}

const dot = /* @__PURE__ */ new Keys('dot')
const slash = /* @__PURE__ */ new Keys('slash')

/** What is known of a key in paths of a style, if it came before. */
export function knownKey(style: PathStyle, text: string): KnownKey | undefined {
  return (style === 'dot' ? dot : slash).find(text)
}
