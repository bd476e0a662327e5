// The install line, with a button that copies it.

import { signal } from '@preact/signals'

const LINE = `npm install ${PACKAGE.name}`
/** How long the button says that it has copied. */
const SHOWN = 2000

const answer = signal('')

export function Install() {
  return (
    <div class="install">
      <code>{LINE}</code>
      <button type="button" class="quiet" aria-label="Copy the install line" onClick={() => void copy()}>
        Copy
      </button>
      <span class="note" role="status">
        {answer.value}
      </span>
    </div>
  )
}

/** A page without https has no clipboard, and a browser may refuse it. */
async function copy(): Promise<void> {
  try {
    await navigator.clipboard.writeText(LINE)
    answer.value = 'Copied'
  } catch {
    answer.value = 'Select and copy it'
  }
  setTimeout(() => (answer.value = ''), SHOWN)
}
