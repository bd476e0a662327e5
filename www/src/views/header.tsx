// The title of the page, and the theme switch.

import { signal } from '@preact/signals'
import { chooseTheme, shownTheme } from '../theme'

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
      <h1>tokenweir</h1>
      <button type="button" class="quiet" aria-pressed={isDark} onClick={change}>
        <span aria-hidden="true">{isDark ? '☾' : '☀'}</span> Dark page
      </button>
      <p>Reads the output of a language model, chunk by chunk, and emits its parts as they arrive.</p>
    </header>
  )
}
