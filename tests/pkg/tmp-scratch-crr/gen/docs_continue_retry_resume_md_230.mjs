import { parseFields } from 'tokenweir/fields'
import { readReply } from 'tokenweir/reply'

/** @param {string} content @param {string} finish_reason */
const events = (content, finish_reason) => [{ choices: [{ index: 0, delta: { content }, finish_reason }] }]

const stored = JSON.stringify(await readReply(events('Hello wor', 'length')).result())
const reply = await readReply(events('ld.', 'stop'), { continues: JSON.parse(stored) }).result()
console.log(reply.text, reply.message)

const cut = parseFields('{"a": 1, ')
await cut.result()
const { journal } = cut
const whole = parseFields('"b": 2}', null, { continues: JSON.parse(JSON.stringify({ journal })) })
console.log(await whole.result())
