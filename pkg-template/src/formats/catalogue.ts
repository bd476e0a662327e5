// All formats, put together from what is needed to read them, to write them, and the rest; and the one of a model.

import { ABOUT } from '../generated/formats/about.js'
import { FINDING } from '../generated/formats/finding.js'
import { READING } from '../generated/formats/reading.js'
import { WRITING } from '../generated/formats/writing.js'
import type { FormatId } from '../generated/format-ids.js'
import { frozen } from './frozen.js'
import type { Format } from './types.js'
import { formatIdFor } from './find-id.js'

/**
 * All wire formats that are known, by their ids: plain data, frozen. `docs/formats.md` lists them.
 *
 * `tokenweir/formats/kimi-k2` has one of them alone.
 *
 * @example
 * ```ts
 * import { formats } from 'tokenweir/formats'
 *
 * console.log(formats.hermes.sample)
 * ```
 * ```text
 * <tool_call>
 * {"name": "get_weather", "arguments": {"location": "Paris"}}
 * </tool_call>
 * ```
 */
export const formats: Readonly<Record<FormatId, Format>> = /* @__PURE__ */ all()

function all(): Readonly<Record<FormatId, Format>> {
  return frozen(
    Object.fromEntries(
      Object.entries(ABOUT).map(([id, about]) => [
        id,
        { id, ...about, ...FINDING[id], ...READING[id], ...WRITING[id] },
      ]),
    ) as Record<FormatId, Format>,
  )
}

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
