// Server-sent events as WHATWG defines them, of every provider that sends them: the same reply, however it is framed.
const FRAMES = {
  'carriage returns and line feeds': (sse) => sse.replaceAll('\n', '\r\n'),
  'carriage returns': (sse) => sse.replaceAll('\n', '\r'),
  'a byte-order mark': (sse) => `\uFEFF${sse}`,
  comments: (sse) => `: hello\n\n${sse.replaceAll('\n\n', '\n: ping\n\n:\n\n')}`,
  'ids and times to retry': (sse) => `retry: 3000\n\n${sse.replaceAll('data:', 'id: 7\nretry: soon\ndata:')}`,
  'unknown fields': (sse) => sse.replaceAll('\n\n', '\ntrace: a1\nversion\ndatabase: x\n\n'),
  'names without data': (sse) => sse.replaceAll('data:', 'event: ping\n\ndata:'),
  'names of a message': (sse) => sse.replaceAll('data:', 'event: message\ndata:'),
  'no space after the colon': (sse) => sse.replaceAll('data: ', 'data:'),
  'an event without an empty line at the end': (sse) => sse.replace(/\n\n$/, ''),
}

export default {
  rule: 20,
  title: 'Server-sent events are read as WHATWG says',
  *ask(door) {
    const sse = door.says?.(['Hel', 'lo 🌦'])
    if (!sse?.startsWith('data:')) return
    for (const [name, frame] of Object.entries(FRAMES)) yield { name, input: frame(sse), expected: { text: 'Hello 🌦', reasoning: '', calls: [], finishReason: 'stop' } }
  },
  atLeast: 100,
}
