// What `result` rejects with if a reply has no document.

/** How much of the text the message shows, in UTF-16 code units. */
const SHOWN = 80

/**
 * A reply has no document: it is empty, or prose. `result` of `parseFields` rejects with it.
 *
 * @example
 * ```ts
 * import { NoDocumentError, parseFields } from 'tokenweir/fields'
 *
 * try {
 *   await parseFields(['I am sorry, ', 'but no.'], { title: 'str' }).result()
 * } catch (error) {
 *   if (error instanceof NoDocumentError) console.log(error.text) // I am sorry, but no.
 * }
 * ```
 */
export class NoDocumentError extends Error {
  /** The name of the class. */
  override readonly name = 'NoDocumentError'
  /** All text that was read: what the model wrote instead. */
  readonly text: string

  /** @param text All text that was read. */
  constructor(text: string) {
    super(
      text.trim() === ''
        ? 'the reply is empty, so it has no JSON document: look at why the model stopped, or ask it again'
        : 'the reply has no JSON document: ask the model again, or show what it wrote, which the property `text` ' +
            `has: ${JSON.stringify(beginning(text.trim()))}`,
    )
    this.text = text
  }
}

function beginning(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}
