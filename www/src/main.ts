// The entry point. It loads the page's program, and reports in a sentence if that
// fails.

import { report, reportUncaught, sentenceOf } from './problems'
import { applyTheme, storedTheme } from './theme'

reportUncaught()
applyTheme(storedTheme())
void load()

async function load(): Promise<void> {
  const place = document.getElementById('app')
  if (place === null) return
  try {
    const { start } = await import('./app')
    await start(place)
  } catch (error) {
    place.replaceChildren()
    const missing = typeof WebAssembly === 'undefined'
    report(missing ? 'This browser has no WebAssembly, or it is switched off, so the parser can not run here. Switch it on, or use another browser.' : `The parser can not run here: ${sentenceOf(error)}`)
  }
}
