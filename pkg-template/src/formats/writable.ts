// A format that is written: by its id, without what only people read of it, or one as data.

import { READING } from '../generated/formats/reading.js'
import { WRITING } from '../generated/formats/writing.js'
import { isRecord } from '../own.js'
import { checkFormat } from './check.js'
import { frozen } from './frozen.js'
import { rowOf } from './names.js'
import type { Format } from './types.js'

/** A format by its id, or one that is checked; `place` is the function that was given it. @throws TypeError */
export function writableFormat(place: string, format: unknown): Format {
  if (typeof format === 'string') {
    let known = written.get(format)
    if (known === undefined) {
      const { internal: _, ...reading } = rowOf(place, format, READING)
      written.set(format, (known = frozen({ id: format, ...reading, ...WRITING[format] })))
    }
    return known
  }
  // A protocol passes on for each call what it got by an id: that is not checked again.
  if (!isRecord(format) || written.get(String(format['id'])) !== (format as unknown)) checkFormat(place, format)
  return format as Format
}

const written = new Map<string, Format>()
