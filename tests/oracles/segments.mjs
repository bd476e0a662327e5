// Segments and invocations compared with AutoByteus, on newly generated texts that it
// reads the same at every cut.
import { handleSegments, readSegments, recordedSegments, withElements, withoutOtherArguments } from '../pkg/support/segment-reading.mjs'
import { choicesOf } from './choices.mjs'
import { recorded, recordedAgain } from './python.mjs'

export const segments = {
  name: 'segments',
  needsPython: true,
  count: 144,

  async *documents(seed, count) {
    yield* await recorded('autobyteus.py', '--count', String(count), '--seed', String(seed))
  },

  /** The reference's events for texts. */
  complete: (documents) => recordedAgain('autobyteus.py', '--texts', documents),

  compare({ text, strategy, order, jsonProfile, events, invocations }) {
    const config = { ...(order === undefined ? { strategy } : { strategyOrder: order }), ...(jsonProfile && { jsonProfile }) }
    const theirs = JSON.stringify([events, invocations])
    const choose = choicesOf(text)
    let ours
    for (const chunks of [[text], [...text], choose.cut(text), choose.cut(text, 30)]) {
      const { log } = readSegments(chunks, { config: { ...config, spans: true } })
      const handled = handleSegments(chunks, { config })
      ours = JSON.stringify([recordedSegments(log), handled.invocations.map(({ name, arguments: given }) => ({ name, arguments: given }))])
      if (ours !== theirs) break
    }
    return { ours, theirs }
  },

  rules: {
    'other-arguments': (_, { ours, theirs }) => JSON.stringify(withoutOtherArguments(JSON.parse(ours), JSON.parse(theirs))) === theirs,
    'markup-in-value': (_, { ours, theirs }) => JSON.stringify(withElements(withoutOtherArguments(JSON.parse(ours), JSON.parse(theirs)), JSON.parse(theirs))) === theirs,
  },
}
