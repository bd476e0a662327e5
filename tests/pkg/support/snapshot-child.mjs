// A process of its own that restores snapshots: it has nothing of the one that made
// them but their JSON. It gets lists of jobs, and answers with a list of what each gave.
import { WAYS, ids, snapshotOf } from './snapshot-ways.mjs'

/**
 * Restores a snapshot, feeds it the chunks after it, and ends it; with `again` it is saved and restored again
 * there. It gives what was emitted, unless that is the end of `whole`, from `at` on.
 */
async function run({ snapshot, count, from, at, again }, { way: name, options, chunks, whole }) {
  const way = WAYS[name]
  const log = []
  let next = ids(count)
  let parser = way.restore(JSON.parse(snapshot), options, log, next)
  for (let each = from; each < chunks.length; each++) {
    if (each === again) {
      const second = JSON.stringify(snapshotOf(way, parser))
      // What was read so far is JSON before the parser goes: its values would grow.
      log.splice(0, log.length, ...JSON.parse(JSON.stringify(log)))
      parser = way.restore(JSON.parse(second), options, log, (next = ids(next.count)))
    }
    // Only streams are asynchronous, and waiting takes time.
    const fed = way.feed(parser, chunks[each])
    if (fed instanceof Promise) await fed
  }
  await way.end(parser)
  way.more?.(parser, log)
  const text = JSON.stringify(log)
  // `whole` ends as the whole log does.
  const isSame = text.length === whole.length - at + 1 && text.endsWith(whole.slice(at)) && text[0] === '['
  return isSame ? undefined : { log: text }
}

/** A mutated snapshot: how it was refused, or what came of what it has; no text makes a parser throw. */
async function attack(job) {
  const way = WAYS[job.way]
  let parser
  try {
    parser = way.restore(JSON.parse(job.snapshot), job.options, [], ids(job.count))
  } catch (error) {
    return { name: error.constructor.name, code: error.code, message: error.message }
  }
  try {
    for (const chunk of job.chunks) await way.feed(parser, chunk)
    await way.end(parser)
    return { name: 'read' }
  } catch (error) {
    return { name: 'failed', code: error.code, message: error.stack }
  }
}

process.on('message', async ({ jobs, about }) => {
  const answers = []
  for (const job of jobs) {
    try {
      answers.push(await (about === undefined ? attack(job) : run(job, about)))
    } catch (error) {
      answers.push({ error: error.stack })
    }
  }
  process.send(answers)
})
