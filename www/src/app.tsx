// The page.

import { effect } from '@preact/signals'
import { render } from 'preact'
import { BlockParser } from 'tokenweir/blocks'
import { readReply } from 'tokenweir'
import { followAddress } from './address'
import { frame, stream, watchSettings } from './player'
import { hear } from './speech'
import { Benchmark } from './views/benchmark'
import { Choices } from './views/choices'
import { Sliders } from './views/controls'
import { FrontEnds } from './views/front-ends'
import { Header } from './views/header'
import { Source } from './views/source'

/** Throws if the parsers can't run: without WebAssembly, or if the page's policy forbids it. */
export async function start(place: HTMLElement): Promise<void> {
  new BlockParser()
  // What reads replies is loaded with the first of them.
  await readReply('.', { format: 'hermes' }).result()
  followAddress()
  watchSettings()
  effect(() => {
    frame.value
    const now = stream.value
    if (now !== undefined) hear(now.read.reading.visible, now.isOver)
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
