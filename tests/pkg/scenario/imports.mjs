// Each entry of the package by its public name, in a form that every bundler
// understands. Running one of them loads only that one, so that none relies on
// the initialisation of another.
const programs = {
  tokenweir: () => import('./entries/index.mjs'),
  'tokenweir/blocks': () => import('./entries/blocks.mjs'),
  'tokenweir/membrane': () => import('./entries/membrane.mjs'),
  'tokenweir/fields': () => import('./entries/fields.mjs'),
  'tokenweir/segments': () => import('./entries/segments.mjs'),
  'tokenweir/tool-calls': () => import('./entries/tool-calls.mjs'),
  'tokenweir/ai-sdk': () => import('./entries/ai-sdk.mjs'),
  'tokenweir/ai-sdk-tool-parser': () => import('./entries/ai-sdk-tool-parser.mjs'),
}

/** The entries that work after a plain import. */
export const ENTRIES = Object.keys(programs)

/** Runs an entry's scenarios; returns the number of checks. */
export async function runEntry(name) {
  const { run } = await programs[name]()
  return run()
}
