// Finds the format of a model.

import { describe, requireOptions } from '../errors.js'
import { isRecord } from '../own.js'
import { formats } from './catalogue.js'
import type { Format } from './types.js'

/**
 * Finds the format of a model by its name, or by its Jinja chat template: `tokenizer.chat_template` of Transformers,
 * `chat_template` of llama.cpp's `/props`.
 *
 * Of a name only what follows the last `/` counts, and not its case: `Qwen/Qwen3-Coder-30B-A3B-Instruct` and
 * `qwen3-coder:30b` are found alike. A template is surer, since names are chosen freely.
 *
 * @returns The format, or `undefined` if none is known to fit.
 * @throws TypeError for anything but a name or `{ chatTemplate }`.
 * @example
 * ```ts
 * import { formatFor } from 'tokenweir/formats'
 *
 * console.log(formatFor('Qwen/Qwen3-Coder-30B-A3B-Instruct')?.id) // qwen3-coder
 * console.log(formatFor({ chatTemplate: "{{ '<tool_call>' }}…{{ '<function=' + tool.name }}…<parameter=" })?.id) // qwen3-coder
 * console.log(formatFor('my-own-model')) // undefined
 * ```
 */
export function formatFor(
  model:
    | string
    | {
        /** The text of the template. */
        readonly chatTemplate: string
      },
): Format | undefined {
  if (typeof model === 'string') return byName(model.slice(model.lastIndexOf('/') + 1).toLowerCase())
  if (!isRecord(model)) throw new TypeError(`formatFor takes a model's name or { chatTemplate }, but got ${describe(model)}`)
  requireOptions('formatFor', model, ['chatTemplate'])
  const { chatTemplate } = model
  if (typeof chatTemplate !== 'string') throw new TypeError(`formatFor: chatTemplate must be a string, but is ${describe(chatTemplate)}`)
  return best(({ template = [] }) => (template.length > 0 && template.every((marker) => chatTemplate.includes(marker)) ? template.join('').length : 0))
}

/** The format with the most specific of the globs that fit. */
function byName(name: string): Format | undefined {
  return best(({ models = [] }) => Math.max(0, ...models.filter((glob) => fits(name, glob.toLowerCase())).map((glob) => glob.length)))
}

/** The first of the formats with the highest number above 0. */
function best(weight: (format: Format) => number): Format | undefined {
  let found: Format | undefined
  let highest = 0
  for (const format of Object.values(formats)) {
    const its = weight(format)
    if (its > highest) {
      found = format
      highest = its
    }
  }
  return found
}

/** Whether a name is as a glob says, in which `*` is any text. */
function fits(name: string, glob: string): boolean {
  const [first = '', ...parts] = glob.split('*')
  const last = parts.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
