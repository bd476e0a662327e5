// Play, pause, step, restart; chunk size, pace and speech.

import { PACES, paceName } from '../pace'
import { frame, isStill, pause, phase, play, restart, step, stream } from '../player'
import { LARGEST_CHUNK, chunkSize, pace, text } from '../settings'
import { SpeechSwitch } from './speech-switch'

export function Transport() {
  return (
    <section class="transport" aria-label="Play">
      <div class="buttons">
        <PlayButton />
        <button type="button" disabled={stream.value === undefined} onClick={step}>
          Step
        </button>
        <button type="button" onClick={restart}>
          Restart
        </button>
      </div>
      <Progress />
      {isStill && <p class="note">Your system asks for less motion, so a sample is shown at its end. “Play” reads it chunk by chunk.</p>}
    </section>
  )
}

export function Sliders() {
  return (
    <section class="settings" aria-label="Speed">
      <Slider label="Chunk size" min={1} max={LARGEST_CHUNK} value={chunkSize.value} shown={chunkSize.value === 1 ? '1 character' : `${chunkSize.value} characters`} onChange={(value) => (chunkSize.value = value)} />
      <Slider label="Pace" min={0} max={PACES.length - 1} value={pace.value} shown={paceName(PACES[pace.value] ?? 1)} onChange={(value) => (pace.value = value)} />
      <SpeechSwitch />
    </section>
  )
}

function PlayButton() {
  const isPlaying = phase.value === 'playing'
  return (
    <button type="button" class="main" disabled={stream.value === undefined} onClick={isPlaying ? pause : play}>
      {isPlaying ? 'Pause' : 'Play'}
    </button>
  )
}

interface SliderProps {
  readonly label: string
  readonly min: number
  readonly max: number
  readonly value: number
  /** The value in words. */
  readonly shown: string
  onChange(value: number): void
}

function Slider({ label, min, max, value, shown, onChange }: SliderProps) {
  return (
    <label class="slider">
      <span>
        {label} <output>{shown}</output>
      </span>
      <input type="range" min={min} max={max} value={value} aria-label={label} aria-valuetext={shown} onInput={(event) => onChange(event.currentTarget.valueAsNumber)} />
    </label>
  )
}

const PHASES = { ready: 'Ready', playing: 'Playing', paused: 'Paused', ended: 'At the end' } as const

function Progress() {
  frame.value
  const fed = stream.value?.emitted.fed ?? 0
  const isReading = phase.value === 'ended' && stream.value?.isOver === false
  return (
    <div class="progress">
      <progress max={Math.max(1, text.value.length)} value={fed} aria-label="How much of the text was fed" />
      <span role="status">{PHASES[isReading ? 'playing' : phase.value]}</span>
      <span class="count">
        fed: {fed} of {text.value.length}
      </span>
    </div>
  )
}
