// The default tags without those that are not looked for.

import { TAG_ROLES, THINKING_TAGS } from '../generated/ops.js'

type Role = (typeof TAG_ROLES)[number]

/**
 * The option `tags` with which only the default tags of some roles are tags. A role's own name is one, and thinking has
 * more.
 */
export function onlyTags(...roles: readonly Role[]): Readonly<Record<string, false>> {
  const others = TAG_ROLES.filter((role) => !roles.includes(role)).flatMap((role) =>
    role === 'thinking' ? THINKING_TAGS : [role],
  )
  return Object.fromEntries(others.map((name) => [name, false]))
}
