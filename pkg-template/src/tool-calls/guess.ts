// Strings without a schema, which the coercion turns into numbers, booleans and
// JSON where they read as such. A string that can't become any of these doesn't
// wait for its end.

import { LONGEST_GUESS } from '../schema/texts.js'

const WORDS = ['true', 'false']

/** Whether a string that begins so may yet be converted: if it is JSON, whatever comes. */
export function mayConvert(front: string): boolean | 'json' {
  const text = front.trimStart()
  const first = text.charAt(0)
  if (first === '{' || first === '[') return 'json'
  if (front.length > LONGEST_GUESS) return false
  if (text === '') return true
  if (/[-\d]/.test(first)) return /^[-+.\deE]*\s*$/.test(text)
  const word = text.trimEnd().toLowerCase()
  return WORDS.some((known) => known.startsWith(word))
}
