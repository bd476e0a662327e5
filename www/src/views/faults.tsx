// The errors that the parser reports.

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
