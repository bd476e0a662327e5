// A reply that was cut goes on in another one: read as two, its result is that of one, wherever it was cut.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseFields } from 'tokenweir/fields'
import { readReply, visibleText } from 'tokenweir'
import { REPLIES } from './support/messages.mjs'
import { all } from './support/sources.mjs'

const tools = [{ name: 'save', inputSchema: { type: 'object', properties: { path: { type: 'string' }, note: { type: 'string' } }, required: ['path'] } }]

/** The events of a reply that says a text, and ends for a reason. */
const PROVIDERS = {
  openai: (content, reason) => [{ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] }, { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: reason }] }],
  anthropic: (text, reason) => [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
    ...(text === '' ? [] : [{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, { type: 'content_block_stop', index: 0 }]),
    { type: 'message_delta', delta: { stop_reason: reason === 'stop' ? 'end_turn' : 'max_tokens' } },
    { type: 'message_stop' },
  ],
  gemini: (text, reason) => [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: reason === 'stop' ? 'STOP' : 'MAX_TOKENS' }] }],
  ollama: (content, reason) => [{ model: 'q', message: { role: 'assistant', content }, done: false }, { model: 'q', message: { role: 'assistant', content: '' }, done: true, done_reason: reason }],
  bedrock: (text, reason) => [{ messageStart: { role: 'assistant' } }, { contentBlockDelta: { contentBlockIndex: 0, delta: { text } } }, { contentBlockStop: { contentBlockIndex: 0 } }, { messageStop: { stopReason: reason === 'stop' ? 'end_turn' : 'max_tokens' } }],
}

/** Replies whose text is all that there is, by how it is read. */
const TEXTS = {
  text: ['Hello world.\n\nIt rains in Porto.', {}],
  fence: ['So:\n```js\nconst a = "<think>"\n```\nDone.', {}],
  thought: ['<think>The user wants.\nI should.</think>\n\nDone.', {}],
  'thought by a format': ['<think>The user wants.\nI should.</think>\n\nDone.', { format: 'hermes', tools }],
  tags: ['I save.\n<function_calls>\n<invoke name="save">\n<parameter name="path">a.md</parameter>\n<parameter name="note">x</parameter>\n</invoke>\n</function_calls>', { callsInText: true, tools }],
  hermes: ['I save.\n<tool_call>\n{"name": "save", "arguments": {"path": "a.md", "note": "x"}}\n</tool_call>', { format: 'hermes', tools }],
  qwen: ['I save.\n<tool_call>\n<function=save>\n<parameter=path>\na.md\n</parameter>\n<parameter=note>\nx y\n</parameter>\n</function>\n</tool_call>', { format: 'qwen3-coder', tools }],
  glm: ['<think>Hm.</think>\n<tool_call>save\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>', { format: 'glm-4.5', tools }],
  kimi: ['I save.<|tool_calls_section_begin|><|tool_call_begin|>functions.save:0<|tool_call_argument_begin|>{"path": "a.md"}<|tool_call_end|><|tool_calls_section_end|>', { format: 'kimi-k2', tools }],
  deepseek: ['I save.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>save<｜tool▁sep｜>{"path": "a.md"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>', { format: 'deepseek-v31', tools }],
  harmony: ['<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>', { format: 'harmony', tools }],
}

const seen = ({ text, thinking, toolCalls, problems, finishReason, blocks }) => JSON.parse(JSON.stringify({ text, thinking, calls: toolCalls.map(({ toolName, args }) => [toolName, args]), problems: problems.map(({ metadata }) => metadata.dropReason), finishReason, blocks: blocks.map(({ toolId, ...block }) => block) }))
const read = (events, options) => readReply(events, { ...options, onUnknown() {} }).result()

for (const [name, [text, options]] of Object.entries(TEXTS)) {
  test(`${name}: cut anywhere, at each provider`, async () => {
    for (const [provider, reply] of Object.entries(PROVIDERS)) {
      const whole = seen(await read(reply(text, 'stop'), options))
      for (let at = 1; at < text.length; at += provider === 'openai' ? 1 : 7) {
        // Anthropic takes no white space at the end of what it goes on from.
        if (provider === 'anthropic' && /\s/.test(text[at - 1])) continue
        const first = JSON.parse(JSON.stringify(await read(reply(text.slice(0, at), 'length'), options)))
        const both = await read(reply(text.slice(at), 'stop'), { ...options, continues: first })
        assert.deepEqual(seen(both), whole, `${provider}, ${JSON.stringify(text.slice(0, at))}`)
      }
    }
  })

  test(`${name}: as text`, async () => {
    const plain = { ...options }
    delete plain.callsInText
    const whole = seen(await read(text, plain))
    for (let at = 1; at < text.length; at += 3) {
      const broken = async function* () {
        yield text.slice(0, at)
        throw new Error('lost')
      }
      const { partial } = await readReply(broken(), { ...plain, transport: 'text' }).result().catch((error) => error)
      const both = await read(text.slice(at), { ...plain, continues: JSON.parse(JSON.stringify(partial)) })
      assert.deepEqual(seen(both), whole, JSON.stringify(text.slice(0, at)))
    }
  })

  test(`${name}: a server that sends again what it goes on from`, async () => {
    const { openai: reply } = PROVIDERS
    const whole = seen(await read(reply(text, 'stop'), options))
    for (let at = 1; at < text.length; at++) {
      const first = await read(reply(text.slice(0, at), 'length'), { ...options, provider: 'mistral' })
      // Without white space at its end, unless more of that follows: then nobody knows which is which.
      const all = text.slice(0, at)
      for (const sent of [all, ...(/^\s/.test(text.slice(at)) ? [] : [all.trimEnd()])]) {
        const events = [...(sent + text.slice(at))].map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
        const both = await read([...events, ...reply('', 'stop')], { ...options, provider: 'mistral', continues: first })
        assert.deepEqual(seen(both), whole, JSON.stringify(text.slice(0, at)))
      }
    }
  })
}

describe('what goes on with what', () => {
  const said = (content, reason) => PROVIDERS.openai(content, reason)

  test('native thinking goes on as thinking, or in the text up to its closing tag', async () => {
    const thought = (reasoning_content) => ({ id: 'c', choices: [{ index: 0, delta: { reasoning_content } }] })
    const first = await read([thought('I sh'), ...said('', 'length')], {})
    for (const cut of ['ould.</think>Yes.', 'ould.</thi|nk>Yes.', 'o|u|l|d|.|<|/|t|h|i|n|k|>|Y|e|s|.'])
      assert.deepEqual(seen(await read([...cut.split('|').flatMap((text) => said(text, null)[0]), ...said('', 'stop')], { continues: first })), seen(await read([thought('I should.'), ...said('Yes.', 'stop')], {})), cut)
    const both = await read([thought('ould.'), ...said('Yes.', 'stop')], { continues: first })
    assert.deepEqual([both.thinking, both.text, both.blocks.length], ['I should.', 'Yes.', 2])
    // A thought that is not closed was cut, and may go on again.
    const open = await read(said('ould', 'length'), { continues: first })
    assert.deepEqual([open.thinking, open.text, open.blocks[0].incomplete], ['I should', '', true])
    const third = await read(said('.</think>Yes.', 'stop'), { continues: open })
    assert.deepEqual([third.thinking, third.text], ['I should.', 'Yes.'])
  })

  test('text that a server takes for reasoning is text, if nothing follows and the reply ended on its own', async () => {
    for (const [name, thought] of [['vLLM', (reasoning) => ({ id: 'c', choices: [{ index: 0, delta: { reasoning, reasoning_content: reasoning } }] })], ['SGLang', (reasoning_content) => ({ id: 'c', choices: [{ index: 0, delta: { reasoning_content } }] })]])
      for (const text of ['Hello world.\n\nIt rains.', TEXTS.hermes[0]]) {
        const options = text === TEXTS.hermes[0] ? TEXTS.hermes[1] : {}
        const whole = await read(said(text, 'stop'), options)
        for (let at = 1; at < text.length; at++)
          for (const cut of [[text.slice(at)], [...text.slice(at)], ...(at > 8 ? [[text]] : [])]) {
            const first = JSON.parse(JSON.stringify(await read(said(text.slice(0, at), 'length'), options)))
            const both = await read([...cut.map(thought), ...said('', 'stop')], { ...options, continues: first })
            assert.deepEqual([seen(both), both.message], [seen(whole), whole.message], `${name}: ${JSON.stringify(text.slice(0, at))}`)
          }
      }
    // What is followed by text, is signed or was cut is a thought.
    const first = await read(said('Hello', 'length'), {})
    const thought = { id: 'c', choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] }
    for (const [text, reason, all] of [['Bye.', 'stop', 'HelloBye.'], ['', 'length', 'Hello'], ['', null, 'Hello']]) {
      const both = await read([thought, ...said(text, reason)], { continues: first })
      assert.deepEqual([both.text, both.thinking], [all, 'Hm.'])
    }
    const signed = { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 'Hm.', signature: 'S' } }
    const claude = await read([PROVIDERS.anthropic('')[0], signed, { type: 'content_block_stop', index: 0 }, ...PROVIDERS.anthropic('', 'stop').slice(1)], { continues: await read(PROVIDERS.anthropic('Hello', 'length')) })
    assert.deepEqual([claude.text, claude.thinking], ['Hello', 'Hm.'])
  })

  test('a reply of another provider, or another response, is read alone, with a problem', async () => {
    const first = await read([...said('Hello wor', 'length'), { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }])
    for (const [name, reply] of Object.entries(PROVIDERS)) {
      const alone = await read(reply('ld.', 'stop'))
      const both = await read(reply('ld.', 'stop'), { continues: first })
      if (name === 'openai') assert.equal(both.text, 'Hello world.')
      else assert.deepEqual([both.problems.map(({ metadata }) => metadata.dropReason), { ...both, problems: [] }], [['other-reply'], alone], name)
    }
    const other = await read(said('Hello.', 'stop'), { continues: await read(PROVIDERS.anthropic('Hel', 'length')), provider: 'openai' })
    assert.deepEqual([other.text, other.message.content, other.problems.length], ['Hello.', 'Hello.', 1])
    const whole = await read([{ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }], { continues: first })
    assert.deepEqual([whole.text, whole.problems.length], ['Hi', 1])
    const response = (id, text) => [{ type: 'response.created', sequence_number: 0, response: { id, output: [] } }, { type: 'response.output_text.delta', sequence_number: 1, output_index: 0, content_index: 0, delta: text }]
    const broken = await read(response('r1', 'Hello '))
    assert.equal((await read(response('r1', 'Hello '), { continues: broken })).text, 'Hello ')
    const again = await read(response('r2', 'Bye'), { continues: broken })
    assert.deepEqual([again.text, again.resume, again.problems.map(({ metadata }) => metadata.dropReason)], ['Bye', { id: 'r2', after: 1 }, ['other-reply']])
    // An error is nobody's, nor is what keeps the connection open; a text is that of any server.
    assert.equal((await read([{ type: 'ping' }, ...said('ld.', 'stop')], { continues: first })).text, 'Hello world.')
    assert.equal((await readReply([{ error: { message: 'busy' } }], { continues: first }).result().catch(({ partial }) => partial)).text, 'Hello wor')
    assert.equal((await readReply('ld.', { continues: first }).result()).text, 'Hello world.')
  })

  test("Google's token for the rest is where the reply goes on", async () => {
    const gemini = [{ candidates: [{ content: { parts: [{ text: 'Hel' }] }, finishReason: 'CONTINUATION' }], continuationToken: 'VE9LRU4=' }]
    const interaction = { id: 'v1_a', status: 'requires_continuation', continuation_token: 'T', steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hel' }] }] }
    for (const source of [gemini, Response.json(gemini[0])]) assert.deepEqual((await read(source)).resume, { token: 'VE9LRU4=' })
    for (const source of [[{ event_type: 'interaction.created', interaction: { id: 'v1_a', status: 'in_progress' } }, { event_type: 'step.start', index: 0, step: { type: 'model_output' } }, { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hel' } }, { event_type: 'step.stop', index: 0 }, { event_type: 'interaction.completed', interaction }], Response.json(interaction)]) {
      const first = await read(source)
      assert.deepEqual([first.text, first.resume, first.journal === undefined], ['Hel', { id: 'v1_a', token: 'T' }, false])
    }
  })

  test('the reason is the last one, tokens are summed, messages are joined', async () => {
    const usage = (completion_tokens) => ({ choices: [], usage: { prompt_tokens: 5, completion_tokens, total_tokens: 5 + completion_tokens } })
    const first = await read([...said('Hello wor', 'length'), usage(2)], {})
    const both = await read([...said('ld.', 'stop'), usage(1)], { continues: first })
    assert.deepEqual([both.finishReason, both.journal, both.message], ['stop', undefined, { role: 'assistant', content: 'Hello world.' }])
    assert.deepEqual([both.usage.inputTokens, both.usage.outputTokens, both.usage.totalTokens], [10, 3, 13])
  })

  test('the loop has what is new, and callbacks hear of nothing twice', async () => {
    const heard = []
    const first = await read(said('Hello wor', 'length'), {})
    const reply = readReply(said('ld.', 'stop'), { continues: first, onChunk: (text) => heard.push(text) })
    const texts = []
    for await (const emission of reply) if (emission.kind === 'content') texts.push(emission.text)
    assert.deepEqual([texts, heard, (await reply.result()).text], [['ld.'], ['ld.'], 'Hello world.'])
  })

  test('visible text goes on: the loop has what is new, the result is that of both', async () => {
    for (const [text, options] of [TEXTS.text, TEXTS.thought, TEXTS.hermes, TEXTS.fence])
      for (let at = 1; at < text.length; at++) {
        const whole = await read(said(text, 'stop'), options)
        for (const chunks of [said(text.slice(at), 'stop'), [text.slice(at)]]) {
          const first = visibleText(said(text.slice(0, at), 'length'), options)
          const before = (await all(first)).join('')
          const second = visibleText(chunks, { ...options, continues: await first.reply.result() })
          const more = (await all(second)).join('')
          const result = await second.reply.result()
          const label = `${JSON.stringify(text.slice(0, at))} ${chunks.length}`
          assert.equal(result.text, whole.text, label)
          if (text === TEXTS.text[0]) assert.equal(before + more, text, label)
          // The beginning of a tag was shown as text where nothing followed.
          assert.ok(whole.text.replace(/\s/g, '').endsWith(more.replace(/\s/g, '')), label)
        }
      }
  })

  test('a native call that was cut stays a problem', async () => {
    const call = { id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'k', function: { name: 'save', arguments: '{"path":"a' } }] } }] }
    const both = await read(said('Sorry.', 'stop'), { continues: await read([call, ...said('', 'length')], {}) })
    assert.deepEqual([both.toolCalls, both.text, both.problems.map(({ metadata }) => metadata.dropReason)], [[], 'Sorry.', ['unfinished-tool-call']])
  })

  test('a text that only looks like the one that was sent is another one', async () => {
    const both = await read(said('Hello world is here.', 'stop'), { continues: await read(said('Hello world, ', 'length'), {}) })
    assert.equal(both.text, 'Hello world, Hello world is here.')
  })

  test('a short text that comes again may be meant: the message says what the text does', async () => {
    const continues = await read(PROVIDERS.openai('Ha', 'length'))
    const { text, message } = await read(PROVIDERS.openai('Haha', 'stop'), { continues })
    assert.deepEqual([text, message.content], ['HaHaha', 'HaHaha'])
  })

  test('nothing that follows, and a source that fails immediately, leave what there was', async () => {
    const first = await read(said('Hel', 'length'), {})
    for (const source of [[], (async function* () { throw new Error('refused') })()]) {
      const both = await readReply(source, { continues: first }).result().catch(({ partial }) => partial)
      assert.deepEqual([both.text, both.blocks.length], ['Hel', 1])
      const third = await read(said('lo', 'stop'), { continues: both })
      assert.deepEqual([third.text, third.blocks.length], ['Hello', 1])
    }
  })

  test('text that is sent again, as text', async () => {
    const { partial } = await readReply((async function* () { yield 'Hello world. '; throw new Error('lost') })(), { transport: 'text' }).result().catch((error) => error)
    for (const chunks of [['Hello world. It rains.'], ['Hello wor', 'ld.', ' It', ' rains.'], [...'Hello world. It rains.'], ['It rains.']])
      assert.equal((await readReply(chunks, { continues: partial, transport: 'text' }).result()).text, 'Hello world. It rains.')
  })

  test('the message goes on too: with what was sent, calls that are run, and signatures', async () => {
    const { anthropic } = PROVIDERS
    const spaced = await read(anthropic('Hello ', 'length'), {})
    assert.deepEqual([spaced.text, spaced.message.content], ['Hello ', [{ type: 'text', text: 'Hello' }]])
    const whole = await read(anthropic(' world.', 'stop'), { continues: JSON.parse(JSON.stringify(spaced)) })
    assert.deepEqual([whole.text, whole.message.content], ['Hello world.', [{ type: 'text', text: 'Hello world.' }]])
    const paused = await read([{ type: 'message_start', message: { content: [] } }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Looking.' } }, { type: 'content_block_stop', index: 0 }, { type: 'message_delta', delta: { stop_reason: 'pause_turn' } }, { type: 'message_stop' }], {})
    const found = await read(anthropic('Found.', 'stop'), { continues: paused })
    assert.deepEqual([found.blocks.length, found.message.content.map(({ text }) => text)], [2, ['Looking.', 'Found.']])
    // A whole call of a reply that broke off.
    const broken = await read([{ type: 'message_start', message: { content: [] } }, { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 'Hm', signature: 'S' } }, { type: 'content_block_stop', index: 0 }, { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'now', input: {} } }, { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } }, { type: 'content_block_stop', index: 1 }], {})
    assert.deepEqual([broken.toolCalls, broken.message.content.map(({ type }) => type)], [[], ['thinking']])
    const more = await read(anthropic('So.', 'stop'), { continues: JSON.parse(JSON.stringify(broken)) })
    assert.deepEqual([more.toolCalls.map(({ toolCallId }) => toolCallId), more.message.content.map(({ type }) => type), more.problems], [['t'], ['thinking', 'tool_use', 'text'], []])
  })

  test('the message of each provider whose calls have an end goes on with its signatures', async () => {
    for (const { name, events, provider } of REPLIES.filter(({ name }) => ['anthropic', 'gemini', 'bedrock', 'ollama', 'cohere', 'ai sdk'].includes(name))) {
      const options = provider === undefined ? {} : { provider }
      const whole = await read(events, options)
      // Without the end, which says why: all that came is there.
      let length = events.length
      let broken
      do broken = await read(events.slice(0, --length), options)
      while (broken.journal === undefined)
      const both = await read(events.slice(length), { ...options, continues: JSON.parse(JSON.stringify(broken)) })
      assert.deepEqual([both.message, seen(both).calls], [whole.message, seen(whole).calls], name)
    }
  })

  test('a response that is read on from its last event, wherever it broke off', async () => {
    const item = (type, output_index, item) => ({ type: `response.output_item.${type}`, output_index, item })
    const args = (delta) => ({ type: 'response.function_call_arguments.delta', item_id: 'fc', output_index: 1, delta })
    const done = { id: 'fc', type: 'function_call', call_id: 'c', name: 'save', arguments: '{"path":"a.md"}', status: 'completed' }
    const events = [
      { type: 'response.created', response: { id: 'r', output: [] } },
      item('added', 0, { id: 'rs', type: 'reasoning', summary: [] }),
      item('done', 0, { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'ENC' }),
      item('added', 1, { ...done, arguments: '' }),
      args('{"pa'), args('th":'), args('"a.md"}'),
      { type: 'response.function_call_arguments.done', item_id: 'fc', output_index: 1, arguments: done.arguments },
      item('done', 1, done),
      { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
    const all = await read(events, {})
    assert.deepEqual(all.message.map(({ type }) => type), ['reasoning', 'function_call'])
    for (let at = 1; at < events.length; at++) {
      const first = JSON.parse(JSON.stringify(await read(events.slice(0, at), {})))
      assert.deepEqual([first.toolCalls, first.resume], [[], { id: 'r', after: at - 1 }])
      // Some servers begin earlier.
      for (const from of [at, Math.max(0, at - 2), 0]) {
        const both = await read(events.slice(from), { continues: first })
        assert.deepEqual([seen(both), both.message], [seen(all), all.message], `${at}, ${from}`)
      }
    }
  })

  test('what can not go on is refused by name', async () => {
    const first = await read(said('Hel', 'length'), { format: 'hermes' })
    const whole = await read(said('Hello', 'stop'), {})
    for (const [options, message] of [
      [{ continues: first }, /^readReply: the reply that is continued was read with format "hermes", and this one with none$/],
      [{ continues: first, format: 'qwen3-coder' }, /with format "hermes", and this one with "qwen3-coder"$/],
      [{ continues: whole }, /^readReply: continues takes the result of a reply that was cut, .* without a journal: it ended on its own$/],
      [{ continues: 'Hel' }, /^readReply: continues takes the result of a reply that was cut, .* but got string "Hel"$/],
      [{ sent: 'Hel' }, /^readReply: sent is the text of the reply that continues names$/],
      [{ continues: first, format: 'hermes', sent: 'Other' }, /^readReply: sent must be the text of the reply that is continued/],
    ]) await assert.rejects(read(said('lo', 'stop'), options), (error) => error instanceof TypeError && (assert.match(error.message, message), true))
  })
})

describe('a document that was cut', () => {
  const text = 'So: {"place": "Foz", "tips": ["swim", {"at": 7.5}], "note": "a \\"b\\" c"} Done.'
  const schema = { place: 'str', tips: ['any'], note: 'str' }

  test('goes on anywhere: its result and its fields are those of one text', async () => {
    const events = async (reading, done = []) => {
      for await (const { path, eventType, value } of reading) if (eventType === 'done') done.push([path, value])
      return [await reading.result(), reading.report.isComplete]
    }
    const all = await events(parseFields(text, schema))
    for (let at = 1; at < text.length; at++) {
      const first = parseFields(text.slice(0, at), schema)
      await first.result().catch(() => {})
      const { journal } = JSON.parse(JSON.stringify({ journal: first.journal }))
      for (const rest of [text.slice(at), text]) {
        if (rest === text && at < 8) continue
        assert.deepEqual(await events(parseFields([...rest], schema, { continues: { journal } })), all, text.slice(0, at))
      }
    }
    assert.deepEqual(all[0], { place: 'Foz', tips: ['swim', { at: 7.5 }], note: 'a "b" c' })
  })

  test('what is no reading is refused by name', () => {
    for (const continues of [1, {}, { journal: 'x' }, { journal: {} }]) assert.throws(() => parseFields('', null, { continues }), /^TypeError: parseFields: continues takes what parseFields has given, or \{ journal \} of it, but got /)
  })
})
