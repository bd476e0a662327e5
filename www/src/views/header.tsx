// The title of the page, and the theme switch.

import { signal } from '@preact/signals'
import { chooseTheme, shownTheme } from '../theme'
import { Install } from './install'

const theme = signal(shownTheme())
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (theme.value = shownTheme()))

export function Header() {
  const isDark = theme.value === 'dark'
  const change = (): void => {
    chooseTheme(isDark ? 'light' : 'dark')
    theme.value = shownTheme()
  }
  return (
    <header class="top">
      <h1>{PACKAGE.name}</h1>
      <nav aria-label="Package">
        {PACKAGE.docs !== undefined && <a href={PACKAGE.docs}>Docs</a>}
        {PACKAGE.source !== undefined && <a href={PACKAGE.source}>Source</a>}
      </nav>
      <button type="button" class="quiet" onClick={change}>
        <span aria-hidden="true">{isDark ? '☀' : '☾'}</span> <span class="theme">Switch to {isDark ? 'light' : 'dark'}</span>
        <span class="theme-short" aria-hidden="true">
          {isDark ? 'Light' : 'Dark'}
        </span>
      </button>
      <p>Reads what a language model writes while it is still being written. It never shows half a tag, and never takes text back.</p>
      <Install />
    </header>
  )
}
