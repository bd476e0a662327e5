// The stream to play: a sample, or the reader's own text.

import { signal } from '@preact/signals'
import { LONGEST_TEXT, chooseSample, chooseText, frontEnd, sample, samplesOf, text } from '../settings'

const OWN = 'own'
const isTooLong = signal(false)

export function Source() {
  const samples = samplesOf(frontEnd.value)
  const groups = [...new Set(samples.map(({ group }) => group))]
  const pick = (id: string): void => {
    const chosen = samples.find((one) => one.id === id)
    isTooLong.value = false
    if (chosen) chooseSample(chosen)
    else chooseText('')
  }
  const type = (area: HTMLTextAreaElement): void => {
    isTooLong.value = !chooseText(area.value)
    if (isTooLong.value) area.value = text.value
  }
  return (
    <section class="source" aria-labelledby="source-title">
      <h2 id="source-title">The stream</h2>
      <label>
        <span class="caption">Sample</span>
        <select value={sample.value?.id ?? OWN} onChange={(event) => pick(event.currentTarget.value)}>
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {samples.filter((one) => one.group === group).map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
          <option value={OWN}>Your own text</option>
        </select>
      </label>
      <label>
        <span class="caption">What the model writes: paste or change it</span>
        <textarea rows={6} spellcheck={false} value={text.value} aria-describedby="text-note" onInput={(event) => type(event.currentTarget)} />
      </label>
      <p id="text-note" class={isTooLong.value ? 'note wrong' : 'note'} role={isTooLong.value ? 'alert' : undefined}>
        {isTooLong.value ? `That text is too long for this page: ${LONGEST_TEXT.toLocaleString('en')} characters are the maximum. The previous text stays.` : `${text.value.length.toLocaleString('en')} characters`}
      </p>
    </section>
  )
}
