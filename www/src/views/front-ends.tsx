// The parsers as tabs. Arrow keys, Home and End go from tab to tab.

import { useRef } from 'preact/hooks'
import { ABOUT, FRONT_ENDS, type FrontEnd } from '../readings/front-ends'
import { chooseTab, format, frontEnd, sample } from '../settings'
import { Transport } from './controls'
import { Latency } from './latency'
import { Emitted } from './emitted'

export function FrontEnds() {
  const chosen = frontEnd.value
  return (
    <section id="emitted" class="emitted" aria-labelledby="emitted-title">
      <h2 id="emitted-title">The parser's output</h2>
      <Tabs />
      <div role="tabpanel" id="panel" aria-labelledby={`tab-${chosen}`}>
        <p class="about">{ABOUT[chosen].what}</p>
        <Program />
        <Transport />
        <Emitted />
        <Latency />
      </div>
    </section>
  )
}

function Tabs() {
  const tabs = useRef<HTMLDivElement>(null)
  const go = (event: KeyboardEvent): void => {
    const next = neighbour(event.key, frontEnd.value)
    if (next === undefined) return
    event.preventDefault()
    chooseTab(next)
    tabs.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label="Task" ref={tabs} onKeyDown={go}>
      {FRONT_ENDS.map((id) => (
        <button key={id} type="button" role="tab" id={`tab-${id}`} aria-controls="panel" aria-selected={id === frontEnd.value} tabIndex={id === frontEnd.value ? 0 : -1} onClick={() => chooseTab(id)}>
          {ABOUT[id].label}
        </button>
      ))}
    </div>
  )
}

/** What a program does to have the same. */
function Program() {
  const { entry, name, program } = ABOUT[frontEnd.value]
  const from = `'${entry}'`
  const lines = [`import { ${name} } from ${from}`, '', ...(frontEnd.value === 'formats' ? byFormat(program) : program).split('\n')]
  return (
    <pre class="program">
      {lines.map((line, index) => (
        <code key={index}>{`${line}\n`}</code>
      ))}
    </pre>
  )
}

/** With the model of the sample, or with the chosen format. */
function byFormat(program: string): string {
  const model = sample.value?.model
  return model === undefined ? `const format = '${format.value}'\n${program.replace('{ model }', '{ format }')}` : `const model = '${model}'\n${program}`
}

/** The tab that a key selects. */
function neighbour(key: string, from: FrontEnd): FrontEnd | undefined {
  const at = FRONT_ENDS.indexOf(from)
  const count = FRONT_ENDS.length
  if (key === 'ArrowRight') return FRONT_ENDS[(at + 1) % count]
  if (key === 'ArrowLeft') return FRONT_ENDS[(at + count - 1) % count]
  if (key === 'Home') return FRONT_ENDS[0]
  if (key === 'End') return FRONT_ENDS[count - 1]
  return undefined
}
