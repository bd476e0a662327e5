import { readReply } from 'tokenweir/reply'

const events = [
  { type: 'response.created', response: { id: 'resp_1', output: [] } },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hel' },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'lo.' },
  { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } },
].map((event, sequence_number) => ({ ...event, sequence_number }))

const first = await readReply(events.slice(0, 2)).result()
console.log(first.finishReason, first.resume)

// What the server sends with starting_after=1.
const both = await readReply(events.slice(2), { continues: first }).result()
console.log(both.finishReason, both.text)
