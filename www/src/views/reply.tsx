// A reply in a wire format: reasoning, text and calls in order.

import type { PartReading, Run } from '../readings/parts'
import { CallCard } from './calls'
import { Card, CardText } from './card'
import { Faults } from './faults'
import { Last } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

export function Reply({ reading: { calls, items, faults } }: { readonly reading: PartReading } & Shown) {
  return (
    <Pane name="structure" title="Reply" note={`calls: ${calls.length}`}>
      {items.length === 0 && <Empty>Reasoning, text and calls appear here.</Empty>}
      <Last of={items} most={60} name="parts">
        {(item) => (item.kind === 'call' ? <CallCard key={item.id} call={item} /> : <RunCard key={item.id} run={item} />)}
      </Last>
      <Faults of={faults} />
    </Pane>
  )
}

function RunCard({ run: { kind, text, isDone } }: { readonly run: Run }) {
  const isText = kind === 'text'
  return (
    <Card kind={isText ? 'text' : 'thinking'} label={isText ? 'Text' : 'Reasoning'} state={isDone ? 'done' : 'open'}>
      <CardText text={text} />
    </Card>
  )
}
