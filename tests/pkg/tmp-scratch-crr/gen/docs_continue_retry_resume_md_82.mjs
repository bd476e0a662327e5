import { readReply } from 'tokenweir/reply'

/** @param {string} content @param {string} finish_reason */
const events = (content, finish_reason) => [{ choices: [{ index: 0, delta: { content }, finish_reason }] }]

const continues = await readReply(events('The capital of ', 'length')).result()
const again = await readReply(events('The capital of Portugal', 'stop'), { continues }).result()
const trimmed = await readReply(events(' Portugal', 'stop'), { continues, sent: 'The capital of' }).result()
console.log([again.text, trimmed.text])
