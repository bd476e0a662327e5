import { readReply } from 'tokenweir/reply'

/** @param {string} delta */
const said = (delta) => ({ type: 'text-delta', id: '1', delta })
const parts = [{ type: 'start-step' }, said('It rai'), { type: 'reset-step' }, said('It snows.'), { type: 'finish', finishReason: 'stop' }]

const reply = readReply(parts)
for await (const emission of reply) {
  if (emission.kind === 'content') console.log('show', emission.text)
  if (emission.kind === 'reset') console.log('keep', emission.blocks, 'blocks:', JSON.stringify(reply.soFar.text))
}
console.log((await reply.result()).text)
