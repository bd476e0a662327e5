// What is wrong with a text, as sentences.

import type { EditFault } from './types.js'

const SENTENCES: Readonly<Record<EditFault, string>> = {
  unterminated: 'the text ends in an edit',
  'bad-line': 'a line of a patch needs a sign: a space, + or -; of a new file +',
  'unknown-header': 'a header of a patch is expected, such as *** Update File: path',
  'missing-path': 'no path: it stands in the header, or on the line before a SEARCH block',
  'empty-update': 'a file or a hunk has no lines',
  'path-too-long': 'a header has more than 4,096 units',
  'ambiguous-separator': 'a second separator: one of them may be content',
  'marker-in-content': 'a SEARCH marker in a block that has not ended',
  'missing-separator': 'a block ends without its separator',
  'stray-marker': 'a REPLACE marker outside of a block: the one before it ended too early',
  'unexpected-text': 'text that is no part of a patch',
  'missing-argument': 'arguments without the text that replaces, or without any',
  'bad-arguments': 'arguments that are not an object of JSON, or of another type than text',
  'too-long': 'more than 1,048,576 units before the path',
}

/** The sentence of a fault at a place. */
export function messageOf(code: EditFault, at: number): string {
  return `${SENTENCES[code]}; at ${at}`
}
