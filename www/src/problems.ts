// Reports errors on the page. Without a library, because that may be what failed to load.

/** Shows a sentence on the page until the reader closes it. The same sentence is shown only once. */
export function report(sentence: string): void {
  const place = document.getElementById('problems')
  if (place === null) return
  if ([...place.children].some((child) => child.firstChild?.textContent === sentence)) return
  const line = document.createElement('p')
  const text = document.createElement('span')
  text.textContent = sentence
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = 'Close'
  close.setAttribute('aria-label', 'Close this message')
  close.addEventListener('click', () => line.remove())
  line.append(text, close)
  place.append(line)
}

/** The message of a thrown value. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Uncaught errors are shown too. */
export function reportUncaught(): void {
  window.addEventListener('error', ({ error, message }) => report(`Something failed in this page: ${error === undefined || error === null ? message : sentenceOf(error)}`))
  window.addEventListener('unhandledrejection', ({ reason }) => report(`Something failed in this page: ${sentenceOf(reason)}`))
}
