// The page.

import { effect } from '@preact/signals'
import { render } from 'preact'
import { BlockParser } from 'tokenweir/blocks'
import { followAddress } from './address'
import { frame, phase, stream, watchSettings } from './player'
import { hear } from './speech'
import { Benchmark } from './views/benchmark'
import { Choices } from './views/choices'
import { Sliders } from './views/controls'
import { FrontEnds } from './views/front-ends'
import { Header } from './views/header'
import { Source } from './views/source'

/** Throws if the parsers can't run: without WebAssembly, or if the page's policy forbids it. */
export function start(place: HTMLElement): void {
  new BlockParser()
  followAddress()
  watchSettings()
  effect(() => {
    frame.value
    const visible = stream.value?.read.reading.visible
    if (visible !== undefined) hear(visible, phase.value === 'ended')
  })
  place.replaceChildren()
  render(<Page />, place)
}

function Page() {
  return (
    <>
      <Header />
      <main>
        <FrontEnds />
        <aside class="side" aria-label="Settings">
          <Source />
          <Sliders />
          <Choices />
        </aside>
        <Benchmark />
      </main>
    </>
  )
}
