// A pane of fixed size that scrolls inside, so that nothing around it moves while
// text arrives. The number in its note comes last, for the same reason. The pane
// stays scrolled to its end until the reader scrolls away.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** This close counts as at the end. */
const NEAR = 24

interface PaneProps {
  /** Also its layout area. */
  readonly name: string
  readonly title: string
  readonly note?: ComponentChildren
  readonly children: ComponentChildren
}

export function Pane({ name, title, note, children }: PaneProps) {
  const body = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useLayoutEffect(() => {
    const place = body.current
    if (place && follows.current) place.scrollTop = place.scrollHeight
  })
  const look = (place: HTMLElement): void => {
    follows.current = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR
  }
  return (
    <div class={`pane ${name}`}>
      <div class="pane-head">
        <h3 id={`${name}-title`}>{title}</h3>
        <span class="note">{note}</span>
      </div>
      <div class="pane-body" ref={body} tabIndex={0} role="region" aria-labelledby={`${name}-title`} onScroll={(event) => look(event.currentTarget)}>
        {children}
      </div>
    </div>
  )
}

/** The text of an empty pane. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}
