// Finds the format of a model.

import { formats } from './catalogue.js'
import { formatIdFor } from './find-id.js'
import type { Format } from './types.js'

/**
 * Finds the format of a model by its name, or by its Jinja chat template: `tokenizer.chat_template` of Transformers,
 * `chat_template` of llama.cpp's `/props`.
 *
 * Of a name only what follows the last `/` or `\\` counts, and not its case: `Qwen/Qwen3-Coder-30B-A3B-Instruct` and
 * `qwen3-coder:30b` are found alike. Quantisations, dates and tags at its end change nothing, and neither does the
 * maker before it (`Qwen_Qwen3-8B-GGUF`, `us.meta.llama3-1-8b-instruct-v1:0`), but another generation is another name:
 * `llama3` is not `llama3.1`. A template is surer, since names are chosen freely.
 *
 * @returns The format, or `undefined` if none is known to fit.
 * @throws TypeError for anything but a name or `{ chatTemplate }`.
 * @example
 * ```ts
 * import { formatFor } from 'tokenweir/formats'
 *
 * console.log(formatFor('Qwen/Qwen3-Coder-30B-A3B-Instruct')?.id) // qwen3-coder
 * console.log(formatFor('hf.co/bartowski/Qwen_Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M')?.id) // qwen3-coder
 * console.log(formatFor({ chatTemplate: "{{ '<tool_call>' }}…{{ '<function=' + tool.name }}…<parameter=" })?.id)
 * // → qwen3-coder
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
  const id = formatIdFor(model)
  return id === undefined ? undefined : formats[id]
}
