// The program of a page without a bundler.
import { runEntry } from '../../scenario/imports.mjs'
import { report } from './report.mjs'

/** Ways to pass the .wasm file to `tokenweir/slim`. */
const SLIM = {
  'slim, by an address': (address) => address,
  'slim, by a URL': (address) => new URL(address, location),
  'slim, by a response': (address) => fetch(address),
  'slim, by a module': (address) => WebAssembly.compileStreaming(fetch(address)),
}

report(async (entry) => {
  if (!(entry in SLIM)) return runEntry(entry)
  const { runSlim } = await import('../../scenario/slim.mjs')
  return runSlim(await SLIM[entry](import.meta.resolve('tokenweir/tokenweir.wasm')))
})
