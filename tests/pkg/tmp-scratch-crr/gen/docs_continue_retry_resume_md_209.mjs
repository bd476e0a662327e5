import { parseFields } from 'tokenweir/fields'

const schema = { place: 'str', tips: ['str'] }
const cut = parseFields('{"place": "Foz", "tips": ["swi', schema)
await cut.result()
console.log(cut.report.isComplete)

const whole = parseFields('m", "walk"]}', schema, { continues: cut })
console.log(await whole.result(), whole.report.isComplete)
