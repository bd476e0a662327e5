// Text inside a JSON string.

import type { SavedClass } from '../snapshot/saved.js'
import { isHighHalf } from '../surrogates.js'

/** What can't stand in a JSON string as it is, and halves of surrogate pairs, which may stand alone. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** The text as it stands between the quotes, as `JSON.stringify` writes it. */
export function escaped(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

/** The text as a JSON string. */
export function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : '"' + text + '"'
}

/** Text that comes in pieces. Half a surrogate pair waits, since its other half may be an escape. */
export class EscapedText {
  static get saved(): SavedClass {
    return {}
  }
  private half = ''

  /** More of it, escaped. */
  add(text: string): string {
    const whole = this.half + text
    const isCut = isHighHalf(whole.charCodeAt(whole.length - 1))
    this.half = isCut ? whole.slice(-1) : ''
    return escaped(isCut ? whole.slice(0, -1) : whole)
  }

  /** What waited: there is no more. */
  end(): string {
    const half = this.half
    this.half = ''
    return escaped(half)
  }
}
