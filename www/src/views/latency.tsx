// How long each character was pending: a strip for the whole text, and a sentence.

import { frame, stream } from '../player'
import type { FrontEnd } from '../readings/front-ends'
import { frontEnd } from '../settings'
import type { Role, Emitted } from '../emitted'
import { ROLE_NAMES } from './raw'

const BARS = 120
/** The minimum height of the scale, in characters. */
const LEAST = 16

export function Latency() {
  frame.value
  const emitted = stream.value?.emitted
  const words = emitted === undefined ? 'Nothing has been fed yet.' : inWords(emitted)
  const waits = emitted?.waits(BARS) ?? []
  const top = scaleOf(Math.max(0, ...waits.map(({ characters }) => characters)))
  return (
    <section class="latency" aria-labelledby="latency-title">
      <div class="pane-head">
        <h3 id="latency-title">How long characters were pending</h3>
        <span class="note">each bar is a part of the text; its height is the number of characters that came before it was emitted</span>
      </div>
      <div class="strip">
        <span class="scale" aria-hidden="true">
          {top}
        </span>
        <div class="bars" role="img" aria-label={words}>
          {Array.from({ length: BARS }, (_, index) => {
            const wait = waits[index]
            return <span key={index} class={wait === undefined ? 'bar bar-unfed' : `bar bar-${wait.role}`} title={wait === undefined ? undefined : `${ROLE_NAMES[wait.role]}: ${wait.characters}`} style={{ transform: `scaleY(${wait === undefined ? 0 : heightOf(wait.characters, top)})` }} />
          })}
        </div>
        <span class="scale" aria-hidden="true">
          0
        </span>
      </div>
      <p class="words">{words}</p>
      <Legend />
    </section>
  )
}

const ROLES: Readonly<Record<FrontEnd, readonly Role[]>> = {
  blocks: ['pending', 'visible', 'thinking', 'call', 'result', 'markup'],
  segments: ['pending', 'visible', 'call', 'markup'],
  fields: ['pending', 'value', 'markup'],
  'tool-calls': ['pending', 'visible', 'thinking', 'call', 'markup'],
  formats: ['pending', 'visible', 'thinking', 'call', 'markup'],
  arguments: ['pending', 'value', 'markup'],
  edits: ['pending', 'visible', 'call', 'markup'],
}

function Legend() {
  return (
    <ul class="legend" aria-label="Colours">
      {ROLES[frontEnd.value].map((role) => (
        <li key={role} class={`legend-${role}`}>
          {ROLE_NAMES[role]}
        </li>
      ))}
    </ul>
  )
}

/** A power of 2, so that the scale rarely changes. */
function scaleOf(longest: number): number {
  let top = LEAST
  while (top < longest) top *= 2
  return top
}

/** Characters without a delay still show; the square root keeps short waits visible next to long ones. */
function heightOf(characters: number, top: number): number {
  return Math.max(0.03, Math.sqrt(characters / top))
}

function inWords({ delay: { read, longest }, pending, fed }: Emitted): string {
  if (fed === 0) return 'Nothing has been fed yet.'
  const share = read.emitted === 0 ? '' : `Of ${count(read.emitted, 'visible character')}, ${Math.floor((100 * read.immediate) / read.emitted)} % were emitted with the chunk that brought them. `
  const wait = longest.characters === 0 ? 'Nothing had to wait for a later chunk.' : `The longest wait: ${count(longest.characters, 'character')} (${count(longest.chunks, 'chunk')}), at ${longest.at}.`
  return `${share}${wait} Pending now: ${pending}.`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
