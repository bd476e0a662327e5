// The main features of the package, for each runtime and each bundler. Therefore
// this file uses only the language.

/** A reply as a model writes it in prefill mode. */
const REPLY =
  'Let me look. <thinking>The user wants <b>weather</b>.</thinking>' +
  '<function_calls><invoke name="search"><parameter name="query">weather in Zürich 🌦</parameter><parameter name="days">3</parameter></invoke></function_calls>' +
  '<function_results><result tool_use_id="t1">5 &lt; 7 °C</result></function_results>' +
  'It is cold 🥶, a < b.'

/** The blocks in it. */
const BLOCKS = [
  { type: 'text', content: 'Let me look. ' },
  { type: 'thinking', content: 'The user wants <b>weather</b>.' },
  { type: 'tool_call', toolId: 'id-0', toolName: 'search', input: { query: 'weather in Zürich 🌦', days: 3 } },
  { type: 'tool_result', content: '5 < 7 °C', toolId: 't1' },
  { type: 'text', content: 'It is cold 🥶, a < b.' },
]

const VISIBLE = 'Let me look. It is cold 🥶, a < b.'

/** What the main entry has: text that is shown, with and without a callback that hears of calls, and a whole reply. */
export async function mainScenario({ visibleText, readReply, NativeBlocks, SentenceStream, sentences, ParseError, ResponseError, version }) {
  const same = checker()
  const completed = []
  const onBlock = (event) => event.event === 'block_complete' && completed.push(event.block)
  for (const options of [undefined, { onBlock, generateId: () => 'id-0' }]) {
    let shown = ''
    for await (const text of visibleText(cut(REPLY, 4), options)) shown += text
    same(`visibleText, ${options === undefined ? 'alone' : 'with a callback'}`, shown, VISIBLE)
  }
  same('blocks of visibleText', completed, BLOCKS)
  const { text, thinking, toolCalls } = await readReply(cut(REPLY, 5)).result()
  await formatScenario(readReply, same)
  same('readReply', [text, thinking, toolCalls.map(({ args }) => args)], [VISIBLE, BLOCKS[1].content, [BLOCKS[2].input]])
  const calls = readReply(cut('<function_calls><invoke name="a">{x: 1}</invoke></function_calls>', 9)).result()
  same('JSON with repairs', (await calls).blocks.map(({ input, repairs }) => [input, repairs]), [[{ x: 1 }, ['unquoted-key']]])
  same('errors', [ParseError, ResponseError].map(({ prototype }) => prototype instanceof Error), [true, true])
  same('version', /^\d+\.\d+\.\d+/.test(version), true)
  const spoken = []
  for await (const sentence of sentences(cut('It rains. It is cold.', 4))) spoken.push(sentence.trim())
  same('sentences', [spoken, typeof SentenceStream], [['It rains.', 'It is cold.'], 'function'])
  await providerEvents({ NativeBlocks, readReply }, same)
  return same.checks
}

/** The events of providers. */
async function providerEvents({ NativeBlocks, readReply }, same) {
  const events = [{ reasoning: 'Hm.' }, { content: 'Let me ' }, { content: 'look.' }, { tool_calls: [{ index: 0, id: 'c1', function: { name: 'search', arguments: '{"query":"rain"}' } }] }]
  const chunks = [...events.map((delta) => ({ choices: [{ index: 0, delta }] })), { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }]
  const { text, thinking, toolCalls, finishReason } = await readReply(chunks).result()
  same('text of a reply', text, 'Let me look.')
  same('thinking of a reply', thinking, 'Hm.')
  same('calls of a reply', toolCalls.map(({ toolName, args }) => [toolName, args]), [['search', { query: 'rain' }]])
  same('the end of a reply', finishReason, 'tool-calls')
  const native = collector()
  const blocks = new NativeBlocks(native.callbacks)
  for (const event of [
    { type: 'message_start', message: { role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"rain"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_stop' },
  ]) blocks.anthropic(event)
  blocks.flush()
  same('blocks from native events', native.blocks, [
    { type: 'text', content: 'Let me look.' },
    { type: 'tool_call', toolId: 'toolu_1', toolName: 'search', input: { query: 'rain' } },
  ])
}

/** Feeds the reply in chunks of each size and throws on the first error. Returns the number of checks. */
export async function scenario({ BlockParser, visibleText, ParseError }) {
  const same = checker()

  for (const size of [1, 2, 3, 7, 64, REPLY.length]) {
    const seen = collector()
    const parser = new BlockParser({ ...seen.callbacks, generateId: () => 'id-0' })
    for (const piece of cut(REPLY, size)) parser.processChunk(piece)
    parser.flush()
    same(`blocks, pieces of ${size}`, seen.blocks, BLOCKS)
    same(`visible text, pieces of ${size}`, seen.visible(), VISIBLE)
    same(`input as it streamed, pieces of ${size}`, JSON.parse(seen.input()), BLOCKS[2].input)
    same(`order of events, pieces of ${size}`, seen.order(), BLOCKS.flatMap((_, index) => [`start ${index}`, `chunks ${index}`, `complete ${index}`]))

    const again = collector()
    const functions = { ...again.callbacks, generateId: () => 'id-0' }
    let restored = new BlockParser(functions)
    for (const piece of cut(REPLY, size)) {
      restored.processChunk(piece)
      restored = BlockParser.restore(JSON.parse(JSON.stringify(restored.snapshot())), functions)
    }
    restored.flush()
    same(`blocks, restored after pieces of ${size}`, again.blocks, BLOCKS)
  }

  let shown = ''
  for await (const text of visibleText(cut(REPLY, 4))) shown += text
  same('visibleText', shown, VISIBLE)

  const parser = new BlockParser()
  parser.flush()
  refuses(same, ParseError, () => parser.processChunk('more'))
  return same.checks
}

/** Tools, and answers that call them in both protocols. */
const TOOLS = [
  { name: 'search', inputSchema: { type: 'object', properties: { query: { type: 'string' }, limit: { type: 'integer' } } } },
  { name: 'ping', inputSchema: { type: 'object', properties: {} } },
]
const HERMES = 'Let me look 🔎. <tool_call>{"name": "search", "arguments": {"query": "a < b </tool_call> 🥶", "limit": "3"}}</tool_call>\nUse <tool_call> so. <tool_call>{"name":"ping"}</tool_call><tool_call>{"name":"search","argum'
const MORPH = 'Let me look 🔎. <search><query>a < b </search> 🥶</query><limit> 3 </limit></search>\nUse <ping> so. <ping/><search><query>c'
const SEARCH = { toolName: 'search', input: '{"query":"a < b TAG 🥶","limit":3}' }
const PING = { toolName: 'ping', input: '{}' }

/** The same for the tool-call parser. */
export async function toolCallScenario({ ToolCallParser, hermesProtocol, morphXmlProtocol, parseToolCalls, toolCallStream }) {
  const same = checker()
  const calls = (parts) => parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => ({ toolName, input }))
  const text = (parts) => parts.map(({ type, delta }) => (type === 'text-delta' ? delta : type === 'tool-call' ? '|' : '')).join('')
  for (const [protocol, answer, tag, after, last] of [
    [hermesProtocol(), HERMES, '</tool_call>', '\nUse <tool_call> so. ', '<tool_call>{"name":"search","argum'],
    [morphXmlProtocol(), MORPH, '</search>', '\nUse <ping> so. ', '<search><query>c'],
  ]) {
    const expected = [{ ...SEARCH, input: SEARCH.input.replace('TAG', tag) }, PING]
    const emitted = `Let me look 🔎. |${after}|${last}`
    for (const size of [1, 2, 3, 7, 64, answer.length]) {
      const errors = []
      const parser = new ToolCallParser({ protocol, tools: TOOLS, options: { onError: (_, { dropReason }) => errors.push(dropReason) } })
      const parts = [...cut(answer, size).flatMap((piece) => parser.text(piece)), ...parser.finish()]
      same(`calls, pieces of ${size}`, calls(parts), expected)
      same(`text, pieces of ${size}`, text(parts), emitted)
      same(`errors, pieces of ${size}`, errors, ['unfinished-tool-call'])
      same(`deltas, pieces of ${size}`, parts.filter(({ type, id }) => type === 'tool-input-delta' && parts.some(({ toolCallId }) => toolCallId === id)).map(({ delta }) => delta).join(''), expected.map(({ input }) => input).join(''))
    }
    same('a whole answer', calls(parseToolCalls(answer, { protocol, tools: TOOLS })), expected)
    const source = [...cut(answer, 5).map((delta) => ({ type: 'text-delta', id: 'p', delta })), { type: 'finish', finishReason: 'stop' }]
    const streamed = await through(source, toolCallStream({ protocol, tools: TOOLS }))
    same('a stream', [calls(streamed), text(streamed), streamed.at(-1)], [expected, emitted, { type: 'finish', finishReason: 'tool-calls' }])
  }
  return same.checks
}

/** Cuts a text into chunks of `size` UTF-16 units; a chunk may split a surrogate pair, as in a stream. */
function cut(text, size) {
  const pieces = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

/** What a stream makes of chunks. */
async function through(chunks, stream) {
  const source = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const made = []
  const reader = source.pipeThrough(stream).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) made.push(next.value)
  return made
}

/** Asserts that a parser takes nothing after its end. */
function refuses(same, ParseError, feed) {
  let code = 'nothing was thrown'
  try {
    feed()
  } catch (error) {
    code = error instanceof ParseError ? error.code : String(error)
  }
  same('feeding after the end', code, 'finished')
}

/** An answer of a model that was asked for JSON, and its contents. */
const ANSWER = 'See [1], it\'s done:\n```json\n{"city": "Zürich \\ud83c\\udf26", "days": [{"high": -1.5e0, "sun": true}, {"high": 7, "sun": null},], \'note\': "🥶 \\"cold\\""}\n```'
const FORECAST = { city: 'Zürich 🌦', days: [{ high: -1.5, sun: true }, { high: 7, sun: null }], note: '🥶 "cold"' }
const DONE = ['city', 'days[0].high', 'days[0].sun', 'days[0]', 'days[1].high', 'days[1].sun', 'days[1]', 'days', 'note']

/** The same for the field parser. */
export async function fieldScenario({ FieldStream, StreamingJSONParser, parseFields, parsePartial, ParseError }) {
  const same = checker()
  for (const size of [1, 2, 3, 7, 64, ANSWER.length]) {
    const parser = new StreamingJSONParser({ city: 'str', days: [{ high: 'float', sun: 'bool' }], note: 'str' })
    const events = [...cut(ANSWER, size).flatMap((piece) => parser.parseChunk(piece)), ...parser.finalize()]
    same(`data, pieces of ${size}`, parser.data, FORECAST)
    same(`done, pieces of ${size}`, events.filter(({ eventType }) => eventType === 'done').map(({ path }) => path), DONE)
    same(`deltas, pieces of ${size}`, events.filter(({ eventType, path }) => eventType === 'delta' && path === 'note').map(({ delta }) => delta).join(''), FORECAST.note)
  }
  const order = new StreamingJSONParser({ city: 'str', days: 'str' }, { completion: 'order' })
  same('order', [...cut(ANSWER, 9).flatMap((piece) => order.parseChunk(piece)), ...order.finalize()].filter(({ isComplete }) => isComplete).length, DONE.length)
  const rows = []
  same('result', await parseFields(cut(ANSWER, 5)).on('days[*].high', ({ isComplete, value }) => isComplete && rows.push(value)).result(), FORECAST)
  same('rows', rows, [-1.5, 7])
  same('a cut document', parsePartial('{"a": ["b", tr'), { a: ['b', true] })
  const streamed = await through(cut(ANSWER, 4), new FieldStream())
  same('the stream', streamed.filter(({ isComplete }) => isComplete).length, DONE.length)
  refuses(same, ParseError, () => order.parseChunk('more'))
  return same.checks
}

/** An answer with tools, of a model that was asked for XML, and its contents. */
const TURN =
  'If n < 2 🥶: ' +
  '<tool name="write_file"><arguments><arg name="path">wörter.xml</arg><arg name="content">\n__START_CONTENT__\n<arg name="n">2 < 3 🌦</arg>\n__END_CONTENT__\n</arg></arguments></tool>' +
  '\n<tool name="search"><arguments><arg name="query">5 &lt; 7</arg><arg name="limit">3</arg></arguments></tool>' +
  'Then:<RUN_BASH background="true">ls -l | grep "<x>"</run_bash>' +
  '<tool name="note"><arg name="to">Zoë</arg><arg name="text">hi</arg></tool><toolbar/> <run_bash>cut off'
const SEGMENTS = [
  { id: 's:seg_1', type: 'text', content: 'If n < 2 🥶: ', metadata: {} },
  { id: 's:seg_2', type: 'write_file', content: '<arg name="n">2 < 3 🌦</arg>\n', metadata: { tool_name: 'write_file', path: 'wörter.xml' } },
  { id: 's:seg_3', type: 'text', content: '\n', metadata: {} },
  { id: 's:seg_4', type: 'tool_call', content: '<arguments><arg name="query">5 &lt; 7</arg><arg name="limit">3</arg></arguments>', metadata: { tool_name: 'search' } },
  { id: 's:seg_5', type: 'text', content: 'Then:', metadata: {} },
  { id: 's:seg_6', type: 'run_bash', content: 'ls -l | grep "<x>"', metadata: { background: true } },
  { id: 's:seg_7', type: 'memo', content: 'HI', metadata: { tool_name: 'note', to: 'Zoë' } },
  { id: 's:seg_8', type: 'text', content: '<toolbar/> ', metadata: {} },
  { id: 's:seg_9', type: 'run_bash', content: 'cut off', metadata: {} },
]
const CALLS = [
  { id: 's:seg_2', name: 'write_file', arguments: { path: 'wörter.xml', content: '<arg name="n">2 < 3 🌦</arg>\n' } },
  { id: 's:seg_4', name: 'search', arguments: { query: '5 < 7', limit: 3 } },
  { id: 's:seg_6', name: 'run_bash', arguments: { command: 'ls -l | grep "<x>"', background: true } },
  { id: 's:seg_7', name: 'note', arguments: { to: 'Zoë', text: 'HI' } },
]
const NOTE = { segmentType: 'memo', contentArg: 'text', startWhen: ['to'], transform: (delta) => delta.toUpperCase() }

/** The same for the segment parser. */
export async function segmentScenario(tokenweir) {
  const { SegmentStream, StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, ParseError } = tokenweir
  const { extractSegments, parseSegments, registerToolSyntax, registerXmlToolParsingState, streamingResponseHandlerFor, toolSyntaxOf, unregisterToolSyntax, unregisterXmlToolParsingState } = tokenweir
  const same = checker()
  const xml = { strategy: 'xml', segmentIdPrefix: 's:', toolStates: { note: NOTE } }
  const schemas = { search: { type: 'object', properties: { limit: { type: 'integer' } } } }

  for (const size of [1, 2, 3, 7, 64, TURN.length]) {
    const errors = []
    const handler = new StreamingResponseHandler({ config: xml, schemas, onError: ({ code, segmentId }) => errors.push([code, segmentId]) })
    for (const piece of cut(TURN, size)) handler.feed(piece)
    handler.finalize()
    same(`segments, pieces of ${size}`, extractSegments(handler.getAllEvents()), SEGMENTS)
    same(`invocations, pieces of ${size}`, handler.getAllInvocations(), CALLS)
    same(`errors, pieces of ${size}`, errors, [['unterminated', 's:seg_9']])
    const parser = new StreamingParser({ strategy: 'xml', spans: true })
    const events = [...cut(TURN, size).flatMap((piece) => parser.feed(piece)), ...parser.finalize()]
    same(`contents and markup, pieces of ${size}`, events.map(({ payload }) => payload.delta ?? '').join(''), TURN)
  }

  const events = []
  for await (const event of parseSegments(cut(TURN, 5), xml)) events.push(event)
  same('parseSegments', extractSegments(events), SEGMENTS)
  const adapter = new ToolInvocationAdapter({ schemas, toolStates: xml.toolStates })
  same('the adapter', events.flatMap((event) => adapter.processEventAll(event)), CALLS)
  same('the stream', extractSegments(await through(cut(TURN, 4), new SegmentStream(xml))), SEGMENTS)

  const native = streamingResponseHandlerFor({ parser: 'native' })
  native.feed({ reasoning: 'Hm. ' })
  native.feed({ content: 'So:' })
  for (const argumentsDelta of cut(JSON.stringify({ path: 'é.py', content: 'a\n"🌦"' }).replace('é', '\\u00e9'), 3)) native.feed({ toolCalls: [{ index: 0, callId: 'call_1', name: 'write_file', argumentsDelta }] })
  native.finalize()
  same('an API call', extractSegments(native.getAllEvents()).map(({ id, type, content }) => [id, type, content]), [['seg_1', 'reasoning', 'Hm. '], ['seg_2', 'text', 'So:'], ['call_1', 'write_file', 'a\n"🌦"']])
  same('its invocation', native.getAllInvocations(), [{ id: 'call_1', name: 'write_file', arguments: { path: 'é.py', content: 'a\n"🌦"' }, callId: 'call_1' }])

  registerXmlToolParsingState('Memo', { ...NOTE, transform: undefined })
  registerToolSyntax('memo', { toolName: 'remember', contentArgument: 'text', metadataArguments: ['to'], required: ['to'] })
  same('a state that is registered', extractSegments(new StreamingParser(xml).feedAndFinalize('<tool name="MEMO"><arg name="to">a</arg><arg name="text">b</arg></tool>'))[0].type, 'memo')
  same('a syntax that is registered', toolSyntaxOf('memo').toolName, 'remember')
  same('both are forgotten', [unregisterXmlToolParsingState('memo'), unregisterToolSyntax('memo'), unregisterXmlToolParsingState('memo'), unregisterToolSyntax('memo')], [true, true, false, false])

  refuses(same, ParseError, () => native.feed('more'))
  return same.checks
}

/** A JSON schema, and the results of the three whole-text parsers with it. */
const NUMBER = { type: 'object', properties: { a: { type: 'number' } } }

/** The same for membrane's functions. */
export function membraneScenario({ IncrementalXmlParser, formatToolResults, hasUnclosedToolBlock, hasUnclosedXmlBlock, parseAccumulatedIntoBlocks, parseToolCalls }) {
  const same = checker()
  const membrane = new IncrementalXmlParser()
  const types = cut(REPLY, 5).flatMap((piece) => membrane.processChunk(piece).blockEvents).concat(membrane.flush().blockEvents)
  same('blocks of the drop-in', types.filter(({ event }) => event === 'block_complete').map(({ block }) => block.type), BLOCKS.map(({ type }) => type))
  same('an unclosed block', [hasUnclosedXmlBlock('a <thinking>b'), hasUnclosedXmlBlock('a <thinking>b</thinking>')], [true, false])
  const text = 'Hi 🌦 <function_calls><invoke name="now"/></function_calls>'
  same('whether calls are open', [hasUnclosedToolBlock(text), hasUnclosedToolBlock(text.slice(0, -1))], [false, true])
  same('calls', parseToolCalls(text).calls.map(({ name, input }) => [name, input]), [['now', {}]])
  same('results', parseToolCalls(text + formatToolResults([{ toolUseId: 'a', content: '5 < 7' }])), null)
  same('blocks', parseAccumulatedIntoBlocks(text).blocks.map(({ type }) => type), ['text', 'tool_use'])
  return same.checks
}

/** The same for relaxed JSON, elements, values described by a schema, and calls in YAML. */
export function peerScenario({ RXML, ToolCallParser, coerceBySchema, parse, stringify, withYaml, yamlXmlProtocol }) {
  const same = checker()
  same('JSON with faults', parse("{a:'🥶', /* so */ b: [1, 2,],}"), { a: '🥶', b: [1, 2] })
  same('JSON as text', parse(stringify({ a: '"<🌦>"' })), { a: '"<🌦>"' })
  same('XML by a schema', RXML.parse('<a> 1 </a>', NUMBER), { a: 1 })
  same('XML with a reference', RXML.parse('<a>5 &lt; 7 🌦</a>', { type: 'object', properties: { a: { type: 'string' } } }), { a: '5 < 7 🌦' })
  same('XML as text', RXML.stringify('root', { a: 1 }).includes('<a>1</a>'), true)
  same('a text that is an object', coerceBySchema('{a:"1"}', NUMBER), { a: 1 })
  same('a number that is text', coerceBySchema({ a: '1.5' }, NUMBER), { a: 1.5 })
  const calls = new ToolCallParser({ protocol: yamlXmlProtocol({ withYaml }), tools: [{ name: 'search' }] })
  const parts = cut('<search>\nquery: rain\n</search>', 5).flatMap((piece) => calls.text(piece)).concat(calls.finish())
  same('a call in YAML', parts.filter(({ type }) => type === 'tool-call').map(({ input }) => input), ['{"query":"rain"}'])
  return same.checks
}

/** A function that throws if two values differ, and counts its calls. */
function checker() {
  const same = (what, actual, expected) => {
    same.checks += 1
    const [left, right] = [actual, expected].map((value) => JSON.stringify(sorted(value)))
    if (left !== right) throw new Error(`${what}:\n  expected ${right}\n  but got  ${left}`)
  }
  same.checks = 0
  return same
}

/** Callbacks that store their arguments. */
function collector() {
  const chunks = []
  const events = []
  const blocks = []
  return {
    blocks,
    callbacks: {
      onChunk(text, meta) {
        chunks.push({ text, meta })
        if (events.at(-1) !== `chunks ${meta.blockIndex}`) events.push(`chunks ${meta.blockIndex}`)
      },
      onBlock({ event, index, block }) {
        events.push(`${event.replace('block_', '')} ${index}`)
        if (event === 'block_complete') blocks.push(block)
      },
    },
    visible: () => chunks.filter(({ meta }) => meta.visible).map(({ text }) => text).join(''),
    input: () => chunks.filter(({ meta }) => meta.toolCallPart === 'input').map(({ text }) => text).join(''),
    order: () => events,
  }
}

/** The same value with sorted keys, so that two JSON texts of it can be compared. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}

/** A wire format, whose WebAssembly is loaded when it is needed. */
async function formatScenario(readReply, same) {
  const text = '<think>hm</think>I look.<tool_call>{"name": "search", "arguments": {"query": "rain"}}</tool_call>'
  const chunk = (content, finish_reason = null) => ({ choices: [{ index: 0, delta: { content }, finish_reason }] })
  const read = await readReply([...cut(text, 3).map((piece) => chunk(piece)), chunk('', 'stop')], { model: 'qwen3:8b' }).result()
  same('a format on a reply', [read.text, read.thinking, read.toolCalls.map(({ toolName, args }) => [toolName, args])], ['I look.', 'hm', [['search', { query: 'rain' }]]])
}
