// Whether a parameter that comes again is a list of its values.

import type { Listing } from '../json/members.js'
import type { Kind } from './keywords.js'

/** By the types that its schema allows, and those that it allows of an item. */
export function listingOf(types: ReadonlySet<Kind>, typesOfItem: () => ReadonlySet<Kind>): Listing {
  if (!types.has('array') || types.has('string')) return undefined
  return typesOfItem().has('array') ? 'lists' : 'items'
}
