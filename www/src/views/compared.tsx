// The visible text as a regular expression gives it, beside tokenweir's, and what
// each has shown and taken back.

import type { Comparison } from '../naive/comparison'
import { MOST_COMPARED } from '../naive/comparison'
import type { TakenBack } from '../naive/taken-back'
import type { Stream } from '../player'
import type { Shown } from './emitted'
import { Empty, Pane } from './pane'

interface ComparedProps extends Shown {
  readonly stream: Stream
}

export function Compared({ stream: { emitted, read, compared } }: ComparedProps) {
  const what = read.frontEnd === 'fields' || read.frontEnd === 'arguments' ? 'strings' : 'text'
  const { naive, ours, expression, isCutOff } = compared
  const undecided = emitted.text.slice(emitted.fed - emitted.pending, emitted.fed)
  return (
    <>
      <Score compared={compared} />
      <div class="compared">
        <div class="side-by-side">
          <Pane name="naive" title={`Regex: visible ${what}`} note={<Count of={naive} />}>
            {expression === undefined && <Empty>This format has no markers that a regex could search for.</Empty>}
            {isCutOff && <p class="note">The regex reads everything again at each chunk, so the page stops it after {MOST_COMPARED.toLocaleString('en')} characters.</p>}
            <Text text={naive.shown} undecided={undecided} />
          </Pane>
          <Pieces of={naive} />
        </div>
        <div class="side-by-side">
          <Pane name="visible" title={`tokenweir: visible ${what}`} note={<Count of={ours} />}>
            {read.reading.visible === '' && <Empty>No visible {what} so far.</Empty>}
            <div class="text" data-visible="">
              {read.reading.visible}
            </div>
          </Pane>
          <Pieces of={ours} />
        </div>
      </div>
      {expression !== undefined && (
        <details class="expression">
          <summary>The regular expression</summary>
          <pre tabIndex={0} aria-label="The regular expression">
            {String(expression.expression)}
          </pre>
        </details>
      )}
    </>
  )
}

function Score({ compared: { naive, ours } }: { readonly compared: Comparison }) {
  return (
    <p class="score">
      <span>Characters shown and taken back:</span>{' '}
      <span>
        regex <strong data-taken="naive">{naive.count}</strong>
      </span>{' '}
      <span>
        tokenweir <strong data-taken="ours">{ours.count}</strong>
      </span>
    </p>
  )
}

function Count({ of: { count } }: { readonly of: TakenBack }) {
  return <span class={count > 0 ? 'wrong' : undefined}>taken back: {count}</span>
}

/** The end of a text is marked where tokenweir has not decided yet what it is. */
function Text({ text, undecided }: { readonly text: string; readonly undecided: string }) {
  const isShown = undecided !== '' && text.endsWith(undecided)
  return (
    <div class="text" data-naive="">
      {isShown ? text.slice(0, -undecided.length) : text}
      {isShown && <mark>{undecided}</mark>}
    </div>
  )
}

/** What was taken back last, in places that don't move. */
function Pieces({ of: { pieces } }: { readonly of: TakenBack }) {
  return (
    <p class="pieces">
      <span>Taken back:</span>
      {pieces.length === 0 && <span>nothing</span>}
      {pieces.map((piece, place) => (
        <del key={place}>{piece.trim() || '␣'}</del>
      ))}
    </p>
  )
}
