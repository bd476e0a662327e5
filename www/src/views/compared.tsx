// The visible text as a regular expression gives it, beside tokenweir's, and what
// each has shown and taken back.

import type { ComponentChildren } from 'preact'
import type { Comparison } from '../naive/comparison'
import { MOST_COMPARED } from '../naive/comparison'
import type { TakenBack } from '../naive/taken-back'
import type { Stream } from '../player'
import type { Shown } from './emitted'
import { type Insert, Markdown } from './markdown'
import { Empty, Pane } from './pane'

interface ComparedProps extends Shown {
  readonly stream: Stream
}

export function Compared({ stream }: ComparedProps) {
  const { read, compared } = stream
  // The strings of a JSON text are not Markdown.
  const what = read.frontEnd === 'fields' || read.frontEnd === 'arguments' ? 'strings' : 'text'
  const { naive, ours, expression, isCutOff } = compared
  const { visible } = read.reading
  return (
    <>
      <Score compared={compared} />
      <div class="compared">
        <Pane name="naive" title={`Regex: visible ${what}`} note={<Count of={naive} />}>
          {expression === undefined && <Empty>This format has no markers that a regex could search for.</Empty>}
          {isCutOff && <p class="note">The regex reads everything again at each chunk, so the page stops it after {MOST_COMPARED.toLocaleString('en')} characters.</p>}
          <div class="text" data-naive="">
            {what === 'text' ? <Markdown text={naive.shown} inserts={insertsOf(stream)} /> : withGone(naive)}
          </div>
        </Pane>
        <Pane name="visible" title={`tokenweir: visible ${what}`} note={<Count of={ours} />}>
          {visible === '' && <Empty>No visible {what} so far.</Empty>}
          <div class="text" data-visible="">
            {what === 'text' ? <Markdown text={visible} /> : visible}
          </div>
        </Pane>
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

/** What the regex took back, struck through where it stood; what it shows although it is hidden; and what is not decided yet. */
function insertsOf({ emitted, compared }: Stream): Insert[] {
  const gone = compared.naive.gone.map(({ at, text }) => ({ at, length: 0, shown: <Gone text={text} /> }))
  const wrong = compared.wrong(emitted).map(({ at, text, role }) => ({ at, length: text.length, shown: role === 'pending' ? <mark title="not decided yet">{text}</mark> : <span class="leak">{text}</span> }))
  // What was taken back inside of something hidden stands before it.
  const starts = gone.map((one) => ({ ...one, at: wrong.find(({ at, length }) => at < one.at && one.at < at + length)?.at ?? one.at }))
  return [...starts, ...wrong].sort((one, other) => one.at - other.at)
}

function Gone({ text }: { readonly text: string }) {
  return <del title="shown and taken back">{text.trim() || '␣'}</del>
}

/** A plain text with what was taken back. */
function withGone({ shown, gone }: TakenBack): ComponentChildren {
  const starts = gone.map(({ at }, index) => shown.slice(gone[index - 1]?.at ?? 0, at))
  return [...gone.flatMap(({ text }, index) => [starts[index], <Gone key={index} text={text} />]), shown.slice(gone.at(-1)?.at ?? 0)]
}
