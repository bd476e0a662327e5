// Speech while the model still writes: visible text, cut into sentences.
//
// `visibleText` leaves thinking and tool calls out, so that no one hears them.
// A sentence goes to the speech server as soon as the next one has begun.
import assert from 'node:assert/strict'
import { visibleText } from 'tokenweir'

const reply = [
  'Hi! <thin', 'king>They want the', ' weather. Dr. Who?</thinking>I will look', ' it up. One mo', 'ment, please.',
  '<function_calls><invoke name="weather"><parameter name="city">Zürich. Altstadt!</parameter></invoke></function_calls>',
  ' It is 5 < 7 degrees', ', so take a coat. Goodbye!',
]

/** Yields whole sentences, the last one when the text ends. */
async function* sentences(texts) {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  let rest = ''
  for await (const text of texts) {
    const found = [...segmenter.segment(rest + text)].map(({ segment }) => segment)
    // The last one may go on in the next chunk.
    rest = found.pop() ?? ''
    yield* found
  }
  if (rest !== '') yield rest
}

/** A model that takes its time. */
async function* model() {
  for (const chunk of reply) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    yield chunk
  }
}

const spoken = []
for await (const sentence of sentences(visibleText(model()))) {
  spoken.push(sentence.trim())
  console.log(`speak: ${sentence.trim()}`)
}

assert.deepEqual(spoken, ['Hi!', 'I will look it up.', 'One moment, please.', 'It is 5 < 7 degrees, so take a coat.', 'Goodbye!'])
