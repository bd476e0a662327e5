// Finds the id of a model's format, by what is needed of formats for that alone.

import { describe } from '../errors.js'
import { FINDING } from '../generated/formats/finding.js'
import type { FormatId } from '../generated/format-ids.js'
import { checkOptions, elsewhere } from '../options.js'
import { isRecord } from '../own.js'

/** The end of a model's path in Azure's registries. */
const VERSION = /\/(?:versions|labels)\/[^/]*$/

/** The id of the format of a model, by its name or its chat template. @throws TypeError for anything else. */
export function formatIdFor(model: string | { readonly chatTemplate: string }): FormatId | undefined {
  const given = isRecord(model) && 'chatTemplate' in model ? model.chatTemplate : model
  if (typeof given === 'string' ? /^\s*\{\s*"/.test(given) : isRecord(given) && 'chat_template' in given)
    throw new TypeError(
      `formatFor got all of tokenizer_config.json (${describe(given)}): give { chatTemplate: config.chat_template }`,
    )
  if (typeof model === 'string')
    return byName(
      model
        .replace(VERSION, '')
        .replace(/^.*[/\\]/s, '')
        .toLowerCase(),
    )
  if (!isRecord(model))
    throw new TypeError(`formatFor takes a model's name or { chatTemplate }, but got ${describe(model)}`)
  checkOptions('formatFor', model, { chatTemplate: [elsewhere] })
  const { chatTemplate } = model
  if (typeof chatTemplate !== 'string')
    throw new TypeError(`formatFor: chatTemplate must be a string, but is ${describe(chatTemplate)}`)
  const has = (marker: string) => chatTemplate.includes(marker)
  return best(ROWS, ([, { template = [] }]) => (template.every(has) ? template.join('').length : 0))?.[0]
}

const ROWS = Object.entries(FINDING) as ReadonlyArray<[FormatId, (typeof FINDING)[string]]>

/** Names that a glob of a format would fit, of models that don't write its calls. */
const OTHERS = [
  'llama-3.*tulu*',
  'mistral:*v0.1*',
  'mistral:*v0.2*',
  'qwen3-embedding*',
  'qwen3-reranker*',
  'qwen3guard*',
]

/** Makers and clouds that names begin with: `nvidia-nemotron-3-nano`, `databricks-meta-llama-3-3-70b-instruct`. */
const MAKERS = [
  ...['ai21', 'c4ai', 'cohere', 'databricks', 'deepseek-ai', 'google', 'ibm', 'lgai', 'meta', 'microsoft', 'mistralai'],
  ...['moonshotai', 'nous', 'nousresearch', 'nvidia', 'openai', 'poolside', 'qwen', 'tencent', 'zai'],
]
/** What stands before a name, each after the one before it. Bedrock: `us.meta.llama3-1-8b-instruct-v1:0`. */
const BEFORE: ReadonlyArray<(name: string) => string> = [
  (name) => name.replace(/^(?:us|us-gov|eu|apac|jp|au|ca|global)\./, ''),
  (name) => name.replace(/^[a-z]+\d*\.(?=[a-z])/, ''),
  withoutMaker,
  withoutMaker,
]

/** The format of the first reading of a name that has one, or that is known to have none. */
function byName(name: string): FormatId | undefined {
  const globs = ROWS.flatMap(([id, { models = [] }]) => models.map((glob) => ({ glob: plain(glob), id })))
  const others = OTHERS.map(plain)
  for (const reading of readings(name)) {
    const one = plain(reading)
    if (others.some((glob) => fits(one, glob))) return undefined
    const found = best(globs, ({ glob }) => (fits(one, glob) ? glob.length : 0))
    if (found !== undefined) return found.id
  }
  return undefined
}

/** A name as it is, then with less and less of what stands before the model's own. */
function* readings(name: string): Generator<string> {
  const glue = name.indexOf('_')
  // `Qwen_Qwen3-8B-GGUF`: a packer's file, with the maker.
  for (let rest of glue < 0 ? [name] : [name, name.slice(glue + 1)]) {
    yield rest
    for (const without of BEFORE) yield (rest = without(rest))
    // `Huihui-Qwen3-8B-abliterated`: who changed another's model.
    while (rest !== (rest = rest.replace(/^[a-z]+[-_]/, ''))) yield* [rest, withoutMaker(rest)]
  }
}

function withoutMaker(name: string): string {
  const maker = MAKERS.find((one) => name.startsWith(`${one}-`))
  return maker === undefined ? name : name.slice(maker.length + 1)
}

/**
 * A name, or a glob, as all ways to write it: `llama-3.1` for `Llama3.1`, `llama-3_1`, `llama3-1` and `llama3p1`, and
 * `deepseek-v-3.1` for `deepseek-chat-v3.1`.
 */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/(\d)(?:-(?=\d(?![\da-z.]))|_(?=\d(?![\db.]))|p(?=\d))/g, '$1.')
    .replace(/_|\.(?![\d*])|(?<!\d)\./g, '-')
    .replace('-chat-v', '-v')
    .replace(/([a-z])(?=\d)/g, '$1-')
}

/** The first of the items with the highest number above 0. */
function best<Item>(items: readonly Item[], weight: (item: Item) => number): Item | undefined {
  let found: Item | undefined
  let highest = 0
  for (const item of items) {
    const its = weight(item)
    if (its > highest) {
      found = item
      highest = its
    }
  }
  return found
}

/** Whether a name is as a glob says: `*` is any text, and a number before it ends there. */
function fits(name: string, glob: string): boolean {
  const [first = '', ...parts] = glob.split('*')
  const last = parts.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first) || goesOn(name, first.length)) return false
  let at = first.length
  for (const part of parts) {
    let found = name.indexOf(part, at)
    while (found >= 0 && goesOn(name, found + part.length)) found = name.indexOf(part, found + 1)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** Whether a number that ends at a place goes on there. */
function goesOn(name: string, at: number): boolean {
  return /^\d\.?\d/.test(name.slice(Math.max(0, at - 1), at + 2))
}
