// Light or dark: the system's setting, until the reader chooses.

export type Theme = 'light' | 'dark'

const KEY = 'tokenweir-theme'

/** The stored choice. Storage may be forbidden. */
export function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : undefined
  } catch {
    return undefined
  }
}

/** The current theme. */
export function shownTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function applyTheme(theme: Theme | undefined): void {
  if (theme !== undefined) document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Then the choice lasts until the page is closed.
  }
}
