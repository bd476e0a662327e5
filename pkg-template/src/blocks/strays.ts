// Text inside a tool call, outside its parameters: a block of its own after the call's, or the call's whole input.

/** A piece of such text, which tags don't interrupt. */
export interface Stray {
  text: string
  from: number
  to: number
}

/** What the open call has of it, by the places where it stands. */
export class Strays {
  private all: Stray[] = []

  /** Adds a piece; those that tags interrupt stay apart if `keepsPlaces`. */
  add(text: string, from: number, to: number, keepsPlaces: boolean): void {
    const last = this.all.at(-1)
    if (last !== undefined && (last.to === from || !keepsPlaces)) {
      last.text += text
      last.to = to
    } else this.all.push({ text, from, to })
  }

  /** Takes all of it. */
  take(): readonly Stray[] {
    const { all } = this
    if (all.length > 0) this.all = []
    return all
  }
}

/** Pieces as one text. */
export function textOf(strays: readonly Stray[]): string {
  return strays.map(({ text }) => text).join('')
}
