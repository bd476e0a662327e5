// Light or dark: as the system says, until the reader chooses.

export type Theme = 'light' | 'dark'

const KEY = 'tokenweir-theme'

/** What was chosen before. Storage may be forbidden. */
export function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : undefined
  } catch {
    return undefined
  }
}

/** What is shown now. */
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
    // It then holds until the page is left.
  }
}
