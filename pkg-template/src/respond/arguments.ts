// The arguments of a call while they are written: what is out of them is no valid JSON before the call is whole, since
// an object ends with a brace, and what is out doesn't.
//
//     came   {"city": "Porto", "days": [1, 2     ,]       }
//     out    {"city": "Porto", "days": [1, 2              `]}`: the rest of the repaired arguments

/** What may stand before the end, or before a fault. */
const HELD = /[\s,}\]\\]/

/** What is repaired later: a stray backslash, or a line break in a string. */
const FAULT = /(^|[^\\])(?:\\\\)*\\[^"\\/bfnrtu]|[\n\r]\s*[^\s"{}[\]\dtfn-]/

/** Strings, and the space outside of them. */
const SPACE = /("[^"\\]*(?:\\[^][^"\\]*)*"?)|\s+/g

/** The arguments of one call. */
export class Arguments {
  /** All that came, and how much of it is out. */
  text = ''
  out = 0
  #pending = ''
  /** All that follows waits. */
  #waits = false

  /** Takes a piece; gives what may go out. */
  push(piece: string): string {
    this.text += piece
    if (this.#waits) return ''
    const text = this.#pending + piece
    const fault = this.out === 0 && /^\s*[^\s{]/.test(text) ? [] : FAULT.exec(text)
    this.#waits = fault !== null
    let end = fault === null ? text.length : 'index' in fault ? fault.index + (fault[1]?.length ?? 0) : 0
    while (end > 0 && HELD.test(text.charAt(end - 1))) end--
    this.#pending = text.slice(end)
    this.out += end
    return text.slice(0, end)
  }

  /** What completes what is out to `whole`, the arguments as they count; undefined if nothing does. */
  rest(whole: string): string | undefined {
    const out = this.text.slice(0, this.out)
    const start = whole === this.text ? out : out.replace(SPACE, '$1')
    return whole.startsWith(start) ? whole.slice(start.length) : undefined
  }
}
