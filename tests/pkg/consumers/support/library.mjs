// What the bundlers for programs bundle: the entries as chunks of their own.
export { runEntry as run } from '../../scenario/imports.mjs'
