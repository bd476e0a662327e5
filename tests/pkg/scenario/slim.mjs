// `tokenweir/slim`; the caller passes the WebAssembly.
import * as slim from 'tokenweir/slim'
import { everything } from './by-entry.mjs'

/** Runs the scenarios after `init` with a URL, a response, bytes or a module; returns the number of checks. */
export async function runSlim(source) {
  await slim.init(source)
  return everything(slim)
}

/** Runs them after `initSync` with bytes or a module. */
export async function runSlimSync(source) {
  slim.initSync(source)
  return everything(slim)
}
