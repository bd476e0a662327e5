// Calls as forms that fill themselves in.

import type { Call, ToolCallReading } from '../readings/tool-calls'
import { Card } from './card'
import { Faults } from './faults'
import { ArgumentForm } from './form'
import { Last } from './last'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

const STATES: Readonly<Record<Call['state'], string>> = { open: 'open', made: 'made', failed: 'rejected: emitted as text' }

export function Calls({ reading: { calls, faults } }: { readonly reading: ToolCallReading } & Shown) {
  return (
    <Pane name="structure" title="Calls" note={`calls: ${calls.length}`}>
      {calls.length === 0 && <Empty>No call has started.</Empty>}
      <Last of={calls} most={50} name="calls">
        {({ id, name, state, input, repairs }) => (
          <Card key={id} kind="call" label="Call" name={name} id={id} state={STATES[state]} isWrong={state === 'failed'}>
            <ArgumentForm label={`Arguments of ${name} ${id}`} value={input.value} />
            {repairs.length > 0 && <p class="note">Repaired: {repairs.join(', ')}</p>}
          </Card>
        )}
      </Last>
      <Faults of={faults} />
    </Pane>
  )
}
