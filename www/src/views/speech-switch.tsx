// The speech switch, and why speech is not available.

import { isSpeaking, speechProblem, switchSpeech } from '../speech'

export function SpeechSwitch() {
  return (
    <div class="speech">
      <label>
        <input type="checkbox" role="switch" checked={isSpeaking.value} aria-describedby="speech-note" onChange={(event) => void switchSpeech(event.currentTarget.checked)} /> Speak the visible text
      </label>
      <p id="speech-note" role="status" class={speechProblem.value === undefined ? 'note' : 'note wrong'}>
        {speechProblem.value ?? 'Each sentence, as soon as it is complete.'}
      </p>
    </div>
  )
}
