// The parser's output for the stream, side by side.

import { frame, stream } from '../player'
import type { AnyReading } from '../readings/front-ends'
import { Arguments, Diff } from './arguments'
import { Blocks } from './blocks'
import { Calls } from './calls'
import { Compared } from './compared'
import { Fields } from './fields'
import { Raw } from './raw'
import { Response } from './response'
import { Segments } from './segments'
import { Timeline } from './timeline'

export function Emitted() {
  const now = stream.value
  const shown = frame.value
  if (now === undefined) return <p class="panes empty">Nothing is parsed until the setting above is valid.</p>
  return (
    <>
      <Compared stream={now} shown={shown} />
      <div class={`panes panes-${now.read.frontEnd}`}>
        <Raw emitted={now.emitted} shown={shown} />
        <Structure read={now.read} shown={shown} />
      </div>
    </>
  )
}

/** `shown` changes with the stream, which is mutated in place. */
function Structure({ read, shown }: { readonly read: AnyReading; readonly shown: number }) {
  switch (read.frontEnd) {
    case 'blocks':
      return <Blocks title="Blocks" reading={read.reading} shown={shown} />
    case 'segments':
      return <Segments reading={read.reading} shown={shown} />
    case 'fields':
      return <Fields reading={read.reading} shown={shown} />
    case 'tool-calls':
      return (
        <>
          <Calls reading={read.reading} shown={shown} />
          <Timeline parts={read.reading.parts} shown={shown} />
        </>
      )
    case 'formats':
      return (
        <>
          <Blocks title="Reply" reading={read.reading} shown={shown} />
          <Response lines={read.reading.lines} shown={shown} />
        </>
      )
    case 'edits':
      return <Diff name="structure" changed={read.reading.changed} shown={shown} />
    case 'arguments':
      return (
        <>
          <Arguments reading={read.reading} shown={shown} />
          <Diff name="timeline" changed={read.reading.changed} shown={shown} />
        </>
      )
  }
}

/** The properties of a view of the stream. */
export interface Shown {
  readonly shown: number
}
