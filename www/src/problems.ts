// What goes wrong is said in the page. Without a library, since that may be what failed to load.

/** Says a sentence in the page, until the reader closes it. The same sentence is said once. */
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

/** What a thrown value says. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Errors that nothing caught are said too. */
export function reportUncaught(): void {
  window.addEventListener('error', ({ error, message }) => report(`Something failed in this page: ${error === undefined || error === null ? message : sentenceOf(error)}`))
  window.addEventListener('unhandledrejection', ({ reason }) => report(`Something failed in this page: ${sentenceOf(reason)}`))
}
