// The page's address keeps what is shown, so that a link shows the same: the tab, the
// sample, the format, the tags, the chunk size and the pace. The reader's own text
// is not in it.

import { batch, computed, effect } from '@preact/signals'
import { PACES } from './pace'
import { FRONT_ENDS } from './readings/front-ends'
import { FORMATS } from './readings/formats'
import { DEFAULT_FORMAT, DEFAULT_PACE, DEFAULT_SIZE, LARGEST_CHUNK, chooseSample, chunkSize, firstOf, format, frontEnd, pace, sample, samplesOf, tags } from './settings'

/** What a step back returns from. */
const place = computed(() => {
  const query = new URLSearchParams({ tab: frontEnd.value })
  if (sample.value !== undefined) query.set('sample', sample.value.id)
  if (frontEnd.value === 'formats') query.set('format', format.value)
  return String(query)
})

/** What changes too often for the browser's history. */
const details = computed(() => {
  const query = new URLSearchParams({ size: String(chunkSize.value), pace: paceWord(PACES[pace.value] ?? DEFAULT_PACE) })
  if (frontEnd.value === 'blocks' && tags.value !== '') query.set('tags', tags.value)
  return String(query)
})

/** Shows what the address says, and keeps both the same from then on. */
export function followAddress(): void {
  show(location.search)
  let shown = place.value
  let isReading = true
  window.addEventListener('popstate', () => {
    isReading = true
    show(location.search)
    shown = place.value
    isReading = false
  })
  effect(() => {
    const address = `?${place.value}&${details.value}`
    if (isReading) return
    if (place.value === shown) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    shown = place.value
  })
  isReading = false
}

/** What is missing or unknown has its default. */
function show(search: string): void {
  const query = new URLSearchParams(search)
  batch(() => {
    format.value = FORMATS.find(({ id }) => id === query.get('format'))?.id ?? DEFAULT_FORMAT
    const tab = FRONT_ENDS.find((id) => id === query.get('tab')) ?? 'formats'
    chooseSample(samplesOf(tab).find(({ id }) => id === query.get('sample')) ?? firstOf(tab))
    tags.value = query.get('tags') ?? tags.value
    chunkSize.value = sizeFrom(query.get('size'))
    pace.value = PACES.findIndex((one) => paceWord(one) === (query.get('pace') ?? String(DEFAULT_PACE)))
    if (pace.value === -1) pace.value = PACES.indexOf(DEFAULT_PACE)
  })
}

function sizeFrom(word: string | null): number {
  const size = Number(word)
  return Number.isInteger(size) && size >= 1 && size <= LARGEST_CHUNK ? size : DEFAULT_SIZE
}

function paceWord(chunksASecond: number): string {
  return chunksASecond === Infinity ? 'max' : String(chunksASecond)
}
