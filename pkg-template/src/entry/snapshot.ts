/**
 * What saves and restores parsers: after `import 'tokenweir/snapshot'`, each parser of any entry has `snapshot` and
 * `restore`. Without it they throw a `ParseError`, `snapshot-missing`.
 *
 * @packageDocumentation
 */
export * from '../public/snapshot.js'
