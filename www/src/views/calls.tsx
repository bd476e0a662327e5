// Calls as forms that fill themselves in.

import type { Call, PartReading } from '../readings/parts'
import { Card } from './card'
import { Faults, Repaired } from './faults'
import { ArgumentForm } from './form'
import { Last } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

const STATES: Readonly<Record<Call['state'], string>> = { open: 'open', made: 'made', failed: 'rejected: emitted as text' }

export function Calls({ reading: { calls, faults } }: { readonly reading: PartReading } & Shown) {
  return (
    <Pane name="structure" title="Calls" note={`calls: ${calls.length}`}>
      {calls.length === 0 && <Empty>No call has started.</Empty>}
      <Last of={calls} most={50} name="calls">
        {(call) => <CallCard key={call.id} call={call} />}
      </Last>
      <Faults of={faults} />
    </Pane>
  )
}

/** `Call` is changed in place, so the card is not kept from one frame to the next. */
function CallCard({ call: { id, name, state, input, repairs } }: { readonly call: Call }) {
  return (
    <Card kind="call" label="Call" name={name} id={id} state={STATES[state]} isWrong={state === 'failed'}>
      <ArgumentForm label={`Arguments of ${name} ${id}`} value={input.value} />
      <Repaired of={repairs} />
    </Card>
  )
}
