/**
 * What saves and restores parsers: after `import 'tokenweir/snapshot'`, each parser of any entry has `snapshot` and
 * `restore`. Without it they throw a `ParseError`, `snapshot-missing`.
 *
 * @packageDocumentation
 */
export type { KeepTextOptions, Snapshot } from '../snapshot/snapshot.js'
import { register } from '../snapshot/registry.js'
import { Opened, checkSnapshot, makeSnapshot } from '../snapshot/snapshot.js'

register({ Opened, checkSnapshot, makeSnapshot })
