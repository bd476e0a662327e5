// A form that fills itself in, field by field, while the model writes.
//
//     node examples/fields.mjs [--chunk 3]
//
// The answer is JSON in a fence after a sentence, as models write it. Each field
// of the form shows text as it arrives, and is ticked when it is done; a list gets
// a row for each element that is done.
import { parseArgs, styleText } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { parseFields } from 'tokenweir/fields'

const { values } = parseArgs({ options: { chunk: { type: 'string', default: '3' } } })
const size = Number(values.chunk)
if (!Number.isInteger(size) || size < 1) {
  console.error(`--chunk takes a whole number from 1, but got "${values.chunk}".`)
  process.exit(2)
}
const isScreen = process.stdout.isTTY && !process.env.CI

const answer = `Here's the booking [1]:
\`\`\`json
{
  "guest": {"name": "Zoë Okafor", "email": "zoe@example.org"},
  "nights": 3, // two of them paid
  "rooms": [
    {"number": 12, "view": "garden"},
    {"number": 14, "view": "sea \\ud83c\\udf0a"},
  ],
  "note": "Late arrival, \\"after ten\\"."
}
\`\`\`
Anything else?`

const schema = {
  guest: { name: ['str', "the guest's full name"], email: 'str' },
  nights: 'int',
  rooms: [{ number: 'int', view: 'str' }],
  note: 'str',
}

const form = new Map(['guest.name', 'guest.email', 'nights', 'note'].map((path) => [path, { text: '', isDone: false }]))
const rooms = []

const fields = parseFields(model(answer), schema)
for (const [path, field] of form) {
  fields.on(path, ({ eventType, delta }) => {
    if (eventType === 'delta') field.text += delta
    field.isDone ||= eventType === 'done'
    show(path, field)
  })
}
fields.on('rooms[*]', ({ eventType, value, indexes }) => {
  if (eventType !== 'done') return
  rooms[indexes[0]] = value
  console.log(`  + room ${value.number}, ${value.view}`)
})

const booking = await fields.result()
console.log(`${rooms.length} rooms, ${booking.nights} nights for ${booking.guest.name}; read by: ${fields.report.tolerated.join(', ')}`)

/** A slow model. */
async function* model(text) {
  for (let at = 0; at < text.length; at += size) {
    if (isScreen) await wait(15)
    yield text.slice(at, at + size)
  }
}

/** One line of the form: rewritten as it grows in a terminal, printed when it is done elsewhere. */
function show(path, { text, isDone }) {
  const line = `${isDone ? '✓' : '…'} ${path.padEnd(12)} ${isScreen && isDone ? styleText('bold', text) : text}`
  if (isScreen) process.stdout.write(`\r${line}${isDone ? '\n' : ''}`)
  else if (isDone) console.log(line)
}
