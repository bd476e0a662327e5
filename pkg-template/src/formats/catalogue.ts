// All formats, put together from what is needed to read them, to write them, and the rest.

import { ABOUT } from '../generated/formats/about.js'
import { FINDING } from '../generated/formats/finding.js'
import { READING } from '../generated/formats/reading.js'
import { WRITING } from '../generated/formats/writing.js'
import type { FormatId } from '../generated/format-ids.js'
import { frozen } from './frozen.js'
import type { Format } from './types.js'

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
