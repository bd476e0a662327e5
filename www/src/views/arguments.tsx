// The arguments of a call as a tree with the state of each value, and what they change in files.

import type { JsonValue } from 'tokenweir/fields'
import type { ArgumentReading } from '../readings/arguments'
import type { ChangedFile, ChangedFiles } from '../readings/changed-files'
import { Faults } from './faults'
import { Last } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'
import { State, Tree } from './tree'

const STATUSES: Readonly<Record<ArgumentReading['call']['status'], string>> = { open: 'open', done: 'complete: run the call', 'cut-off': "cut off: don't run it", faulty: "faulty: don't run it" }

/** The most lines that are shown of a text. */
const MOST = 400

export function Arguments({ reading: { call, names } }: { readonly reading: ArgumentReading } & Shown) {
  const value = call.partial() as JsonValue | undefined
  const { openPath, fault, status } = call
  const absent = names.filter((name) => call.state([name]) === 'absent')
  return (
    <Pane name="structure" title="Arguments" note={<span class={status === 'open' || status === 'done' ? undefined : 'wrong'}>{STATUSES[status]}</span>}>
      <p class="note places">open: {openPath?.join(' › ') || 'nothing'}</p>
      <p class="note places">absent: {absent.join(', ') || 'nothing'}</p>
      {value === undefined ? <Empty>No argument has started.</Empty> : <Tree name="arguments" value={value} stateOf={(path) => call.state(path)} />}
      <Faults of={fault === undefined ? [] : [fault.message]} />
    </Pane>
  )
}

interface DiffProps extends Shown {
  /** The name of its pane. */
  readonly name: 'structure' | 'timeline'
  readonly changed: ChangedFiles
}

export function Diff({ name, changed: { files, faults } }: DiffProps) {
  return (
    <Pane name={name} title="Edits" note={`files: ${files.length}`}>
      {files.length === 0 && <Empty>No path of a file yet.</Empty>}
      {files.map((file, index) => (
        <File key={index} file={file} />
      ))}
      {files.length > 0 && <Faults of={faults} />}
    </Pane>
  )
}

function File({ file: { op, path, runs, state } }: { readonly file: ChangedFile }) {
  const lines = runs.flatMap(({ side, text }) => text.replace(/\n$/, '').split('\n').map((line) => ({ side, line })))
  return (
    <article class="file">
      <p class="card-head">
        <span class="chip">{op}</span>
        <strong>{path}</strong>
        <State of={state} />
      </p>
      <Last of={lines} most={MOST} name="lines">
        {({ side, line }, index) => (
          <div key={index} class={`line line-${side}`}>
            {line}
          </div>
        )}
      </Last>
    </article>
  )
}
