import { visibleText } from 'tokenweir'

/** @param {string} delta */
const said = (delta) => ({ type: 'text-delta', id: '1', delta })
const parts = [{ type: 'start-step' }, said('It rai'), { type: 'reset-step' }, said('It snows.'), { type: 'finish', finishReason: 'stop' }]

let shown = ''
for await (const text of visibleText(parts, { onReset: ({ text }) => (shown = text) })) shown += text
console.log(shown) // It snows.
