// The benchmark: a button, its progress, and its results.

import { type Bench, bench, runBench } from '../bench/ask'
import type { Result } from '../bench/race'
import { chunkSize, text } from '../settings'

export function Benchmark() {
  const now = bench.value
  const isRunning = now.kind === 'starting' || now.kind === 'round'
  return (
    <section class="bench" aria-labelledby="bench-title">
      <h2 id="bench-title">Benchmark</h2>
      <p class="note">Measures, on this device and in this browser, how long three parsers take to read the text above, repeated to 64 KB, as blocks in chunks of {chunkSize.value}: a plain JavaScript class as applications have it, BlockParser, and IncrementalXmlParser.</p>
      <button type="button" disabled={isRunning || text.value === ''} onClick={() => runBench({ text: text.value, chunkSize: chunkSize.value })}>
        Run the benchmark
      </button>
      <div class="bench-result">
        <p role={now.kind === 'failed' ? 'alert' : 'status'} class={now.kind === 'failed' ? 'wrong' : undefined}>
          {inWords(now)}
        </p>
        {now.kind === 'done' && <Results results={now.results} />}
      </div>
    </section>
  )
}

function Results({ results }: { readonly results: readonly Result[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Parser</th>
          <th scope="col">ms, median</th>
          <th scope="col">ns per chunk</th>
          <th scope="col">ratio</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ name, milliseconds, nanoseconds, ratio }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{milliseconds.toFixed(2)}</td>
            <td>{nanoseconds.toFixed(0)}</td>
            <td>x{ratio.toFixed(2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function inWords(now: Bench): string {
  switch (now.kind) {
    case 'idle':
      return ''
    case 'starting':
      return 'Warming up…'
    case 'round':
      return now.round === 1 ? `${now.rounds} rounds are running…` : `Round ${now.round} of ${now.rounds}`
    case 'failed':
      return `The benchmark failed: ${now.message}`
    case 'done': {
      const ratio = now.results.find(({ name }) => name === 'BlockParser')?.ratio ?? 1
      const faster = ratio >= 1 ? `The plain JavaScript class took ${ratio.toFixed(1)} times as long as BlockParser` : `BlockParser took ${(1 / ratio).toFixed(1)} times as long as the plain JavaScript class`
      return `${faster} on this device, for ${now.characters.toLocaleString('en')} characters in ${now.chunks.toLocaleString('en')} chunks; another device or text has other figures. ${now.agree ? 'All produce the same visible text.' : 'They do not produce the same visible text here.'}`
    }
  }
}
