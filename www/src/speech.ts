// Speaks the visible text, sentence by sentence, as soon as a sentence is complete.

import { signal } from '@preact/signals'

export const isSpeaking = signal(false)
/** Why speech is not available. */
export const speechProblem = signal<string | undefined>(undefined)

/** How long a browser may take to find its voices. */
const PATIENCE = 1500

let heard = ''
/** The start of the first unspoken sentence. */
let spoken = 0

/** Switches speech on or off. Text that is already visible is not spoken, except for the current sentence. */
export async function switchSpeech(on: boolean): Promise<void> {
  speechProblem.value = undefined
  isSpeaking.value = on
  if (!on) {
    globalThis.speechSynthesis?.cancel()
    return
  }
  spoken = startOfLastSentence(heard)
  const problem = await missing()
  if (!isSpeaking.value || problem === undefined) return
  isSpeaking.value = false
  speechProblem.value = problem
}

/** Receives the whole visible text each time it has grown. */
export function hear(visible: string, isOver: boolean): void {
  if (!visible.startsWith(heard)) {
    if (isSpeaking.value) globalThis.speechSynthesis?.cancel()
    spoken = 0
  }
  heard = visible
  if (!isSpeaking.value) return
  for (const { text, end } of sentencesFrom(visible, spoken)) {
    // The last sentence may continue.
    if (end === visible.length && !isOver) break
    spoken = end
    if (/[\p{L}\p{N}]/u.test(text)) speak(text.trim())
  }
}

function speak(sentence: string): void {
  const utterance = new SpeechSynthesisUtterance(sentence)
  utterance.lang = document.documentElement.lang
  utterance.addEventListener('error', ({ error }) => {
    // Switching speech off causes these two.
    if (error === 'canceled' || error === 'interrupted') return
    isSpeaking.value = false
    speechProblem.value = `The browser could not speak: ${error}.`
  })
  speechSynthesis.speak(utterance)
}

function startOfLastSentence(text: string): number {
  if (text === '' || !hasSegmenter()) return 0
  let start = 0
  for (const { end } of sentencesFrom(text, 0)) if (end < text.length) start = end
  return start
}

function* sentencesFrom(text: string, from: number): Generator<{ text: string; end: number }> {
  const sentences = new Intl.Segmenter(document.documentElement.lang, { granularity: 'sentence' }).segment(text.slice(from))
  for (const { segment, index } of sentences) yield { text: segment, end: from + index + segment.length }
}

function hasSegmenter(): boolean {
  return typeof Intl.Segmenter === 'function'
}

/** The missing capability of this browser. */
async function missing(): Promise<string | undefined> {
  if (!('speechSynthesis' in globalThis)) return 'This browser can not speak.'
  if (!hasSegmenter()) return 'This browser can not find sentences, so it can not speak them one by one.'
  return (await hasVoices()) ? undefined : 'This browser has no voices, so it can not speak.'
}

/** Some browsers list their voices only some time after the first request. */
function hasVoices(): Promise<boolean> {
  const found = (): boolean => speechSynthesis.getVoices().length > 0
  if (found()) return Promise.resolve(true)
  return new Promise((resolve) => {
    const done = (): void => {
      speechSynthesis.removeEventListener('voiceschanged', done)
      clearTimeout(timer)
      resolve(found())
    }
    const timer = setTimeout(done, PATIENCE)
    speechSynthesis.addEventListener('voiceschanged', done)
  })
}
