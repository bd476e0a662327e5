// The input of the library bundlers: the entries as separate chunks.
export { runEntry as run } from '../../scenario/imports.mjs'
