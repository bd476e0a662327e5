// Calls as forms that fill in.

import type { Call, ToolCallReading } from '../readings/tool-calls'
import { Card } from './card'
import { ArgumentForm } from './form'
import { Empty, Pane } from './pane'
import type { Shown } from './told'

const STATES: Readonly<Record<Call['state'], string>> = { open: 'open', made: 'made', failed: 'no call: its text came out' }

export function Calls({ reading: { calls, faults } }: { readonly reading: ToolCallReading } & Shown) {
  return (
    <Pane name="structure" title="Calls" note={`calls: ${calls.length}`}>
      {calls.length === 0 && <Empty>No call has begun.</Empty>}
      {calls.map(({ id, name, state, input, repairs }) => (
        <Card key={id} kind="call" label="Call" name={name} id={id} state={STATES[state]} isWrong={state === 'failed'}>
          <ArgumentForm label={`Arguments of ${name} ${id}`} value={input.value} />
          {repairs.length > 0 && <p class="note">Repaired: {repairs.join(', ')}</p>}
        </Card>
      ))}
      {faults.map((fault, index) => (
        <p key={index} class="fault">
          {fault}
        </p>
      ))}
    </Pane>
  )
}
