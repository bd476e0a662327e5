// The example programs print the expected output, and the list of examples is
// complete. Examples that communicate have separate tests.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { castsIn } from '../support/casts.mjs'
import { folder, run, runBeside } from './running.mjs'

/** Runs an example that must succeed, and returns its lines. */
function linesOf(name, ...args) {
  const { status, stdout, stderr } = run(name, args)
  assert.equal(stderr, '')
  assert.equal(status, 0)
  return stdout.trimEnd().split('\n')
}

test('README.md names each example once, and each has a head comment that names it', () => {
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  const examples = entries.filter((name) => !/^(README.md|node_modules\/?)$/.test(name)).sort()
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
  assert.deepEqual([...list.matchAll(/^\| \[`([^`]+)`\]\(([^)]+)\) \|/gm)].map(([, name, link]) => (name === link ? name : `${name} → ${link}`)).sort(), examples)
  for (const name of examples.filter((name) => /\.(mjs|html)$/.test(name))) {
    const [head] = readFileSync(join(folder, name), 'utf8').split(/\nimport |<html/)
    assert.match(head, name.endsWith('.html') ? /node examples\/serve\.mjs/ : new RegExp(`node examples/${name}`), name)
  }
})

test('no example has a cast', () => {
  const sources = readdirSync(folder, { recursive: true }).filter((name) => /\.(m?js|tsx?)$/.test(name) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(name))
  assert.ok(sources.length > 20)
  assert.deepEqual(sources.flatMap((name) => castsIn(readFileSync(join(folder, name), 'utf8'), name.split('.').at(-1)).map((cast) => `${name}: ${cast}`)), [])
})

test('agent-loop.mjs: two calls and the answer, through the chat API and with a prompt of text', () => {
  const loop = ['  weather {"city":"Porto"}', '  weather {"city":"Oslo"}', 'Neither: it is 12 °C in both.']
  assert.deepEqual(linesOf('agent-loop.mjs'), ['chat:', ...loop, 'raw:', ...loop])
})

test('membrane.mjs: two stops, one of them false, two calls, and a stop that the provider missed', () => {
  assert.deepEqual(linesOf('membrane.mjs'), [
    'show   0 " Let me check. "',
    'done   0 text',
    'hide   1 "The log says:"',
    'done   1 thinking',
    'resume in thinking(1)',
    'hide   2 " is it cold?"',
    'done   2 thinking',
    'hide   3 "\\n"',
    'hide   3 "\\n"',
    'hide   3 "Zür"',
    'hide   3 "ich"',
    'hide   3 "\\n"',
    'hide   3 "\\n"',
    'hide   3 "\\n"',
    'done   3 tool_call',
    'run    weather {"city":"Zürich"}',
    'run    radar {}',
    'done   4 tool_result',
    'show   5 "It is <b>cold</b>: 5 < 7"',
    'show   5 " degrees."',
    'done   5 text',
    'spoken " Let me check. It is <b>cold</b>: 5 < 7 degrees."',
    'sent   487 characters, no block is open',
    'store  text "Let me check."',
    'store  thinking "The log says:\\nUser: is it cold?"',
    'store  tool_use {"weather":{"city":"Zürich"}}',
    'store  tool_use {"radar":{}}',
    'store  tool_result "5 degrees in Zürich, wind < 10 km/h"',
    'store  tool_result "the radar is off"',
    'store  text "It is <b>cold</b>: 5 < 7 degrees."',
  ])
})

for (const [name, args, said] of [
  ...['fields.mjs', 'edits.mjs', 'segments.mjs'].flatMap((name) => ['0', 'x'].map((size) => [name, ['--chunk', size], `--chunk takes a whole number from 1, but got "${size}".\n`])),
  ['segments.mjs', ['nowhere.txt'], "nowhere.txt can't be read (ENOENT).\n"],
]) {
  test(`${name} ${args.join(' ')} is misuse`, () => {
    const { status, stdout, stderr } = run(name, args)
    assert.deepEqual([status, stdout, stderr], [2, '', said])
  })
}

describe('fields.mjs', () => {
  for (const size of ['1', '3', '1000']) {
    test(`cut into pieces of ${size}`, () => {
      assert.deepEqual(linesOf('fields.mjs', '--chunk', size), [
        '✓ guest.name   Zoë Okafor',
        '✓ guest.email  zoe@example.org',
        '✓ nights       3',
        '  + room 12, garden',
        '  + room 14, sea 🌊',
        '✓ note         Late arrival, "after ten".',
        '2 rooms, 3 nights for Zoë Okafor; read by: comment, trailing-comma',
      ])
    })
  }
})

describe('edits.mjs', () => {
  const shown = ['  I correct it.', 'greet.py', '- "Helo "', '+ "Hello, "', 'USAGE.md', '+ # Usage', '+', `+     python3 -c "import greet; print(greet.greet('Zoë'))"`]
  const cut = ['  One more thing:', '✗ write_file: the text ends in an edit; at 19', '']

  for (const size of ['1', '4', '1000'])
    test(`approved, in pieces of ${size}: both calls run, and not the one that is cut off`, () => {
      assert.deepEqual(linesOf('edits.mjs', '--yes', '--chunk', size), [
        ...shown,
        '→ greet.py is written',
        '→ USAGE.md is written',
        ...cut,
        'greet.py',
        '  def greet(name):',
        '      return "Hello, " + name',
        '',
        'USAGE.md',
        '  # Usage',
        '  ',
        `      python3 -c "import greet; print(greet.greet('Zoë'))"`,
      ])
    })

  for (const args of [['--no'], []])
    test(`${args.join() || 'without a terminal'}: all is shown, and nothing changes`, () => {
      assert.deepEqual(linesOf('edits.mjs', ...args), [...shown, '→ greet.py stays as it was', '→ USAGE.md stays as it was', ...cut, 'greet.py', '  def greet(name):', '      return "Helo " + name'])
    })

  test('old text is red, new text is green', () => {
    const { stdout } = run('edits.mjs', ['--no', '--chunk', '1000'], { env: { FORCE_COLOR: '1' } })
    assert.match(stdout, /\u001b\[31mHelo \u001b/)
    assert.match(stdout, /\u001b\[32mHello, \u001b/)
  })
})

test('demo.mjs: XML and native events give the same blocks', () => {
  const lines = linesOf('demo.mjs')
  assert.ok(lines.includes('Both roads gave the same blocks.'), lines.join('\n'))
  assert.ok(lines.length > 20)
})

describe('ai-sdk.mjs', () => {
  const said = [
    "I'll look first.",
    '',
    '→ read_notes {"folder":"lists"}',
    '← {"lists/shopping.md":"milk"}',
    'Only "milk" is there, so I add two lines.',
    '',
    '→ write_note {"path":"lists/shopping.md","content":"milk\\nbread\\n2 lemons","version":2}',
    '← {"lines":3}',
    'Done: bread and two lemons are on your list.',
    '',
    'lists/shopping.md',
    '  milk',
    '  bread',
    '  2 lemons',
    '',
    '2 calls in 3 steps, 0 failed; tolerated errors: write_note: single-quotes, raw-control',
  ]

  test('calls of a model without native tool calling', () => assert.deepEqual(linesOf('ai-sdk.mjs'), said))

  test('a server that speaks chat completions', async (t) => {
    const asked = []
    const answers = ['Look. <tool_call>{"name": "read_notes", "arguments": {"folder": "lists"}}</tool_call>', 'Milk.\u001b[2J']
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const text of request.setEncoding('utf8')) body += text
      asked.push({ url: request.url, authorization: request.headers.authorization, ...JSON.parse(body) })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const content of answers[asked.length - 1].match(/.{1,7}/gs)) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
      response.end('data: {"choices":[]}\n\ndata: [DONE]\n\n')
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { status, stdout, stderr } = await runBeside('ai-sdk.mjs', ['What is on my list?'], { MODEL: 'played', OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`, OPENAI_API_KEY: 'key' })
    assert.deepEqual([status, stderr], [0, ''])
    assert.ok(stdout.startsWith('Look. \n→ read_notes {"folder":"lists"}\n← {"lists/shopping.md":"milk"}\nMilk.�[2J\n'), stdout)
    assert.deepEqual(asked.map(({ url, authorization, model, stream }) => [url, authorization, model, stream]), Array(2).fill(['/v1/chat/completions', 'Bearer key', 'played', true]))
    assert.match(asked[0].messages[0].content, /read_notes/, 'the tools are in the prompt')
    assert.match(asked[0].messages.at(-1).content, /What is on my list\?/)
    assert.match(JSON.stringify(asked[1].messages), /tool_response/, 'the result is in the prompt')
  })

  test('an unreachable server', () => {
    const { status, stderr } = run('ai-sdk.mjs', [], { env: { MODEL: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })
    assert.equal(status, 1)
    assert.match(stderr, /^\nThe model failed: .+\n$/)
  })
})
