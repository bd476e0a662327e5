// What keeps a connection open is no text, wherever it comes in a stream of events; a stream of text keeps what it says.
import { readReply } from 'tokenweir'

const DATA = [': OPENROUTER PROCESSING', ': keep-alive', 'ping', '[PING]', 'connected', '""', ' ', '2026-04-07 23:36:05.744043', '2026-04-07T23:36:05Z', '23:36:05', '1764355000', 'Tue, 07 Apr 2026 23:36:05 GMT', 'The model is warming up']
const NAMED = ['event: ping\ndata: 7', 'event: heartbeat\ndata: still here', 'event: keepalive\ndata:', 'event: open\ndata: null']
const KEEP_ALIVES = { ...Object.fromEntries([...DATA.map((data) => `data: ${data}`), ...NAMED].map((event) => [event, `${event}\n\n`])), 'several of them': 'data: : one\n\ndata: Please wait\n\nevent: ping\ndata: ""\n\ndata: connected\n\n' }
const PLACES = {
  before: (text, event) => event + text,
  between: (text, event) => text.replaceAll('\n\n', `\n\n${event}`),
  after: (text, event) => text + (event.includes('warming') ? '' : event),
}
const read = (text, options) => readReply(new Response(text, { headers: { 'content-type': 'text/event-stream' } }), options).result()

export default {
  rule: 40,
  title: 'Keep-alives are not text',
  *ask(door) {
    const text = door.says?.(['Hel', 'lo 🌦'])
    const expected = { text: 'Hello 🌦', reasoning: '', calls: [], finishReason: 'stop' }
    if (text?.startsWith('data:'))
      for (const [name, event] of Object.entries(KEEP_ALIVES)) for (const [place, put] of Object.entries(PLACES)) yield { name: `${name}, ${place}`, input: put(text, event), options: { transport: 'sse' }, expected }
    if (text?.startsWith('{'))
      for (const line of ['', ': ping', 'ping', '23:36:05']) for (const put of [PLACES.between, PLACES.after]) yield { name: `a line ${line}`, input: put(text.replaceAll('\n', '\n\n'), `${line}\n\n`), options: { transport: 'ndjson' }, expected }
    if (door.name !== 'readReply') return
    for (const [name, event] of Object.entries(KEEP_ALIVES)) {
      const said = async () => {
        const unknown = []
        await read(`data: {"choices": [{"delta": {"content": "Hello"}}]}\n\n${event}data: [DONE]\n\n`, { onUnknown: (each) => unknown.push(each) })
        return unknown.length === event.split('\n\n').length - 1 ? undefined : `onUnknown got ${JSON.stringify(unknown)}`
      }
      yield { name: `${name}: onUnknown`, check: said }
    }
    const TEXTS = [['It is', ' 23:36:05', '.', 'ping', ': a', ' word', '\n'], ['Hello'], ['See', '[1]'], ['Five', ' ', 'words', ' are', ' here']]
    for (const pieces of TEXTS) {
      const body = pieces.map((piece) => piece.split('\n').map((line) => `data: ${line}\n`).join('') + '\n').join('')
      for (const end of ['', 'data: [DONE]\n\n'])
        yield { name: `a stream of text: ${pieces.join('')}`, check: async () => ((found) => (found === pieces.join('') ? undefined : `the text is ${JSON.stringify(found)}`))((await read(`: hi\n\ndata: ping\n\n${body}${end}`, { trimMarkup: false })).text) }
    }
    const FAULTS = ['data: {"choices": [{"delta": {"content": "Hello"}}]}\n\ndata: upstream failed\n\n', 'event: ping\ndata: 1\n\n', 'data: {"choices": [{"del\n\n']
    for (const body of FAULTS) yield { name: `it ends with ${JSON.stringify(body.slice(-24))}`, check: () => read(body).then(({ text }) => `it was read as ${text}`, ({ code }) => (code === 'malformed-reply' ? undefined : `the code is ${code}`)) }
  },
  atLeast: 500,
}
