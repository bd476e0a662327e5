// `tokenweir/guard`: what is out and when, errors of rules, candidates that are too long, stops, sources and replies.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Reply, readReply } from 'tokenweir'
import { TextGuard, guard, guardText } from 'tokenweir/guard'
import { protocolEvents, respond } from 'tokenweir/respond'
import { rowsOf } from './support/respond.mjs'
import { all, counted, settled } from './support/sources.mjs'

/** What each chunk gives, and the end. */
function shown(options, ...chunks) {
  const guard = new TextGuard(options)
  return [...chunks.map((chunk) => guard.push(chunk)), guard.end()]
}

const units = (options, text) => shown(options, ...text.split(''))
const luhn = (digits) => [...digits].reverse().reduce((sum, digit, at) => sum + (at % 2 === 0 ? +digit : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit]), 0) % 10 === 0

describe('what is out, and when', () => {
  const CASES = [
    ['no rules: all of it', {}, ['a', 'b', ''], ['a', 'b', '', '']],
    ['plain text never waits', { redact: ['secret'] }, ['a s', 'eal ', 'secre', 'cy'], ['a ', 'seal ', '', 'secrecy', '']],
    ['a replacement is out with the last unit of a string', { redact: ['secret'] }, ['secre', 't', '!'], ['', '[redacted]', '!', '']],
    ['where only the end is open, it is out, and the rest is swallowed', { redact: [/sk-\w+/] }, ['sk-', 'a', 'bc', 'd!'], ['', '[redacted]', '', '!', '']],
    ['nor does it wait for a boundary that must come', { redact: [/\bsk-\w{2,}\b/] }, ['sk-a', 'b', 'c', ' d'], ['', '[redacted]', '', ' d', '']],
    ['a boundary that may not come is waited for', { redact: [/\bcat\b/] }, ['cat', 's ', 'cat', '.'], ['', 'cats ', '', '[redacted].', '']],
    ['the end of the text is a boundary', { redact: [/\bcat$/] }, ['cat', '\n', 'cat'], ['', 'cat\n', '', '[redacted]']],
    ['line ends are, with the flag m', { redact: [/^cat$/m] }, ['cat', '\n', 'a cat'], ['', '[redacted]\n', 'a cat', '']],
    ['the shorter of two strings if it comes first', { redact: ['ab', 'abc'] }, ['a', 'b', 'c'], ['', '[redacted]', 'c', '']],
    ['the longer of two strings if it comes first, out before it is known', { redact: ['abc', 'ab'] }, ['ab', 'd'], ['[redacted]', 'd', '']],
    ['but two replacements wait', { redact: [{ find: 'abc', replace: '1' }, { find: 'ab', replace: '2' }] }, ['ab', 'd', 'abc'], ['', '2d', '1', '']],
    ['lazy as in JavaScript', { redact: [/<.+?>/] }, ['<a>b>'], ['[redacted]b>', '']],
    ['greedy as in JavaScript', { redact: [/<.+>/] }, ['<a>b>', '\n'], ['[redacted]', '\n', '']],
    ['what a longer candidate has given up is read again', { redact: [/ab.*c/, 'b', 'a'] }, ['ab', 'b', '\n'], ['[redacted]', '', '[redacted][redacted]\n', '']],
    ['`$` means nothing in a replacement', { redact: [{ find: /(a)/, replace: '$1$&$$' }] }, ['a'], ['$1$&$$', '']],
    ['a replacement may be empty', { redact: [{ find: 'ab', replace: '' }] }, ['xab', 'y'], ['x', 'y', '']],
    ['a function decides, at the end of the match', { redact: [{ find: /\d{4,}/, replace: (digits) => (luhn(digits) ? '[card]' : digits) }] }, ['4111 1111'.replace(' ', ''), '11111111.', ' 12345678', '.'], ['', '[card].', ' ', '12345678.', '']],
    ['the flag i as JavaScript has it without u', { redact: [/straße/i, /k/i] }, ['STRAßE k \u212a'], ['[redacted] [redacted] \u212a', '']],
    ['units, not characters', { redact: [/^.\ude00/] }, ['\ud83d', '\ude00', '\ud83d'], ['', '[redacted]', '\ud83d', '']],
    ['a class of characters outside of the BMP has their halves', { redact: [/[😀]+/] }, ['\ud83d'], ['[redacted]', '']],
    ['octal, control and odd escapes', { redact: [/\0\x41\u0042\cJ\c\u{2}\x4/] }, ['\0AB\n\\cuux4'], ['[redacted]', '']],
    ['braces that count nothing', { redact: [/a{,2}{x]/] }, ['a{,2}{x]'], ['[redacted]', '']],
    ['named groups are groups', { redact: [/(?<year>\d\d)-(?:a|b)/] }, ['99-b'], ['[redacted]', '']],
    ['a class that nothing is in never matches', { redact: [/a[]/, 'ab'] }, ['aab'], ['a[redacted]', '']],
  ]
  for (const [title, options, chunks, expected] of CASES) test(title, () => assert.deepEqual(shown(options, ...chunks), expected))

  test('pending: what is neither out nor swallowed', () => {
    const guard = new TextGuard({ redact: [/sk-\w+/, { find: /\d+/, replace: (digits) => digits }] })
    assert.deepEqual(['a', 'sk', '-', 'a', 'b', ' 12', '3', '.'].map((chunk) => [guard.push(chunk), guard.pending]), [['a', 0], ['', 2], ['', 3], ['[redacted]', 0], ['', 0], [' ', 2], ['', 3], ['123.', 0]])
  })

  test('a function that throws shows nothing of its match, and what follows comes later', () => {
    const guard = new TextGuard({ redact: [{ find: 'secret', replace: () => { throw new Error('no') } }] })
    assert.throws(() => guard.push('a secret b'), /no/)
    assert.equal(guard.push(' c'), 'a  b c')
    const odd = new TextGuard({ redact: [{ find: /se+/, replace: () => undefined }] })
    odd.push('a see')
    assert.throws(() => odd.end(), { name: 'TypeError', message: 'replace must return a string, but returned undefined' })
    assert.equal(odd.end(), '')
  })

  test('a thousand strings, and a pattern with counts', () => {
    const strings = Array.from({ length: 1000 }, (_, at) => `key-${at * 7919}-${at}`)
    const text = strings.map((string) => `${string}, `).join('')
    assert.equal(units({ redact: strings }, text).join(''), '[redacted], '.repeat(1000))
    assert.equal(units({ redact: [/(?:[0-9a-f]{2}:){5}[0-9a-f]{2}/] }, '01:23:45:67:89:ab 01:23').join(''), '[redacted] 01:23')
  })
})

describe('candidates that are too long', () => {
  const long = 'x'.repeat(30)
  const CASES = [
    ['are redacted, up to where they end', { redact: [/<[^!]*>/], longest: 10 }, `a<${long}!b`, 'a[redacted]!b'],
    ['up to the end of the match', { redact: [/<.*?>/], longest: 10 }, `a<${long}>b<c>`, 'a[redacted]b[redacted]'],
    ['to the end of the text', { redact: [/<[^]*>/], longest: 10 }, `a<${long}`, 'a[redacted]'],
    ['by the rule’s own text', { redact: [{ find: /<.*>/, replace: '-' }], longest: 10 }, `a<${long}\nb`, 'a-\nb'],
    ['without asking a function', { redact: [{ find: /<.*>/, replace: (match) => match }], longest: 10 }, `a<${long}\nb`, 'a[redacted]\nb'],
    ['a match whose end is open doesn\'t count', { redact: [/x+/], longest: 10 }, `a${long}b`, 'a[redacted]b'],
    ['nor is what has exactly that length', { redact: [/<.*>/], longest: 31 }, `<${long}\nb`, `<${long}\nb`],
    ['what begins in one and goes on after it is redacted, too', { redact: [/<[^!]*>/, 'key!key'], longest: 10 }, `<${long}key!key.`, '[redacted][redacted].'],
    ['what waited for one is looked for when it has ended', { redact: [/(?:.a|b){1,2}^/, /a(?:.*-b)?/], longest: 2 }, '-aab-', '[redacted][redacted]'],
    ['a stop ends the text before', { redact: ['y'], stop: [/<.*>/], longest: 10 }, `a<${long}\nb`, 'a'],
  ]
  for (const [title, options, text, expected] of CASES) {
    test(title, () => {
      for (let at = 0; at <= text.length; at++) assert.equal(shown(options, text.slice(0, at), text.slice(at)).join(''), expected, `cut at ${at}`)
      assert.equal(units(options, text).join(''), expected)
    })
  }
  test('what was looked for in vain is not looked for again', () => {
    const text = `${'a'.repeat(4000)}\n`.repeat(50)
    assert.equal(shown({ redact: [{ find: /a.*b|a/, replace: 'x' }] }, text).join(''), text.replaceAll('a', 'x'))
  })
  test('text that matches no more is read in linear time, and little of it is kept', () => {
    const guard = new TextGuard({ redact: [/<(?:[^>]|>[^>])*>>/, /a+b/, /[a-z]+@/], longest: 500 })
    let most = 0
    for (let at = 0; at < 20_000; at++) {
      guard.push('<a<>a')
      most = Math.max(most, guard.pending)
    }
    assert.ok(most <= 500, `${most}`)
  })
})

describe('stops', () => {
  test('end the text before the match', () => {
    const guard = new TextGuard({ redact: ['User'], stop: ['\nUser:', /\nSystem\w*/] })
    assert.deepEqual([guard.push('Hello.\nUs'), guard.push('er: Hi!'), guard.push('more'), guard.end(), guard.pending], ['Hello.', '', '', '', 0])
    assert.deepEqual(guard.stopped, { reason: 'stop', text: '\nUser:', offset: 6 })
  })
  test('come before what is redacted at the same place; what began before comes first', () => {
    for (const [text, expected] of [['abc', ''], ['xabc', '[redacted]']]) {
      const guard = new TextGuard({ redact: ['xabc', 'a'], stop: ['abc'] })
      assert.equal(guard.push(text) + guard.end(), expected)
      assert.equal(guard.stopped === undefined, expected !== '')
    }
  })
  test('have their whole match', () => {
    const guard = new TextGuard({ stop: [/STOP\w*/] })
    assert.equal(guard.push('a STOP'), 'a ')
    assert.equal(guard.stopped, undefined)
    guard.push('PED now')
    assert.deepEqual(guard.stopped, { reason: 'stop', text: 'STOPPED', offset: 2 })
  })
})

describe('wrong rules and options', () => {
  const CASES = [
    [{ redact: [/a(?=b)/] }, /^TextGuard\.redact\[0\] must not have lookaround \(\?=, but is \/a\(\?=b\)\/$/],
    [{ redact: ['a', /(?<!a)b/] }, /redact\[1\] .*lookaround \(\?<!/],
    [{ stop: [/(?!a)b/] }, /stop\[0\] .*lookaround \(\?!/],
    [{ redact: [/(?<=a)b/] }, /lookaround \(\?<=/],
    [{ redact: [/(a)\1/] }, /a backreference \\1/],
    [{ redact: [/(?<x>a)\k<x>/] }, /a backreference \\k/],
    [{ redact: [/a/u] }, /the flag u/],
    [{ redact: [/a/y] }, /the flag y/],
    [{ redact: [/a/v] }, /the flag v/],
    [{ redact: [/a*/] }, /must not match nothing at all, as \/a\*\/ does/],
    [{ redact: [/\b/] }, /nothing at all/],
    [{ redact: [/(?:a|^)$/] }, /nothing at all/],
    [{ redact: [''] }, /redact\[0\] must not match nothing at all, as '' does/],
    [{ redact: [{ find: /a?/ }] }, /redact\[0\]\.find must not match nothing at all/],
    [{ redact: [/(?:a{1000}){1000}/] }, /too large/],
    [{ redact: [5] }, /redact\[0\] must be a string or a regular expression, but is number 5/],
    [{ redact: [{}] }, /redact\[0\]\.find must be a string or a regular expression, but is undefined/],
    [{ redact: [{ find: 'a', replace: 5 }] }, /redact\[0\]\.replace must be a string or a function, but is number 5/],
    [{ redact: [{ find: 'a', with: '' }] }, /redact\[0\] has no option "with"; it takes find, replace/],
    [{ redact: 'a' }, /TextGuard\.redact must be an array/],
    [{ stop: 'a' }, /TextGuard\.stop must be an array/],
    [{ longest: 0 }, /longest must be a number from 1/],
    [{ redacted: [] }, /TextGuard has no option "redacted"; it takes redact, stop, longest/],
    [undefined, /takes an options object/],
  ]
  test('are TypeErrors that name the part', () => {
    for (const [options, message] of CASES) assert.throws(() => new TextGuard(options), { name: 'TypeError', message })
    assert.throws(() => guardText('', { redact: [/a*/] }), { name: 'TypeError', message: /^guardText\.redact\[0\]/ })
    assert.throws(() => guard(readReply(''), { in: ['args'] }), { name: 'TypeError', message: /^guard\.in must be an array of text, thinking, arguments/ })
  })
  test('misuse', () => {
    const guard = new TextGuard({})
    assert.throws(() => guard.push(5), { name: 'TypeError', message: 'TextGuard.push takes a string, but got number 5' })
    guard.end()
    assert.equal(guard.end(), '')
    assert.throws(() => guard.push(''), { code: 'finished' })
  })
})

describe('guardText', () => {
  const options = { redact: ['secret'], stop: ['END'] }
  test('any source', async () => {
    const chunks = ['a sec', 'ret', ' b sec']
    for (const source of [chunks, ReadableStream.from(chunks), (async function* () { yield* chunks })(), chunks.values()]) assert.deepEqual(await all(guardText(source, options)), ['a ', '[redacted]', ' b ', 'sec'])
    assert.deepEqual(await all(guardText('a secret', options)), ['a [redacted]'])
    assert.deepEqual(await all(guardText('', options)), [])
    for (const source of [5, undefined, new Response('')]) assert.throws(() => guardText(source, options), { name: 'TypeError', message: /^guardText takes an async iterable.*such as visibleText\(response\), but got/ })
  })
  test('a stop, leaving, and what is no text cancel the source', async () => {
    for (const [chunks, expected] of [[['aEN', 'Db', 'c'], ['a']], [['a', 5, 'b'], undefined]]) {
      const { stream, seen } = counted(chunks)
      if (expected === undefined) await assert.rejects(all(guardText(stream, options)), TypeError)
      else assert.deepEqual(await all(guardText(stream, options)), expected)
      assert.notEqual(seen.cancelled, undefined)
      assert.equal(seen.pulls, 2)
    }
    const left = counted(['a', 'b'])
    for await (const _ of guardText(left.stream, options)) break
    assert.notEqual(left.seen.cancelled, undefined)
    const unread = counted(['a'])
    await guardText(unread.stream, options).return()
    assert.notEqual(unread.seen.cancelled, undefined)
  })
  test('leaving and an abort end the wait for a silent source', async () => {
    for (const aborts of [true, false]) {
      let cancelled = false
      const stop = new AbortController()
      const texts = guardText(new ReadableStream({ start(controller) { controller.enqueue('a sec') }, cancel() { cancelled = true } }), { ...options, signal: stop.signal })
      assert.deepEqual(await texts.next(), { value: 'a ', done: false })
      const waiting = texts.next().then(({ done }) => done, (error) => error.message)
      await settled()
      if (aborts) stop.abort(new Error('enough'))
      else await texts.return()
      assert.equal(await waiting, aborts ? 'enough' : true)
      assert.equal(cancelled, true)
      assert.deepEqual(await texts.next(), { value: undefined, done: true })
    }
    await assert.rejects(all(guardText('a', { ...options, signal: AbortSignal.abort(new Error('before')) })), /before/)
    assert.throws(() => guardText('a', { ...options, signal: 5 }), { name: 'TypeError', message: /guardText\.signal must be an AbortSignal/ })
  })
  test('if the source fails, the rest comes before its error', async () => {
    const seen = []
    const broken = async function* () { yield 'a sec'; throw new Error('line down') }
    await assert.rejects(async () => { for await (const text of guardText(broken(), options)) seen.push(text) }, /line down/)
    assert.deepEqual(seen, ['a ', 'sec'])
  })
})

describe('guard of a reply', () => {
  const options = { redact: ['secret', /\bsk-\w+\b/] }
  const openai = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
  const call = (name, args) => ({ tool_calls: [{ index: 0, id: `id-${name}`, type: 'function', function: { name, arguments: args } }] })

  /** All emissions of a reply, what they say, and its result. */
  async function read(reply) {
    const emissions = []
    for await (const emission of reply) emissions.push(emission)
    const joined = (type) => emissions.filter(({ kind, meta }) => kind === 'content' && meta.type === type).map(({ text }) => text).join('')
    const blocks = emissions.flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block] : []))
    return { emissions, text: joined('text'), thinking: joined('thinking'), blocks, result: await reply.result() }
  }

  test('emissions, soFar, blocks and the result agree, however the text is cut', async () => {
    const text = '<think>a secret</think>It is sk-abc, se<invoke name="run"><parameter name="b">secret</parameter></invoke>cret.'
    for (let at = 0; at <= text.length; at++) {
      const reply = guard(readReply([text.slice(0, at), text.slice(at)]), options)
      assert.ok(reply instanceof Reply)
      const { text: said, thinking, blocks, result } = await read(reply)
      assert.deepEqual([said, thinking], ['It is [redacted], secret.', 'a [redacted]'])
      assert.deepEqual([result.text, result.thinking, result.blocks], ['It is [redacted], se cret.'.replace('e c', 'ec'), thinking, blocks])
      assert.deepEqual(blocks.map(({ type, content, input }) => [type, content ?? input]), [['thinking', 'a [redacted]'], ['text', 'It is [redacted], se'], ['tool_call', { b: 'secret' }], ['text', 'cret.']])
      assert.deepEqual(result.toolCalls.map(({ args }) => args), [{ b: 'secret' }])
    }
  })
  test('soFar has what was emitted', async () => {
    const reply = guard(readReply(['a sec', 'ret and', ' sec']), options)
    const seen = []
    for await (const { kind } of reply) if (kind === 'content') seen.push(reply.soFar.text)
    assert.deepEqual(seen, ['a', 'a [redacted] and', 'a [redacted] and', 'a [redacted] and sec'].map((text, at) => (at === 2 ? 'a [redacted] and' : text)))
  })
  test('only what `in` names', async () => {
    const text = '<think>secret</think>secret'
    for (const [kinds, expected] of [[['text'], ['secret', '[redacted]']], [['thinking'], ['[redacted]', 'secret']], [[], ['secret', 'secret']]]) {
      const { thinking, text: said } = await guard(readReply(text), { ...options, in: kinds }).result()
      assert.deepEqual([thinking, said], expected)
    }
  })
  test('arguments on request: the values, when the call is whole', async () => {
    const events = [openai(call('run', '{"a": "sec')), openai(call('', 'ret", "n": [1, {"secret": "\\u0073ecret"}]}')), openai({}, 'tool_calls')]
    events[1].choices[0].delta.tool_calls[0] = { index: 0, function: { arguments: events[1].choices[0].delta.tool_calls[0].function.arguments } }
    const args = { a: '[redacted]', n: [1, { secret: '[redacted]' }] }
    const { emissions, result } = await read(guard(readReply(events), { ...options, in: ['arguments'] }))
    assert.deepEqual(emissions.filter(({ meta }) => meta?.toolCallPart === 'input').map(({ text }) => text), [JSON.stringify(args)])
    assert.deepEqual([result.blocks[0].input, result.toolCalls.map(({ args, input }) => [args, JSON.parse(input)]), result.finishReason], [args, [[args, args]], 'tool-calls'])
    assert.match(JSON.stringify(result.message), /secret/)
    const plain = await read(guard(readReply(events), options))
    assert.deepEqual(plain.result.toolCalls[0].args.a, 'secret')
    const cut = await guard(readReply([events[0], openai({}, 'length')]), { ...options, redact: ['sec'], in: ['arguments'] }).result()
    assert.deepEqual([cut.toolCalls, cut.problems[0].metadata.toolCall, cut.blocks[0].content], [[], '{"a": "[redacted]', '{"a": "[redacted]'])
    assert.equal(cut.blocks[0].incomplete, true)
  })
  test('a stop: no calls, no message, and the source is cancelled', async () => {
    const source = counted([openai(call('run', '{}')), openai({ content: 'Hello STO' }), openai({ content: 'P more' }), openai({ content: 'never' }), openai({}, 'tool_calls')])
    const reply = guard(readReply(source.stream), { stop: ['STOP'] })
    const { text, blocks, result } = await read(reply)
    assert.deepEqual([text, result.text, result.finishReason, result.toolCalls], ['Hello ', 'Hello ', 'content-filter', []])
    assert.deepEqual(result.stopped, { reason: 'stop', text: 'STOP', offset: 6 })
    assert.deepEqual(reply.stopped, result.stopped)
    assert.deepEqual(result.problems.map(({ metadata }) => metadata.dropReason), ['interrupted'])
    assert.deepEqual(result.blocks, blocks)
    assert.deepEqual([result.message, result.journal], [undefined, undefined])
    assert.notEqual(source.seen.cancelled, undefined)
  })
  test('a stop in arguments: the call is not whole', async () => {
    const { emissions, result } = await read(guard(readReply([openai(call('run', '{"a": "x STOP y"}')), openai({}, 'tool_calls')]), { stop: ['STOP'], in: ['arguments'] }))
    assert.doesNotMatch(JSON.stringify(emissions), /STOP/)
    assert.deepEqual([result.toolCalls, result.blocks, result.finishReason], [[], [{ type: 'tool_call', toolId: 'id-run', toolName: 'run', incomplete: true }], 'content-filter'])
  })
  test('respond ends with content-filter after a stop: nothing that follows is said, and no call is to be run', async () => {
    const why = 'A call of "run" was whole, but the reply broke off, and it was not run.'
    const said = (rows) => ['start', 'start-step', ...rows, 'finish-step', 'finish content-filter']
    const hello = ['text-start 1', 'text-delta 1 Hello ', 'text-end 1']
    const begun = 'tool-input-start id-run run dynamic'
    const CASES = [
      [[openai({ content: 'Hello STO' }), openai({ content: 'P more' }), openai({ content: 'never' }), openai(call('run', '{}'))], ['content Hello '], hello],
      [[openai({ content: 'Hello STOP more' }), openai({}, 'stop')], ['content Hello '], hello],
      [[openai({ reasoning_content: 'hm STOP more' }), openai({ content: 'never' })], ['reasoning_content hm '], ['reasoning-start 1', 'reasoning-delta 1 hm ', 'reasoning-end 1']],
      [[openai(call('run', '{"a": "x STOP y"}')), openai({ content: 'never' }), openai({}, 'tool_calls')], ['call 0 id-run run', 'input 0 {'], [begun, 'tool-input-error id-run run "" The call was not run. dynamic']],
      // What was said before the stop stays said.
      [[openai(call('run', '{}')), openai({ content: 'Hello STOP' }), openai({}, 'tool_calls')], ['call 0 id-run run', 'input 0 {}', 'content Hello '], [begun, 'tool-input-delta id-run {}', 'tool-input-available id-run run {} dynamic', ...hello, `tool-output-error id-run ${why} dynamic`]],
    ]
    for (const [events, openAi, aiSdk] of CASES)
      for (const [protocol, expected] of [['openai', ['role', ...openAi, 'content_filter']], ['aiSdk', said(aiSdk)]]) {
        const response = await respond(guard(readReply(events), { stop: ['STOP'], in: ['text', 'thinking', 'arguments'] }), protocol)
        const data = (await response.text()).split('\n\n').filter((line) => line !== '').map((line) => line.slice('data: '.length))
        assert.equal(data.pop(), '[DONE]')
        assert.deepEqual(rowsOf(protocol, data.map((one) => JSON.parse(one))), expected)
      }
  })
  test('with calls that come whole, a stop in the only one ends the answer as a stop in text does', async () => {
    const events = [openai(call('run', '{"a": "x STOP y"}')), openai({}, 'tool_calls')]
    for (const [protocol, expected] of [['openai', ['role', 'content_filter']], ['aiSdk', ['start', 'start-step', 'finish-step', 'finish content-filter']], ['agUi', ['RUN_STARTED t r', 'RUN_FINISHED t r content-filter']]])
      assert.deepEqual(rowsOf(protocol, await all(protocolEvents(guard(readReply(events), { stop: ['STOP'], in: ['arguments'] }), protocol, { calls: 'whole', threadId: 't', runId: 'r' }))), expected)
  })
  test('errors have what was guarded', async () => {
    const broken = (async function* () { yield openai({ content: 'a secret and sec' }); throw new Error('line down') })()
    const error = await guard(readReply(broken), options).result().catch((error) => error)
    assert.deepEqual([error.message, error.partial.text, error.partial.blocks.map(({ content }) => content)], ['line down', 'a [redacted] and sec', ['a [redacted] and sec']])
    const stop = new AbortController()
    const reply = guard(readReply((async function* () { yield 'a secret and sec'; await new Promise(() => {}) })(), { signal: stop.signal }), options)
    await reply.next()
    await reply.next()
    stop.abort(new Error('enough'))
    const aborted = await reply.result().catch((error) => error)
    assert.deepEqual([aborted.message, aborted.partial.blocks], ['enough', [{ type: 'text', content: 'a [redacted] and sec' }]])
  })
  test('text that turned out to be thinking', async () => {
    const { text, thinking, blocks } = await guard(readReply(['a secret, sec', '</think>ret'], { unopenedThinking: 'report' }), options).result()
    assert.deepEqual([text, thinking, blocks], ['ret', 'a [redacted], sec', [{ type: 'text', content: 'a [redacted], secret' }]])
  })
  test('a step that is asked again', async () => {
    const said = (delta) => ({ type: 'text-delta', id: '1', delta })
    const { text, blocks } = await guard(readReply([{ type: 'start-step' }, said('a secret'), { type: 'finish-step' }, { type: 'start-step' }, said('sec'), { type: 'reset-step' }, said('b secret'), { type: 'finish', finishReason: 'stop' }]), options).result()
    assert.match(text, /^a \[redacted\]\s*b \[redacted\]$/)
    assert.deepEqual(blocks.map(({ content }) => content).join(''), 'a [redacted]b [redacted]')
  })
  test('of a guarded one; what a loop reads is refused', async () => {
    const twice = guard(guard(readReply('a secret b'), options), { redact: ['b'] })
    assert.equal((await twice.result()).text, 'a [redacted] [redacted]')
    const reply = readReply('a')
    reply[Symbol.asyncIterator]()
    assert.throws(() => guard(reply, options), { name: 'TypeError', message: /read once/ })
  })
  test('white space around markup is that of the reply', async () => {
    const text = 'a  <think>x</think>\n\n secret'
    for (const trimMarkup of [true, false]) assert.equal((await guard(readReply(text, { trimMarkup }), options).result()).text, (await readReply(text, { trimMarkup }).result()).text.replace('secret', '[redacted]'))
  })
})
