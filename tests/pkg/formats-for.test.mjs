// `formatFor`: which format a model has, by its name and by its chat template.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatFor, formats, isFormatId } from 'tokenweir/formats'

describe('by name', () => {
  for (const [name, id] of [
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3-coder'],
    ['qwen3-coder:30b', 'qwen3-coder'],
    ['unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF/Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf', 'qwen3-coder'],
    ['moonshotai/Kimi-K2-Instruct-0905', 'kimi-k2'],
    ['KIMI-K2-THINKING', 'kimi-k2'],
    ['deepseek-ai/DeepSeek-V3', 'deepseek-v3'],
    ['deepseek-ai/DeepSeek-V3.1-Terminus', 'deepseek-v31'],
    ['deepseek-ai/DeepSeek-V3.2', 'deepseek-v3.2'],
    ['openai/gpt-oss-20b', 'harmony'],
    ['google/gemma-4-31B-it', 'gemma4'],
    ['mistralai/Mistral-Nemo-Instruct-2407', 'mistral-v3'],
    ['zai-org/GLM-4.6', 'glm-4.5'],
    ['MiniMaxAI/MiniMax-M2', 'minimax-m2'],
  ]) {
    test(`${name} is ${id}`, () => assert.equal(formatFor(name)?.id, id))
  }

  test('none is known', () => {
    for (const name of ['', '/', 'my-own-model', 'qwen3-coder/', 'x/y', '*']) assert.equal(formatFor(name), undefined, name)
  })

  test('each format is found by each of its patterns, unless a longer one fits', () => {
    for (const { id, models = [] } of Object.values(formats)) {
      for (const glob of models) {
        const found = formatFor(glob.replaceAll('.*', '.5').replaceAll('*', ''))
        const longest = Math.max(...(found?.models ?? []).map((other) => other.length))
        assert.ok(found?.id === id || longest >= glob.length, `${glob} of ${id} finds ${found?.id}`)
      }
    }
  })

  test('no two formats have the same pattern', () => {
    const all = Object.values(formats).flatMap(({ models = [] }) => models.map((glob) => glob.toLowerCase()))
    assert.deepEqual(all.filter((glob, at) => all.indexOf(glob) !== at), [])
  })

  // Where the time grew with the square of the length, it would take an hour.
  test('names that almost fit are read in linear time', { timeout: 60_000 }, () => {
    assert.equal(formatFor(`${'functionary'.repeat(200_000)}x`), undefined)
  })
})

describe('by the chat template', () => {
  test('that has all markers of a format', () => {
    for (const { id, template = [] } of Object.values(formats)) {
      if (template.length === 0) continue
      const found = formatFor({ chatTemplate: `{% if tools %}${template.join('{{ x }}')}{% endif %}` })
      assert.ok(found !== undefined, id)
      assert.ok(found.id === id || found.template.join('').length >= template.join('').length, `${id} is taken for ${found.id}`)
    }
  })

  test('that no format is known for', () => {
    assert.equal(formatFor({ chatTemplate: '' }), undefined)
    assert.equal(formatFor({ chatTemplate: '{% for message in messages %}{{ message }}{% endfor %}' }), undefined)
  })
})

test('a text is the id of a format, or not', () => {
  for (const id of Object.keys(formats)) assert.equal(isFormatId(id), true, id)
  for (const text of ['', 'Hermes', 'hermes ', 'none', 'toString', '__proto__', 'dynamo-golden', 'qwen3-coder-peer', undefined, null, 5]) assert.equal(isFormatId(text), false, String(text))
})

test('refuses anything else', () => {
  for (const [model, message] of [
    [undefined, "formatFor takes a model's name or { chatTemplate }, but got undefined"],
    [['a'], "formatFor takes a model's name or { chatTemplate }, but got an array of 1"],
    [{ chatTemplate: 5 }, 'formatFor: chatTemplate must be a string, but is number 5'],
    [{}, 'formatFor: chatTemplate must be a string, but is undefined'],
    [{ chatTemplate: '', model: 'a' }, 'formatFor has no option "model"; it takes chatTemplate'],
    ...[{ chat_template: '{{ x }}' }, '{"chat_template": "{{ x }}"}'].flatMap((config) => {
      const what = typeof config === 'string' ? 'string "{\\"chat_template\\": \\"{{ x }}\\"}"' : 'an object of Object'
      const message = `formatFor got all of tokenizer_config.json (${what}): give { chatTemplate: config.chat_template }`
      return [[config, message], [{ chatTemplate: config }, message]]
    }),
  ]) {
    assert.throws(() => formatFor(model), { name: 'TypeError', message })
  }
})
