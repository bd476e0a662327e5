// A process of its own that restores snapshots: it has nothing of the one that made
// them but their JSON. It gets lists of jobs, and answers with a list of what each gave.
import { WAYS, ids, snapshotOf } from './snapshot-ways.mjs'

/** Restores one, feeds it, and ends it or takes another snapshot. */
async function run({ way: name, options, snapshot, count, chunks, isEnd, again }) {
  const way = WAYS[name]
  const log = []
  const next = ids(count)
  const parser = way.restore(JSON.parse(snapshot), options, log, next)
  for (const chunk of chunks) await way.feed(parser, chunk)
  if (!isEnd) return { log: JSON.stringify(log), snapshot: JSON.stringify(snapshotOf(way, parser, again)), count: next.count }
  await way.end(parser)
  way.more?.(parser, log)
  return { log: JSON.stringify(log) }
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

process.on('message', async ({ jobs, isAttack }) => {
  const answers = []
  for (const job of jobs) {
    try {
      answers.push(await (isAttack ? attack : run)(job))
    } catch (error) {
      answers.push({ error: error.stack })
    }
  }
  process.send(answers)
})
