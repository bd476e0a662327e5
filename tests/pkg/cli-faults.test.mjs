// `npx tokenweir` on bad input and misuse: an exit code and one sentence, after the
// events that it could print.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { run } from './support/command-line.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tokenweir-cli-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'broken.json'), '{"a": \n oops}')
writeFileSync(join(folder, 'number.json'), '5')
writeFileSync(join(folder, 'nothing.json'), '{"allOf": [{"type": "array"}, {"type": "object"}]}')
writeFileSync(join(folder, 'empty.json'), '[]')
writeFileSync(join(folder, 'look.json'), '["look"]')
writeFileSync(join(folder, 'nameless.json'), '[{"parameters": {}}]')

const FAULT = 1
const USE = 2
const chunk = (content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] })
const sse = (...events) => events.map((event) => `data: ${event}\n\n`).join('')

const UNKNOWN = 'line 1 of the recording is not an event of a known provider; --input text reads the input as text'

/** Arguments, input, exit code, the message, and the stdout before it. */
const CASES = [
  // Misuse.
  [['bloks'], '', USE, "unknown command 'bloks' (Did you mean blocks?); the commands are blocks, segments, fields, tool-calls, visible"],
  [['answer.txt'], '', USE, "unknown command 'answer.txt'; the commands are blocks, segments, fields, tool-calls, visible"],
  [['blocks', '--jsom'], '', USE, "unknown option '--jsom' (Did you mean --json?)"],
  [['--jsom'], '', USE, "unknown option '--jsom'"],
  [['visible', '--strategy', 'xml'], '', USE, "unknown option '--strategy'"],
  [['blocks', 'one', 'two'], '', USE, "too many arguments for 'blocks'. Expected 1 argument but got 2."],
  [['blocks', '--chunk'], '', USE, "option '--chunk <units>' argument missing"],
  [['blocks', '--chunk', '0'], '', USE, "option '--chunk <units>' argument '0' is invalid. It must be a whole number from 1 to 2147483647."],
  [['blocks', '--chunk', '2.5'], '', USE, "option '--chunk <units>' argument '2.5' is invalid. It must be a whole number from 1 to 2147483647."],
  [['blocks', '--input', 'xml'], '', USE, "option '--input <format>' argument 'xml' is invalid. Allowed choices are auto, text, sse, ndjson, json."],
  [['segments', '--strategy', 'yaml'], '', USE, "option '--strategy <name>' argument 'yaml' is invalid. Allowed choices are xml, json, sentinel, api_tool_call, native."],
  [['blocks', '--json', '--color'], '', USE, "option '--json' cannot be used with option '--color'"],
  [['blocks', '--tags', 'think'], '', USE, "option '--tags <name=role>' argument 'think' is invalid. It must be a tag and its role, such as think=thinking."],
  [['blocks', '--tags', 'think=thougt'], '', USE, 'BlockParser: tags: "think" has the unknown role "thougt"; the roles are thinking, function_calls, function_results, invoke, parameter, result and error'],
  [['visible', '--tags', '1=thinking'], '', USE, /^BlockParser: tags: "1" is not a tag name/],
  [['fields', '--completion', 'order', '--spans'], '', USE, /^StreamingJSONParser\.spans needs completion/],
  [['tool-calls', '--format', 'kimi-k3000'], '', USE, /^ToolCallParser: .*"kimi-k3000"/],
  [['tool-calls', '--format', 'hermes', '--protocol', 'hermes'], '', USE, "option '--format <id>' cannot be used with option '--protocol <name>'"],
  ...['visible', 'blocks'].flatMap((command) => [
    [[command, '--format', 'hermez'], '', USE, /^readReply: .*"hermez"/],
    [[command, '--format', 'hermes', '--model', 'qwen3'], '', USE, "option '--format <id>' cannot be used with option '--model <name>'"],
    [[command, '--model', 'qwen3', '--tags', 'a=thinking'], '', USE, "option '--model <name>' cannot be used with option '--tags <name=role>'"],
    [[command, '--prefill', '<think>'], '', USE, '--prefill needs --format or --model, which reads it'],
  ]),
  [['blocks', '--format', 'hermes', '--spans'], '', USE, "option '--format <id>' cannot be used with option '--spans'"],
  [['visible', '--format', 'hermes'], `${sse(chunk('a'))}data: {"choices": [{oops\n\n`, FAULT, /^line 3 of the recording is not valid JSON: /, 'a'],
  [['tool-calls', '--prefill', '<think>'], '', USE, '--prefill needs --format, which reads it'],
  [['tool-calls', '--protocol', 'morph-xml'], '', USE, '--protocol morph-xml needs --tools: the names of the tools are its tags'],
  [['visible', '--chunk', '3'], sse(chunk('a')), USE, '--chunk cuts raw text, and this input is a recording (sse); --input text reads it as text'],
  [['grammar', '--format', 'yaml-xml', '--tools', join(folder, 'look.json')], '', USE, /yaml/],
  [['grammar', '--format', 'hermis'], '', USE, /there is no format "hermis"/],
  [['grammar', '--format', 'hermes', '--tools', join(folder, 'look.json'), '--tool-choice', 'find'], '', USE, /there is no "find"/],
  [['grammar'], '', USE, /--format/],

  // Files.
  [['blocks', 'no-such.txt'], '', FAULT, 'no-such.txt: no such file'],
  [['blocks', folder], '', FAULT, `${folder}: is a folder, not a file`],
  [['blocks', join(folder, 'broken.json', 'x')], '', FAULT, /: no such file$/],
  [['fields', '--schema', 'no-such.json'], '', FAULT, 'no-such.json: no such file'],
  [['fields', '--schema', join(folder, 'broken.json')], '', FAULT, /broken\.json is not valid JSON: .+/],
  [['fields', '--schema', join(folder, 'number.json')], '', FAULT, /number\.json: schema must be .*but is number 5$/],
  [['fields', '--schema', join(folder, 'nothing.json')], '', FAULT, /nothing\.json: schema must describe a value, but describes nothing$/],
  [['segments', '--tools', folder], '', FAULT, /: is a folder, not a file$/],
  [['tool-calls', '--tools', join(folder, 'number.json')], '', FAULT, /number\.json: tools must be an array of tools or an object of them by name, but is number 5$/],
  [['blocks', '--tools', join(folder, 'nameless.json')], '', FAULT, /nameless\.json: tools\[0\] must have a name that is a string, but it is undefined$/],
  [['tool-calls', '--tools', join(folder, 'empty.json')], '', FAULT, /empty\.json contains no tools$/],

  // Recordings. Everything before the error is printed.
  [['visible'], `${sse(chunk('a'))}data: {"choices": [{oops\n\n`, FAULT, /^line 3 of the recording is not valid JSON: /, 'a'],
  [['visible'], `${sse(chunk('a'))}data: {"choices": [`, FAULT, /^line 3 of the recording is not valid JSON: /, 'a'],
  [['visible'], `${chunk('a')}\n\n${chunk('b')}\n{"choices"\n${chunk('c')}\n`, FAULT, /^line 4 of the recording is not valid JSON: /, 'ab'],
  [['visible'], `${chunk('a')}\n[1]\n`, FAULT, 'line 2 of the recording must be a JSON object, but is "[1]"', 'a'],
  [['visible'], `${sse(chunk('a'))}${'<html> '.repeat(20)}\n`, FAULT, /^line 3 of the recording is not a server-sent event: "<html> .{52}…"$/, 'a'],
  [['visible', '--input', 'ndjson'], 'Hello\n', FAULT, /^line 1 of the recording is not valid JSON: /],
  [['visible', '--input', 'ndjson'], '{"a": 1}\n', FAULT, UNKNOWN],
  [['blocks'], 'data: {"a": 1}\n\n', FAULT, UNKNOWN],
  [['fields', '--input', 'json'], '{"a": 1}', FAULT, UNKNOWN],
  [['visible', '--input', 'json'], '{"a": ', FAULT, /^line 1 of the recording is not valid JSON: /],
  [['visible', '--input', 'sse'], 'Hello\n', FAULT, 'line 1 of the recording is not a server-sent event: "Hello"'],
  [['segments'], `${sse(chunk('a <run_bash>l'))}data: oops\n\n`, FAULT, /^line 3 of the recording is not valid JSON: /, /error +unterminated: .*\n$/],
  [['blocks'], sse(JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a":' } }] } }] }), 'oops'), FAULT, /^line 3 /, /complete "\{\\"a\\":" \(incomplete\)\n$/],

  // Errors of providers.
  [['visible'], sse(JSON.stringify({ type: 'message_start' }), JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })), FAULT, 'line 3 of the recording is an error from the provider: overloaded_error: Overloaded'],
  [['visible'], sse(chunk('a'), JSON.stringify({ error: { message: 'Quota', type: 'insufficient_quota', code: 429 } })), FAULT, 'line 3 of the recording is an error from the provider: insufficient_quota: Quota', 'a'],
  [['visible'], sse(JSON.stringify({ error: { message: 'Bad key', type: 'invalid_request_error' } })), FAULT, 'line 1 of the recording is an error from the provider: invalid_request_error: Bad key'],
  [['visible'], `${JSON.stringify({ type: 'response.failed', response: { error: { code: 'server_error', message: 'Sorry' } } })}\n`, FAULT, 'line 1 of the recording is an error from the provider: server_error: Sorry'],
  [['visible'], sse(JSON.stringify({ type: 'text-delta', id: '0', delta: 'a' }), JSON.stringify({ type: 'error', errorText: 'Oh' })), FAULT, 'line 3 of the recording is an error from the provider: Oh', 'a'],
  [['visible'], `${JSON.stringify({ type: 'start' })}\n${JSON.stringify({ type: 'error', error: {} })}\n`, FAULT, 'line 2 of the recording is an error from the provider: no reason given'],
]

describe('faults', { concurrency: 4 }, () => {
  for (const [args, input, exitCode, sentence, before = ''] of CASES) {
    test(`${args.map((arg) => arg.replace(folder, '')).join(' ')} of ${JSON.stringify(input)}`, async () => {
      const { stdout, stderr, code } = await run(args, input)
      assert.equal(stderr.replace(/^tokenweir: /, '').split('\n').length, 2, `one line: ${stderr}`)
      assert.ok(stderr.startsWith('tokenweir: ') && stderr.endsWith('\n'), stderr)
      const said = stderr.slice('tokenweir: '.length, -1)
      if (typeof sentence === 'string') assert.equal(said, sentence)
      else assert.match(said, sentence)
      if (typeof before === 'string') assert.equal(stdout, before)
      else assert.match(stdout, before)
      assert.equal(code, exitCode)
    })
  }

  test('a strategy in the environment that there isn’t', async () => {
    const { stdout, stderr, code } = await run(['segments'], 'a', { env: { AUTOBYTEUS_STREAM_PARSER: 'yaml' } })
    assert.match(stderr, /^tokenweir: the environment variable AUTOBYTEUS_STREAM_PARSER must be xml, .* but is string "yaml"\n$/)
    assert.deepEqual([stdout, code], ['', USE])
  })

  test('without a command it shows its help', async () => {
    const { stdout, stderr, code } = await run([])
    assert.match(stderr, /^Usage: tokenweir <command>/)
    assert.deepEqual([stdout, code], ['', USE])
  })

  test('text is never an error', async () => {
    for (const command of ['blocks', 'segments', 'fields', 'tool-calls', 'visible']) {
      const { stderr, code } = await run([command], Buffer.from([0xff, 0xfe, 0x3c, 0x7b, 0xc3]))
      assert.deepEqual([stderr, code], ['', 0], command)
    }
  })
})
