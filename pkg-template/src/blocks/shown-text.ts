// The visible text of a reply without the holes that hidden markup leaves.
//
//     "I look.\n\n<invoke …/>\n\nIt rains."    "I look.\n\nIt rains."    at most one blank line
//     "It <think>hm</think> rains."            "It rains."
//     "<think>hm</think>\n\nYes.\n<invoke …/>" "Yes."                    none at the start and at the end
//     "\n    code"                             "    code"                a first line keeps its indentation
//
// White space is pending until something visible comes, or the end.
//
// Source: spec/reply.md, 6.

import type { BlockEmission } from './types.js'

/** The most white space that is pending, in UTF-16 code units. */
const MOST = 4_096

/** Blocks that are never visible. */
const HIDDEN: readonly string[] = ['thinking', 'tool_call', 'tool_result']

const LINE_END = /\r\n|[\r\n]/g

/** Collects what is shown of one reply. */
export class ShownText {
  /** White space after the last visible character; where hidden markup came since, after that. */
  private pending = ''
  /** White space before hidden markup; undefined if none came since the last visible character. */
  private before: string | undefined
  private hasShown = false
  /** Whether something visible came since a custom tag began. */
  private isSeen = false

  /** What an emission adds. */
  read(emission: BlockEmission): string {
    if (emission.kind === 'content') {
      if (!emission.meta.visible) return this.hide()
      this.isSeen = true
      return this.add(emission.text)
    }
    if (emission.kind !== 'blockEvent' || emission.event.block === undefined || emission.event.index === undefined)
      return ''
    const { event, block } = emission.event
    if (block.type === 'text') return ''
    if (HIDDEN.includes(block.type)) return this.hide()
    // A custom tag may be visible, which its text says.
    if (event === 'block_complete') return this.isSeen ? '' : this.hide()
    this.isSeen = false
    return ''
  }

  /** The end: white space after which nothing came. */
  finish(): string {
    const rest = this.before === undefined && this.hasShown ? this.pending : ''
    this.pending = ''
    return rest
  }

  /** A copy, to go on from here in another way. */
  copy(): ShownText {
    return Object.assign(new ShownText(), this)
  }

  private hide(): '' {
    if (this.before === undefined) {
      this.before = this.pending
      this.pending = ''
    }
    return ''
  }

  private add(text: string): string {
    const visible = text.trimStart()
    const lead = this.pending + text.slice(0, text.length - visible.length)
    if (visible === '') {
      this.pending = lead
      return lead.length > MOST ? this.shorten() : ''
    }
    const isAfterMarkup = this.before !== undefined
    const start = isAfterMarkup ? '' : indentationIn(lead)
    const space = !this.hasShown ? start : isAfterMarkup ? joined(this.before as string, lead) : lead
    const shown = visible.trimEnd()
    this.pending = visible.slice(shown.length)
    this.before = undefined
    this.hasShown = true
    return space + shown
  }

  /** There is too much white space to wait with: it is shown, if that is decided, or less is kept that means the same. */
  private shorten(): string {
    const { pending } = this
    this.pending = ''
    if (!this.hasShown) {
      this.pending = indentationIn(pending).slice(0, MOST)
      return ''
    }
    if (this.before === undefined) return pending
    const space = joined(this.before, pending)
    const last = space.lastIndexOf('\n')
    this.before = last < 0 ? space.slice(0, MOST) : space.slice(0, last)
    this.pending = last < 0 ? '' : space.slice(last, last + MOST)
    return ''
  }
}

/** What stands after the last line end of white space. */
function indentationIn(space: string): string {
  return space.slice(1 + Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r')))
}

/** What stands for white space before and after hidden markup: at most one blank line, and the indentation after it. */
function joined(before: string, after: string): string {
  const ends = (before + after).match(LINE_END)?.length ?? 0
  if (ends === 0) return before === '' ? after : before
  const indentation = indentationIn(after)
  return '\n'.repeat(Math.min(ends, 2)) + (indentation === after ? '' : indentation)
}
