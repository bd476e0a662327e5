// The recordings and expected calls of tests/data/streams.
import { readFileSync, readdirSync } from 'node:fs'

const folder = new URL('../../data/streams/', import.meta.url)

/** All recordings: `{ name, provider, events }`. */
export function recordedStreams() {
  return linesOf('recordings.jsonl').map(({ source, file, answer, ...recording }) => ({ name: `${source}: ${file}, reply ${answer}`, ...recording }))
}

/** Tools and the calls of them that are expected: `{ name, tools, calls }`. */
export function expectedCalls() {
  return linesOf('calls.jsonl')
}

function linesOf(name) {
  const lines = []
  for (const source of readdirSync(folder, { withFileTypes: true })) {
    if (!source.isDirectory() || !readdirSync(new URL(`${source.name}/`, folder)).includes(name)) continue
    for (const line of readFileSync(new URL(`${source.name}/${name}`, folder), 'utf8').trimEnd().split('\n')) lines.push({ source: source.name, ...JSON.parse(line) })
  }
  return lines
}
