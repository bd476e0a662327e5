/**
 * The contestants of the block bench.
 *
 * Each contestant has its own loops and callbacks: V8 optimises a function for the types it has seen, and
 * a shared loop would be slow for all.
 *
 * `run(chunks)` feeds a new parser and returns a count of its output: characters, visible characters
 * and block events in one number, so that no contestant can win by doing less. `collect(chunks)` returns the events.
 */

import { StraightforwardParser } from './straightforward.mjs'

/** Sequential ids, so that two parsers give the same ones. */
function counter() {
  let next = 0
  return () => `toolu_${next++}`
}

/** An entry of the built package, or a message that says how to build it. */
export async function loadPackage(entry = 'blocks') {
  try {
    return await import(`../pkg/dist/esm/${entry}.js`)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error('The package is not built yet: run `npm run build` first.')
    process.exit(1)
  }
}

export function contestants({ BlockParser, IncrementalXmlParser }) {
  return [
    {
      name: 'straightforward',
      contract: 'membrane',
      run(chunks) {
        const parser = new StraightforwardParser()
        let count = 0
        const take = ({ emissions, content, blockEvents }) => {
          count += content.length + blockEvents.length - emissions.length
          for (let i = 0; i < emissions.length; i++) {
            const emission = emissions[i]
            if (emission.kind === 'content') count += emission.text.length * (emission.meta.visible ? 2 : 1)
            else count += 1000
          }
        }
        for (let i = 0; i < chunks.length; i++) take(parser.processChunk(chunks[i]))
        take(parser.flush())
        return count
      },
      collect: (chunks) => listed(new StraightforwardParser(), chunks),
    },
    {
      name: 'straightforward-lean',
      contract: 'membrane',
      run(chunks) {
        const parser = new StraightforwardParser({ rescan: false })
        let count = 0
        const take = ({ emissions, content, blockEvents }) => {
          count += content.length + blockEvents.length - emissions.length
          for (let i = 0; i < emissions.length; i++) {
            const emission = emissions[i]
            if (emission.kind === 'content') count += emission.text.length * (emission.meta.visible ? 2 : 1)
            else count += 1000
          }
        }
        for (let i = 0; i < chunks.length; i++) take(parser.processChunk(chunks[i]))
        take(parser.flush())
        return count
      },
      collect: (chunks) => listed(new StraightforwardParser({ rescan: false }), chunks),
    },
    {
      name: 'incremental',
      contract: 'membrane',
      run(chunks) {
        const parser = new IncrementalXmlParser()
        let count = 0
        const take = ({ emissions, content, blockEvents }) => {
          count += content.length + blockEvents.length - emissions.length
          for (let i = 0; i < emissions.length; i++) {
            const emission = emissions[i]
            if (emission.kind === 'content') count += emission.text.length * (emission.meta.visible ? 2 : 1)
            else count += 1000
          }
        }
        for (let i = 0; i < chunks.length; i++) take(parser.processChunk(chunks[i]))
        take(parser.flush())
        return count
      },
      collect: (chunks) => listed(new IncrementalXmlParser(), chunks),
    },
    {
      name: 'blocks-callbacks',
      contract: 'blocks',
      run(chunks) {
        let count = 0
        const parser = new BlockParser({
          onChunk: (text, meta) => {
            count += text.length * (meta.visible ? 2 : 1)
          },
          onBlock: () => {
            count += 1000
          },
          generateId: counter(),
        })
        for (let i = 0; i < chunks.length; i++) parser.processChunk(chunks[i])
        parser.flush()
        return count
      },
      collect: (chunks) => called((callbacks) => new BlockParser(callbacks), chunks),
    },
    {
      name: 'blocks-emissions',
      contract: 'blocks',
      run(chunks) {
        let count = 0
        const parser = new BlockParser({ generateId: counter() })
        const take = ({ emissions }) => {
          for (let i = 0; i < emissions.length; i++) {
            const emission = emissions[i]
            if (emission.kind === 'content') count += emission.text.length * (emission.meta.visible ? 2 : 1)
            else count += 1000
          }
        }
        for (let i = 0; i < chunks.length; i++) take(parser.processChunk(chunks[i]))
        take(parser.flush())
        return count
      },
      collect: (chunks) => listed(new BlockParser({ generateId: counter() }), chunks),
    },
  ]
}

/** All emissions that a parser returns. */
function listed(parser, chunks) {
  const events = []
  for (const chunk of chunks) for (const emission of parser.processChunk(chunk).emissions) events.push(emission)
  for (const emission of parser.flush().emissions) events.push(emission)
  return events
}

/** The same list, made from the callbacks. */
function called(make, chunks) {
  const events = []
  const parser = make({
    onChunk: (text, meta) => events.push({ kind: 'content', text, meta }),
    onBlock: (event) => events.push({ kind: 'blockEvent', event }),
    generateId: counter(),
  })
  for (const chunk of chunks) parser.processChunk(chunk)
  parser.flush()
  return events
}

/** Adjacent pieces of the same text joined, and keys in one order: the events independent of the cuts. */
export function coalesce(events) {
  const joined = []
  let last
  for (const event of events) {
    if (event.kind === 'content') {
      const meta = JSON.stringify(ordered(event.meta))
      if (last !== undefined && last.meta === meta) {
        last.text += event.text
        continue
      }
      last = { meta, text: event.text }
      joined.push(last)
    } else {
      last = undefined
      joined.push(JSON.stringify(ordered(event.event)))
    }
  }
  return joined.map((entry) => (typeof entry === 'string' ? entry : `${JSON.stringify(entry.text)} ${entry.meta}`))
}

function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key])]))
}
