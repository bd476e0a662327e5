// What saves and restores parsers: importing it is all, since their methods `snapshot` and `restore` find it.
import { register } from '../snapshot/registry.js'
import { Opened, checkSnapshot, makeSnapshot } from '../snapshot/snapshot.js'

export type { KeepTextOptions, Snapshot } from '../snapshot/snapshot.js'

register({ Opened, checkSnapshot, makeSnapshot })
