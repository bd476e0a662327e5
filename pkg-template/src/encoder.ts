// UTF-8, when it is needed: an import touches nothing of the platform, which may lack it (Jest's jsdom).

let made: TextEncoder | undefined

/** Makes UTF-8 of texts. */
export function encoder(): TextEncoder {
  return (made ??= new TextEncoder())
}
