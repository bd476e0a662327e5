import { EditArguments } from 'tokenweir/edits'

const call = new EditArguments({ spans: true })
const input = '{"path": "a.txt", "content": "Hi\\n"}'
for (const event of [...call.feed(input), ...call.finish('tool_calls')])
  console.log(event.type, event.span, 'delta' in event ? JSON.stringify(event.delta) : '')
