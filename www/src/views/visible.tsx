// The visible text.

import type { Reading } from '../readings/reading'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

export function Visible({ reading, isFields }: { readonly reading: Reading; readonly isFields: boolean } & Shown) {
  const { visible } = reading
  return (
    <Pane name="visible" title={isFields ? 'Visible strings' : 'Visible text'} note={`characters: ${visible.length}`}>
      {visible === '' && <Empty>Nothing yet.</Empty>}
      <div class="text" data-visible="">
        {visible}
      </div>
    </Pane>
  )
}
