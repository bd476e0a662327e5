// The messages for errors in a text.

import type { SEGMENT_FAULTS } from '../generated/ops.js'

/** Says what is wrong, where, and what to do; `segment` is the type of the segment that was cut off. */
export function messageOf(
  code: (typeof SEGMENT_FAULTS)[number],
  from: number,
  to: number,
  segment: string | null,
): string {
  switch (code) {
    case 'unterminated':
      if (segment === null)
        return (
          `a tool that opened at ${from} was neither closed nor begun before the end of the text: it is ` +
          `text, and not called`
        )
      return (
        `${segment} not closed before the end of the text, opened at ${from}: it is not called; see the ` +
        `option acceptUnterminated`
      )
    case 'bad-tag':
      return `a tool's tag that began at ${from} has no ">" where it should, and is given up at ${to}: it is text`
    case 'bad-header':
      return (
        `"[[SEG_START" at ${from} is not followed by one JSON object with a known "type" and "]]", which ` +
        `shows at ${to}: it is text`
      )
    case 'missing-arguments':
      return (
        `a tool that opened at ${from} was closed at ${to} without an argument that it needs: it is text, ` +
        `and not called`
      )
    case 'bad-arguments':
      return (
        `${segment ?? 'a tool'} that opened at ${from} has an argument that can't be read: it has ` +
        `swallowed an opening tag, or text follows it. It is not called`
      )
    case 'call-too-long':
      return (
        `a tool that opened at ${from} is longer than maxPending at ${to}, without its name or an argument ` +
        `that it needs: it is text up to its end, and not called`
      )
  }
}
