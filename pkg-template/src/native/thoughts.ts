// One thought in several forms: in full and as a summary, or in fields that repeat each other. It counts once.
//
//     reasoning  'The'  ' user'           emitted: 'The' ' user'
//     details       'The'   ' user asks'  emitted:             ' asks'
//
// The form that comes first is emitted, and of another one only what goes on from there. A summary after the thought in
// full is dropped. A thought in full after its summary, which was emitted, is dropped too unless it goes on from it:
// nothing can be taken back.
//
// Source: spec/policy.md, 19 and 36.

/** Units of the front that other forms are compared with. */
const COMPARED = 64

/** A thought as far as it was emitted. */
export class Thoughts {
  /** How much of each form there was; -1 for one that says something else. */
  private readonly forms = new Map<string, number>()
  private units = 0
  private front = ''
  private isFull = false
  /** Whether nothing else has followed. */
  private isOpen = false

  /** What is new of a text in a form; `isWhole`: the text is all of that form so far. */
  take(form: string, text: string, isSummary: boolean, isWhole = false): string {
    const at = isWhole ? 0 : (this.forms.get(form) ?? 0)
    if (text === '' || at === -1 || (isSummary && this.isFull)) return ''
    const { units, front } = this
    const isOther = at < units && at < front.length && !agree(front.slice(at), text)
    // A summary was emitted, and the thought in full says something else; or the whole does than what came of it.
    const isDropped = isOther && (isWhole || (!isSummary && !this.isFull && this.isOpen))
    const fresh = isDropped ? '' : isOther ? text : text.slice(units - at)
    this.forms.set(form, isDropped ? -1 : isOther ? units + text.length : at + text.length)
    this.isFull ||= !isSummary && !isDropped
    this.isOpen = true
    this.units += fresh.length
    if (front.length < COMPARED) this.front = (front + fresh).slice(0, COMPARED)
    return fresh
  }

  /** Something else follows. */
  end(): void {
    this.isOpen = false
  }

  /** The reply is over. */
  clear(): void {
    this.forms.clear()
    this.units = 0
    this.front = ''
    this.isFull = this.isOpen = false
  }
}

/** Whether texts are equal as far as both go. */
function agree(one: string, other: string): boolean {
  return one.startsWith(other.slice(0, one.length)) && other.startsWith(one.slice(0, other.length))
}
