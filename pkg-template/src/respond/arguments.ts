// The arguments of a call while they are written: what is out of them is no valid JSON before the call is whole, since
// an object ends with a brace, and what is out doesn't.
//
//     came   {"city": "Porto", "days": [1, 2     ,]       }
//     out    {"city": "Porto", "days": [1, 2              `]}`: the rest of the repaired arguments

/** The arguments of one call. */
export interface Arguments {
  /** All that came, and how much of it is out. */
  text: string
  out: number
  /** All that follows waits. */
  isHeld: boolean
}

/** What may stand before the end, or before a fault. */
const HELD = /[\s,}\]\\]/

/** What is no object, so that all of it is repaired later. */
const OTHER = /^\s*[^\s{]/

/** What is repaired later: a stray backslash, or a line break in a string. */
const FAULT = /(^|[^\\])(?:\\\\)*\\[^"\\/bfnrtu]|[\n\r]\s*[^\s"{}[\]\dtfn-]/

/** Strings, and the space outside of them. */
const SPACE = /("[^"\\]*(?:\\[^][^"\\]*)*"?)|\s+/g

/** Takes a piece; gives what may go out. */
export function addPiece(args: Arguments, piece: string): string {
  args.text += piece
  if (args.isHeld) return ''
  const text = args.text.slice(args.out)
  const fault = (args.out === 0 ? OTHER.exec(text) : null) ?? FAULT.exec(text)
  args.isHeld = fault !== null
  let end = fault === null ? text.length : fault.index + (fault[1]?.length ?? 0)
  while (end > 0 && HELD.test(text.charAt(end - 1))) end--
  args.out += end
  return text.slice(0, end)
}

/** What completes what is out to `whole`, the arguments as they count; undefined if nothing does. */
export function restOf({ text, out }: Arguments, whole: string): string | undefined {
  const start = whole === text ? text.slice(0, out) : text.slice(0, out).replace(SPACE, '$1')
  return whole.startsWith(start) ? whole.slice(start.length) : undefined
}
