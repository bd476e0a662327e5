// Segments as cards, with their invocations.

import { type Segment, type SegmentReading, formOf } from '../readings/segments'
import { Card, CardText } from './card'
import { Faults } from './faults'
import { ArgumentForm } from './form'
import { Last } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

export function Segments({ reading: { segments, faults } }: { readonly reading: SegmentReading } & Shown) {
  return (
    <Pane name="structure" title="Segments" note={`segments: ${segments.length}`}>
      {segments.length === 0 && <Empty>No segment has started.</Empty>}
      <Last of={segments} most={50} name="segments">
        {(segment) => (segment.type === 'text' ? <TextSegment key={segment.id} segment={segment} /> : <ToolSegment key={segment.id} segment={segment} />)}
      </Last>
      <Faults of={faults.map(({ message }) => message)} />
    </Pane>
  )
}

function TextSegment({ segment }: { readonly segment: Segment }) {
  return (
    <Card kind="text" label="text" id={segment.id} state={segment.isDone ? 'done' : 'open'}>
      <CardText text={segment.content} />
    </Card>
  )
}

function ToolSegment({ segment }: { readonly segment: Segment }) {
  const { id, type, metadata, invocations, faults } = segment
  const name = typeof metadata.tool_name === 'string' ? metadata.tool_name : undefined
  const state = invocations.length > 0 ? 'to call' : segment.isDone ? 'not called' : 'open'
  return (
    <Card kind="call" label={type} name={name} id={id} state={state} isWrong={state === 'not called'}>
      <ArgumentForm label={`${name ?? type} ${id}`} value={formOf(segment)} />
      {invocations.map((invocation) => (
        <div key={invocation.id} class="invocation">
          <p>
            Call <strong>{invocation.name}</strong> <code>{invocation.id}</code>
          </p>
          <pre tabIndex={0} aria-label={`Arguments of ${invocation.name}`}>
            {JSON.stringify(invocation.arguments, null, 1)}
          </pre>
        </div>
      ))}
      <Faults of={faults.map(({ message }) => message)} />
    </Card>
  )
}
