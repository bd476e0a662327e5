// How long each character was held: a strip over the whole text, and the same in words.

import { frame, stream } from '../player'
import type { FrontEnd } from '../readings/front-ends'
import { frontEnd } from '../settings'
import type { Role, Told } from '../told'
import { ROLE_NAMES } from './raw'

const BARS = 120
/** The least height of the scale, in characters. */
const LEAST = 16

export function Latency() {
  frame.value
  const told = stream.value?.told
  const words = told === undefined ? 'Nothing was fed yet.' : inWords(told)
  const waits = told?.waits(BARS) ?? []
  const top = scaleOf(Math.max(0, ...waits.map(({ characters }) => characters)))
  return (
    <section class="latency" aria-labelledby="latency-title">
      <div class="pane-head">
        <h3 id="latency-title">How long characters were held</h3>
        <span class="note">each bar is a stretch of the text; its height, how many characters came until it was told</span>
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
  blocks: ['held', 'visible', 'thinking', 'call', 'result', 'markup'],
  segments: ['held', 'visible', 'call', 'markup'],
  fields: ['held', 'value', 'markup'],
  'tool-calls': ['held', 'visible', 'call'],
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

/** A power of 2, so that the scale seldom changes. */
function scaleOf(longest: number): number {
  let top = LEAST
  while (top < longest) top *= 2
  return top
}

/** What was told at once still shows; the root lets short waits be seen beside long ones. */
function heightOf(characters: number, top: number): number {
  return Math.max(0.03, Math.sqrt(characters / top))
}

function inWords({ delay: { read, longest }, held, fed }: Told): string {
  if (fed === 0) return 'Nothing was fed yet.'
  const share = read.told === 0 ? '' : `Of ${count(read.told, 'character')} that a reader gets ${Math.floor((100 * read.atOnce) / read.told)} % came out with the chunk that brought them. `
  const wait = longest.characters === 0 ? 'Nothing had to wait for a later chunk.' : `The longest wait: ${count(longest.characters, 'character')}, which are ${count(longest.chunks, 'chunk')}, at ${longest.at}.`
  return `${share}${wait} Held now: ${held}.`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
