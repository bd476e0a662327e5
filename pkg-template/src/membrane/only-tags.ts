// The default tags without those that are not looked for.

import type { TagRole } from '../blocks/types.js'
import { DEFAULT_TAG_ROLES, DEFAULT_TAGS } from '../generated/ops.js'

/** The option `tags` with which only the default tags of some roles are tags. */
export function onlyTags(...roles: readonly TagRole[]): Readonly<Record<string, false>> {
  const others = DEFAULT_TAGS.filter((_, at) => !roles.includes(DEFAULT_TAG_ROLES[at] as TagRole))
  return Object.fromEntries(others.map((name) => [name, false]))
}
