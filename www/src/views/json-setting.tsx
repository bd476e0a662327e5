// A setting that is JSON.

import type { Signal } from '@preact/signals'
import { choiceProblem } from '../player'

export function Json({ label, typed }: { readonly label: string; readonly typed: Signal<string> }) {
  const isWrong = choiceProblem.value !== undefined
  return (
    <label class="wide">
      <span class="caption">{label}</span>
      <textarea rows={8} spellcheck={false} value={typed.value} aria-invalid={isWrong} aria-describedby="choice-problem" onInput={(event) => (typed.value = event.currentTarget.value)} />
    </label>
  )
}
