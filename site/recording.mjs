// What the home page plays: README's reply, chunk by chunk, as the demo's regular
// expression and tokenweir show it. The demo's own programs read it.
import { build } from 'esbuild'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where the programs are put, for one process: in the repository, whose package they import. */
const programs = join(root, 'target/recording.mjs')

const PROGRAMS = `
export { chunksOf } from './chunks'
export { Emitted } from './emitted'
export { Comparison } from './naive/comparison'
export { naiveFor } from './naive/strip'
export { formatOf, markersOf } from './readings/formats'
export { ReplyReading } from './readings/replies'
`

/** README's model has this format. */
const FORMAT = 'qwen3'
const CHUNK = 4

/** The text, and after each chunk: how much was written, what the regex shows, and what tokenweir shows and calls. */
export async function record() {
  mkdirSync(join(root, 'target'), { recursive: true })
  await build({ stdin: { contents: PROGRAMS, resolveDir: join(root, 'www/src') }, outfile: programs, bundle: true, format: 'esm', packages: 'external', logLevel: 'warning' })
  const { Comparison, Emitted, ReplyReading, chunksOf, formatOf, markersOf, naiveFor } = await import(pathToFileURL(programs).href)
  const text = readFileSync(join(root, 'www/src/samples/readme.txt'), 'utf8')
  const format = formatOf(FORMAT)
  const compared = new Comparison(naiveFor({ frontEnd: 'formats', markers: markersOf(format) }))
  const emitted = new Emitted(text)
  const reading = new ReplyReading(emitted, { format, tools: [] }, () => {})
  const frames = []
  const take = async () => {
    // The reply is read from a response, which comes with the event loop's next turns.
    await new Promise((resolve) => setTimeout(resolve, 10))
    compared.show(reading.visible)
    const calls = reading.blocks.filter(({ type, isDone, isIncomplete }) => type === 'tool_call' && isDone && !isIncomplete)
    frames.push({
      written: emitted.fed,
      naive: { parts: partsOf(compared, emitted), count: compared.naive.count },
      ours: { shown: reading.visible, count: compared.ours.count, calls: calls.map(({ name, input }) => `${name}(${JSON.stringify(input.value)})`) },
    })
  }
  for (const chunk of chunksOf(text, CHUNK)) {
    emitted.feed(emitted.fed + chunk.length)
    reading.feed(chunk)
    compared.read(text.slice(0, emitted.fed))
    await take()
  }
  reading.end()
  await reading.over
  await take()
  return { text, frames }
}

/** What the regex shows, with what it took back where that stood. */
function partsOf(compared, emitted) {
  const { shown, gone } = compared.naive
  const pending = compared.wrong(emitted).find(({ role }) => role === 'pending')
  const end = pending?.at ?? shown.length
  const starts = [0, ...gone.map(({ at }) => at)]
  const parts = gone.flatMap(({ at, text }, index) => [{ text: shown.slice(starts[index], at) }, { kind: 'gone', text }])
  return [...parts, { text: shown.slice(starts.at(-1), end) }, { kind: 'pending', text: shown.slice(end) }].filter(({ text }) => text !== '')
}
