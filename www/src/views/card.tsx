// A card: its kind, name and state.

import type { ComponentChildren } from 'preact'
import { Before } from './last'

interface CardProps {
  readonly kind: 'text' | 'thinking' | 'call' | 'result' | 'group'
  readonly label: string
  readonly name?: string | undefined
  readonly id?: string | undefined
  readonly state?: string | undefined
  readonly isWrong?: boolean
  readonly children?: ComponentChildren
}

export function Card({ kind, label, name, id, state, isWrong, children }: CardProps) {
  return (
    <article class={`card card-${kind}`}>
      <CardHead label={label} name={name} id={id} state={state} isWrong={isWrong ?? false} />
      {children}
    </article>
  )
}

export function CardHead({ label, name, id, state, isWrong }: Pick<CardProps, 'label' | 'name' | 'id' | 'state'> & { readonly isWrong: boolean }) {
  return (
    <div class="card-head">
      <span class="chip">{label}</span>
      {name !== undefined && <strong>{name}</strong>}
      {id !== undefined && <code>{id}</code>}
      {state !== undefined && <span class={isWrong ? 'state wrong' : 'state'}>{state}</span>}
    </div>
  )
}

/** Text in a card, without blank lines around it; the start of a very long text is left out. */
export function CardText({ text: whole }: { readonly text: string }) {
  const text = whole.trim()
  const from = Math.max(0, text.length - MOST)
  return (
    <>
      <Before count={from} name="characters" />
      <div class="text">{text.slice(from)}</div>
    </>
  )
}

const MOST = 4000
