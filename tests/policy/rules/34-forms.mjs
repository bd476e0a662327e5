// Thinking and text in every form that gateways send, whole and streamed.
import { readReply } from 'tokenweir'

const sent = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] })}\n\n`

/** A kind of content that nobody knows is reported, and is a problem where there is nothing else. */
async function unknownKind(others, dropped) {
  const unknown = []
  const { problems } = await readReply(sent([{ type: 'hologram', rays: 3 }, ...others]), { transport: 'sse', onUnknown: (event) => unknown.push(event) }).result()
  const seen = problems.map(({ metadata }) => metadata.dropReason).join()
  return unknown.length === 1 && seen === dropped ? undefined : `${unknown.length} unknown, problems ${seen}`
}

export default {
  rule: 34,
  title: 'Thinking and text in every form',
  *ask({ name, write }) {
    for (const [form, input] of Object.entries(write.forms ?? {})) yield { name: form, input, options: /whole/.test(form) ? { transport: 'json' } : {}, expected: { text: 'Hi', reasoning: 'Hm.', calls: [], dropped: [] } }
    if (name !== 'native openai') return
    yield { name: 'an unknown kind', check: () => unknownKind([], 'unknown-content') }
    yield { name: 'an unknown kind beside text', check: () => unknownKind([{ type: 'text', text: 'Hi' }], '') }
  },
  atLeast: 60,
}
