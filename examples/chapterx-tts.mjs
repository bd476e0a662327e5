// Speech while the model writes, for a program like ChapterX: `visibleText` removes
// thinking and tools from text, and what follows a stop sequence; `NativeBlocks`
// removes them from a provider's events. `Intl.Segmenter` finds sentences, and a
// listener who interrupts stops voice and model immediately (barge-in).
//
//     node examples/chapterx-tts.mjs
//
// A sentence is spoken as soon as the next one has started. If the stream pauses
// while the model thinks or a tool runs, a sentence that looks complete is spoken
// without waiting.
import { argv } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { visibleText } from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir'

const ENDS = /[.!?…。！？]["'”’»)\]]*\s*$/u
/** The segmenter ends a sentence after these; a speaker doesn't. */
const ABBREVIATION = /(?<![\p{L}.])(?:Dr|Mrs?|Ms|Prof|St|vs|approx|\p{L}(?:\.\p{L})*)\.\s*$/u

/** Yields the sentences of texts; a complete one after `pause` milliseconds of silence at the latest. */
export async function* sentences(texts, { locale = 'en', pause = 200 } = {}) {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' })
  const source = texts[Symbol.asyncIterator]()
  let rest = ''
  try {
    let next = source.next()
    for (;;) {
      const result = isComplete(rest) ? await within(pause, next) : await next
      if (result?.done) break
      let pieces = [rest, '']
      if (result !== undefined) {
        next = source.next()
        // If it fails while a sentence is spoken, the error is thrown in its turn.
        next.catch(() => {})
        pieces = join([...segmenter.segment(rest + result.value)].map(({ segment }) => segment))
      }
      // The last sentence may continue in the next text.
      rest = pieces.pop() ?? ''
      yield* pieces.map((piece) => piece.trim()).filter(Boolean)
    }
    if (rest.trim() !== '') yield rest.trim()
  } finally {
    // Not awaited, because a silent model may take its time to stop.
    source.return().catch(() => {})
  }
}

function isComplete(text) {
  return ENDS.test(text) && !ABBREVIATION.test(text)
}

/** Segments, rejoined where an abbreviation split them. */
function join(segments) {
  const joined = []
  for (const segment of segments) joined.push(ABBREVIATION.test(joined.at(-1) ?? '') ? joined.pop() + segment : segment)
  return joined
}

/** The promise's value, or undefined if it takes longer. */
async function within(milliseconds, promise) {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, wait(milliseconds, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/** Yields the visible text of a provider's events, here of Anthropic's. */
export async function* visibleNative(events) {
  let visible = ''
  const blocks = new NativeBlocks({
    onChunk(text, meta) {
      if (meta.visible) visible += text
    },
  })
  for await (const event of events) {
    blocks.anthropic(event)
    if (visible !== '') yield visible
    visible = ''
  }
  blocks.flush()
  if (visible !== '') yield visible
}

/** Speaks the visible text that `model(signal)` yields, until `signal` says that the listener speaks. */
export async function converse(model, speak, signal) {
  try {
    for await (const sentence of sentences(model(signal))) {
      await speak(sentence, signal)
      if (signal.aborted) break
    }
  } catch (error) {
    // Voice and model stop with an error when they are interrupted.
    if (!signal.aborted) throw error
  }
}

/** A reply as native events. Nobody should hear its thoughts, or the tool. */
export const NATIVE = [
  { type: 'message_start', message: { content: [] } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A guest. ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I greet him.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Good mor' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'ning! I look at the wea' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'ther.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"city":"Bern"}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_stop' },
]

/** A reply as text, with pauses. */
export const PREFILL = [
  'Hi! <thin', 'king>They want the weather. Dr', '. Who?', { pause: 'the model thinks' }, '</thinking>I will ask Dr', '. Frost, e.g. by', ' mail. One mo', 'ment, please.',
  '<function_calls><invoke name="mail"><parameter name="to">Frost. Now!</parameter></invoke></function_calls>', { pause: 'a tool runs' },
  ' It is 5 < 7 deg', 'rees! Take a coat', ', a hat and a scarf. And', ' gloves', '. And boots. And', ' another thing', { pause: 'the model goes on' }, ' is this.',
]

/** A reply that goes on as somebody else, in a chat with Alice and Alistair. */
export const ROLEPLAY = ['Sure. <thinking>What does Ali', 'ce say?\nAlice: No!</thinking>I ask', ' both.\nAli', 'ce is here.\nAlis', 'tair: Hi! <b>I', '</b> am here, too.']
export const stopSequences = ['Alice', 'Alistair'].map((name) => `\n${name}:`)

if (argv[1] === fileURLToPath(import.meta.url)) await demo()

/** Slow models, a voice that prints, and a listener who interrupts the last one. */
async function demo() {
  const listener = new AbortController()
  async function* model(script, signal) {
    try {
      for (const step of script) {
        if (step.pause) console.log(`        (${step.pause})`)
        await wait(step.pause ? 600 : 5, undefined, { signal })
        if (step.pause) console.log('        (and goes on)')
        else yield step
      }
    } finally {
      if (signal.aborted) console.log('        (the model was stopped)')
    }
  }
  async function voice(sentence, signal) {
    console.log(`speak:  ${sentence}`)
    if (sentence === 'And boots.') {
      console.log('listener: Stop, please!')
      listener.abort()
    }
    await wait(20, undefined, { signal })
  }
  console.log('native events:')
  await converse((signal) => visibleNative(model(NATIVE, signal)), voice, listener.signal)
  console.log('stop sequences:')
  await converse((signal) => visibleText(model(ROLEPLAY, signal), { stopSequences }), voice, listener.signal)
  console.log('prefill:')
  await converse((signal) => visibleText(model(PREFILL, signal)), voice, listener.signal)
}
