// The text between two tokens: white space, comments, commas, colons. The
// reader has accepted it, so here its parts are only separated.

const COMMENT = String.raw`\/\*[^]*?\*\/|\/\/[^\n\r\u2028\u2029]*`
const parts = new RegExp(`${COMMENT}|[,:]`, 'g')
const notLayout = new RegExp(`${COMMENT}|[^\\t\\n\\r ,:]`, 'g')

/** The commas and colons between two places of a text. */
export function marksBetween(
  text: string,
  from: number,
  to: number,
): { readonly commas: readonly number[]; readonly colon: number | undefined } {
  const commas: number[] = []
  let colon: number | undefined
  for (const { 0: part, index } of text.slice(from, to).matchAll(parts)) {
    if (part === ',') commas.push(from + index)
    else if (part === ':') colon = from + index
  }
  return { commas, colon }
}

/**
 * Layout as JSON has it, of the same length: comments and other white space except line ends become spaces, and so do
 * commas that are `trailing`.
 */
export function asJsonLayout(layout: string, trailing: boolean): string {
  if (layout === '' || layout === ' ' || layout === ':') return layout
  const plain = layout.replace(notLayout, (part) => part.replace(/[^\n\r]/g, ' '))
  return trailing ? plain.replaceAll(',', ' ') : plain
}
