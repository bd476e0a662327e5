// Errors of a provider, in its stream and as its response.
import { readReply } from 'tokenweir'

const responded = (body) => readReply(new Response(JSON.stringify(body), { status: 418 })).result().then(() => [], ({ code, type, status }) => [code, type, status])

export default {
  rule: 42,
  title: 'Errors carry code, type and status',
  *ask({ write }) {
    if (write.error === undefined) return
    const [event, expected] = write.error
    yield { name: 'in the stream', input: `data: ${JSON.stringify(event)}\n\n`, expected: { errors: [[...expected, 'no', event]] } }
    const [code, type] = expected
    if (event.errorText === undefined) yield { name: 'as the response', check: async () => (String(await responded(event)) === String([code, type, 418]) ? undefined : String(await responded(event))) }
  },
  atLeast: 14,
}
