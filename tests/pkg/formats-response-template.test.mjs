// `fromResponseTemplate`: what of Hugging Face's response_template becomes a format, and
// how the rest is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formats, fromResponseTemplate } from 'tokenweir/formats'
import { readReply } from './support/format-naive.mjs'

const transform = { type: 'function', function: { name: '{name}', arguments: '{content}' } }
const call = { open_pattern: '<call:(?P<name>\\w+)>', close: '</call>', repeats: true, content: 'json', transform }

// The three that transformers and vLLM test with (vllm 0.33.0 tests/parser/test_chat_parsing.py).
const COHERE = {
  defaults: { role: 'assistant' },
  start_anchor: '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>',
  fields: {
    content: { open: '<|START_RESPONSE|>', close: '<|END_RESPONSE|>', content: 'text' },
    thinking: { open: '<|START_THINKING|>', close: '<|END_THINKING|>', content: 'text' },
    tool_calls: { open: '<|START_ACTION|>', close: '<|END_ACTION|>', content: 'json', transform_each: true, transform: { type: 'function', function: { name: '{tool_name}', arguments: '{parameters}' } } },
  },
}
const GPT_OSS = {
  defaults: { role: 'assistant' },
  start_anchor: '<|start|>assistant',
  fields: {
    thinking: { open: '<|channel|>analysis<|message|>', close: '<|end|>', content: 'text' },
    content: { open: '<|channel|>final<|message|>', close: '<|end|>', content: 'text' },
    tool_calls: { open_pattern: '<\\|channel\\|>commentary to=functions\\.(?P<name>\\w+).*?<\\|message\\|>', close: '<|call|>', repeats: true, content: 'json', transform },
  },
}
const GEMMA = {
  defaults: { role: 'assistant' },
  start_anchor: ['<|turn>model\n', '<tool_response|>'],
  fields: {
    thinking: { open: '<|channel>thought\n', close: '<channel|>', content: 'text' },
    tool_calls: { open_pattern: '<\\|tool_call>call:(?P<name>\\w+)', close: '<tool_call|>', repeats: true, content: 'json', content_args: { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] }, transform },
    content: { close: ['<turn|>', '<|tool_response>', '<eos>'], content: 'text' },
  },
}
const QWEN_CODER = {
  fields: {
    tool_calls: {
      open_pattern: '<tool_call>\\s*<function=(?P<name>[^>]+)>',
      close_pattern: '</function>\\s*',
      repeats: true,
      content: 'xml-inline',
      content_args: { tag_pattern: '<parameter=(?P<key>[^>]+)>\\n?(?P<value>.*?)\\n?</parameter>', value_parser: 'json', merge_duplicates: true },
      transform,
    },
    content: { content: 'text' },
  },
}

const read = (template, text) => {
  const { calls, reasoning, text: answer } = readReply(text, { row: fromResponseTemplate(template) })
  return [calls.map(({ name, arguments: input }) => [name, input]), reasoning, answer]
}

describe('templates of models', () => {
  test('Cohere', () => {
    const { call, keys, answer, reasoning } = fromResponseTemplate(COHERE)
    assert.deepEqual(call, { open: ['<|START_ACTION|>'], close: ['<|END_ACTION|>'], body: 'json' })
    assert.deepEqual(keys, { name: ['tool_name'], args: ['parameters'] })
    assert.deepEqual(answer, [{ open: ['<|START_RESPONSE|>'], close: ['<|END_RESPONSE|>'] }])
    assert.deepEqual(reasoning, { open: ['<|START_THINKING|>'], close: ['<|END_THINKING|>'], prefilled: 'sometimes', where: 'anywhere' })
    assert.deepEqual(read(COHERE, formats.cohere.sample), [[['get_weather', { location: 'Paris' }]], 'REASON', ''])
    assert.deepEqual(read(COHERE, '<|START_RESPONSE|>FINAL<|END_RESPONSE|>'), [[], '', 'FINAL'])
  })

  test('gpt-oss, whose fields are messages', () => {
    assert.deepEqual(fromResponseTemplate(GPT_OSS).messages, {
      open: ['<|start|>assistant'],
      begins: ['<|channel|>'],
      headEnd: ['<|message|>'],
      close: ['<|call|>', '<|end|>'],
      routes: [
        { has: ['<|channel|>commentary to=functions.'], name: ['<|channel|>commentary to=functions.'], kind: 'call' },
        { has: ['<|channel|>analysis<|message|>'], kind: 'reasoning' },
        { has: ['<|channel|>final<|message|>'], kind: 'text' },
      ],
    })
    assert.deepEqual(read(GPT_OSS, formats.harmony.sample), [[['get_weather', { location: 'Paris' }]], 'REASON', ''])
    assert.deepEqual(read(GPT_OSS, '<|channel|>analysis<|message|>R<|end|><|start|>assistant<|channel|>final<|message|>F<|end|>'), [[], 'R', 'F'])
  })

  test('Gemma 4', () => {
    const { call, drop } = fromResponseTemplate(GEMMA)
    assert.deepEqual(call, { open: ['<|tool_call>call:'], close: ['<tool_call|>'], head: ['NAME'], body: 'brace', quote: '<|"|>' })
    assert.deepEqual(drop, ['<turn|>', '<|tool_response>', '<eos>'])
    assert.deepEqual(read(GEMMA, `<|channel>thought\nR<channel|>${formats.gemma4.sample}T<turn|>`), [[['get_weather', { location: 'Paris' }]], 'R', 'T'])
  })

  test('Qwen3-Coder', () => {
    const { call, params, untyped } = fromResponseTemplate(QWEN_CODER)
    assert.deepEqual(call, { open: ['<tool_call>'], close: ['</function>'], head: ['<function=', 'NAME', '>'], body: 'params' })
    assert.deepEqual(params, { open: ['<parameter='], head: ['KEY', '>'], close: ['</parameter>'], trim: 'line', duplicate: 'list' })
    assert.equal(untyped, 'json')
    assert.deepEqual(read(QWEN_CODER, '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\nx\n</parameter>\n</function>')[0], [['f', { a: 1, b: 'x' }]])
  })
})

describe('templates of the documentation', () => {
  test('a payload that is the function', () => {
    const fields = (name, transform) => ({
      [name]: { open: '<think>', close: '</think>', content: 'text' },
      tool_calls: { open: '<tool_call>', close: '</tool_call>', repeats: true, content: 'json', transform },
      content: { close: '<|im_end|>', content: 'text' },
    })
    const text = '<think>\nR\n</think>\n\n<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>\n<tool_call>{"name": "g", "arguments": {}}</tool_call><|im_end|>'
    for (const name of ['thinking', 'reasoning_content', 'reasoning']) {
      for (const transform of [{ type: 'function', function: '{content}' }, '{content}', undefined]) {
        const [calls, reasoning, answer] = read({ defaults: { role: 'assistant' }, start_anchor: '<|im_start|>assistant\n', fields: fields(name, transform) }, text)
        assert.deepEqual([calls, reasoning.trim(), answer.trim()], [[['f', { a: 1 }], ['g', {}]], 'R', ''])
      }
    }
  })

  test('a parser of values with a name', () => {
    const template = (args) => ({
      fields: {
        tool_calls: {
          open_pattern: '<tool_call>\\s*<function=(?P<name>\\w+)>',
          close: '</tool_call>',
          repeats: true,
          content: 'xml-inline',
          content_args: { tag_pattern: '<parameter=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</parameter>', ...args },
          transform,
        },
      },
    })
    const text = 'A<tool_call><function=f><parameter=a>London</parameter><parameter=b> 2 </parameter></function></tool_call>B'
    const json = { value_parser: { name: 'json', args: { allow_non_json: true } } }
    assert.deepEqual(read(template(json), text), [[['f', { a: 'London', b: 2 }]], '', 'AB'])
    assert.deepEqual(read(template({ value_parser: { name: 'text' } }), text)[0], [['f', { a: 'London', b: '2' }]])
    assert.deepEqual(read(template({}), text)[0], [['f', { a: 'London', b: '2' }]])
  })
})

describe('is taken', () => {
  const of = (fields, more) => fromResponseTemplate({ fields, ...more })

  test('as JSON text, with a name', () => {
    const format = fromResponseTemplate(JSON.stringify(COHERE), { id: 'mine' })
    assert.equal(format.id, 'mine')
    assert.ok(Object.isFrozen(format.call))
  })

  test('with a version, defaults and an anchor that is a pattern', () => {
    assert.equal(of({ tool_calls: call }, { version: 1, defaults: {}, start_anchor_pattern: 'a.*' }).call.body, 'args')
  })

  test('thinking that nothing opens', () => {
    assert.deepEqual(of({ thinking: { close: '</think>' }, content: { open: '<response>', close: '</response>' } }).reasoning, { open: [], close: ['</think>'], prefilled: 'always', where: 'anywhere' })
  })

  test('JSON with names and ids in it', () => {
    assert.deepEqual(of({ tool_calls: { open: ['<a>', '<b>'], content: 'json' } }).keys, { name: ['name'], args: ['arguments'] })
    const { keys } = of({ tool_calls: { open: '<a>', content: 'json', transform: { id: '{content.call_id}', name: '{content.tool}', arguments: '{content.args}' } } })
    assert.deepEqual(keys, { name: ['tool'], args: ['args'], id: ['call_id'] })
  })

  test('an id in the marker', () => {
    const { call } = of({ tool_calls: { open_pattern: '<c (?P<name>\\w+)#(?P<number>\\S+)>', content: 'json', transform: { ...transform, id: '{number}' } } })
    assert.deepEqual(call.head, ['NAME', '#', 'ID', '>'])
  })
})

describe('is refused', () => {
  const tool = (more) => ({ fields: { tool_calls: { ...call, ...more } } })
  for (const [what, template, message] of [
    ['no object', [], 'the template must be an object, but is an array of 0'],
    ['no JSON', '{', 'takes a template or its JSON text, but got string "{"'],
    ['an unknown key', { fields: {}, role: 'a' }, 'role is not known; here are version, defaults, fields, start_anchor, start_anchor_pattern'],
    ['another version', { version: 2, fields: {} }, 'version must be 1, but is number 2'],
    ['no fields', {}, 'fields must be an object, but is undefined'],
    ['an unknown field', { fields: { images: {} } }, 'fields.images is not known; here are thinking, reasoning_content, reasoning, content, tool_calls'],
    ['two kinds of thinking', { fields: { thinking: { open: 'a', close: 'b' }, reasoning_content: { open: 'c', close: 'd' } } }, 'fields.reasoning_content excludes thinking'],
    ['reasoning that nothing closes', { fields: { reasoning: { open: 'a' } } }, 'fields.reasoning.close must be given'],
    ['the whole payload of each', tool({ open_pattern: undefined, open: 'a', transform_each: true, transform: { function: '{content}' } }), 'fields.tool_calls.transform.function.name has {content.name}, which is neither a group of the marker nor a member of the payload'],
    ['an unknown key of a field', { fields: { content: { end: 'a' } } }, /^fields\.content\.end is not known; here are open, /],
    ['content that is no text', { fields: { content: { content: 'json' } } }, 'fields.content.content must be "text", but is string "json"'],
    ['a transform of thinking', { fields: { thinking: { open: 'a', close: 'b', transform: {} } } }, 'fields.thinking.transform is only for tool_calls'],
    ['thinking that nothing closes', { fields: { thinking: { open: 'a' } } }, 'fields.thinking.close must be given'],
    ['a pattern of thinking', { fields: { thinking: { open_pattern: '<think(ing)?>', close: 'b' } } }, 'fields.thinking.open_pattern may have literal texts, white space and named groups of a run of characters, but is "<think(ing)?>"'],
    ['a group in thinking', { fields: { thinking: { open_pattern: '<(?P<a>\\w+)>', close: 'b' } } }, 'fields.thinking.open_pattern must be a literal text'],
    ['two openings', tool({ open: 'a' }), 'fields.tool_calls.open_pattern excludes open'],
    ['calls that nothing opens', { fields: { tool_calls: { content: 'json' } } }, 'fields.tool_calls.open must be given'],
    ['a pattern that begins with a group', tool({ open_pattern: '(?P<name>\\w+):' }), 'fields.tool_calls.open_pattern must begin with a literal text'],
    ['alternatives', tool({ open_pattern: '<(?:a|b)>' }), /^fields\.tool_calls\.open_pattern may have literal texts/],
    ['a look-ahead', tool({ open_pattern: '<a(?=b)>' }), /^fields\.tool_calls\.open_pattern may have literal texts/],
    ['a group that is not used', tool({ open_pattern: '<(?P<name>\\w+) (?P<x>\\w+)>' }), "fields.tool_calls.open_pattern has the group x, which the transform doesn't use as name or id"],
    ['any text that is no header', tool({ open_pattern: '<.*(?P<name>\\w+)>' }), 'fields.tool_calls.open_pattern passes over any text, which only a header of a literal text, a name, any text and a literal text may'],
    ['a header without an anchor', { fields: GPT_OSS.fields }, 'start_anchor must be a literal text where fields are messages with headers'],
    ['other headers', { ...GPT_OSS, fields: { ...GPT_OSS.fields, content: { open: '<final>' } } }, 'fields.content.open must end with "<|message|>", as the marker of tool_calls does'],
    ['key-value lines', tool({ content: 'kv-lines' }), 'fields.tool_calls.content must be "json" or "xml-inline", but is string "kv-lines"'],
    ['JSON that needn\'t be', tool({ content_args: { allow_non_json: true } }), "fields.tool_calls.content_args.allow_non_json must be false: what isn't JSON is text"],
    ['two kinds of quotes', tool({ content_args: { unquoted_keys: true, string_delims: [["'", "'"], ['"', '"']] } }), 'fields.tool_calls.content_args.string_delims must be one pair of the same marker, with unquoted_keys'],
    ['bare keys around a name', { fields: { tool_calls: { open: 'a', content: 'json', content_args: { unquoted_keys: true } } } }, 'fields.tool_calls.content_args.unquoted_keys is only for arguments whose name is in the marker'],
    ['a text around a placeholder', tool({ transform: { name: 'f_{name}', arguments: '{content}' } }), 'fields.tool_calls.transform.name must be one placeholder like "{name}", but is string "f_{name}"'],
    ['a placeholder of nothing', tool({ transform: { name: '{title}', arguments: '{content}' } }), 'fields.tool_calls.transform.name has {title}, which is neither a group of the marker nor a member of the payload'],
    ['a member of a member', tool({ transform: { name: '{content.a.b}', arguments: '{content}' } }), 'fields.tool_calls.transform.name has {content.a.b}, which is neither a group of the marker nor a member of the payload'],
    ['a name in the marker and arguments in a member', tool({ transform: { name: '{name}', arguments: '{content.args}' } }), 'fields.tool_calls.transform takes the name from the marker, so that the arguments must be "{content}"'],
    ['an unknown member of the transform', tool({ transform: { name: '{name}', arguments: '{content}', index: 1 } }), 'fields.tool_calls.transform.index is not known; here are type, id, function, name, arguments'],
    ['groups without a transform', tool({ transform: undefined }), 'fields.tool_calls.transform must be given, as the marker has groups'],
    ['tagged values without a key', tool({ content: 'xml-inline', content_args: { tag_pattern: '<p>(?P<value>.*?)</p>' } }), 'fields.tool_calls.content_args.tag_pattern must be a literal text, the group key, a literal text, the group value and a literal text'],
    ['an unknown parser of values', tool({ content: 'xml-inline', content_args: { tag_pattern: '<(?P<key>\\w+)>(?P<value>.*?)</>', value_parser: 'yaml' } }), 'fields.tool_calls.content_args.value_parser must be "text" or "json", or have it as its name, but is string "yaml"'],
    ['a parser of numbers', tool({ content: 'xml-inline', content_args: { tag_pattern: '<(?P<key>\\w+)>(?P<value>.*?)</>', value_parser: { name: 'int' } } }), 'fields.tool_calls.content_args.value_parser must be "text" or "json", or have it as its name, but is an object of Object'],
  ]) {
    test(what, () => {
      assert.throws(
        () => fromResponseTemplate(template),
        (error) => {
          assert.ok(error instanceof TypeError, String(error.stack))
          const text = error.message.replace(/^fromResponseTemplate:? /, '')
          if (typeof message === 'string') assert.equal(text, message)
          else assert.match(text, message)
          return true
        },
      )
    })
  }

  test('an unknown option', () => assert.throws(() => fromResponseTemplate(COHERE, { name: 'a' }), { message: 'fromResponseTemplate has no option "name"; it takes id' }))
})
