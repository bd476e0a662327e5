// The errors that the parser reports, and those that it tolerates.

import { Last } from './last'

export function Faults({ of: sentences }: { readonly of: readonly string[] }) {
  return (
    <Last of={sentences} most={20} name="faults">
      {(sentence, index) => (
        <p key={index} class="fault">
          {sentence}
        </p>
      )}
    </Last>
  )
}

export function Repaired({ of: repairs }: { readonly of: readonly string[] }) {
  return repairs.length === 0 ? null : <p class="note">Repaired: {repairs.join(', ')}</p>
}
