// A format that is written: by its id, without what only people read of it, or one as data.

import { READING } from '../generated/formats/reading.js'
import { WRITING } from '../generated/formats/writing.js'
import { checkFormat } from './check.js'
import { unknownFormat } from './names.js'
import type { Format } from './types.js'

/** A format by its id, or one that is checked; `place` is the function that was given it. @throws TypeError */
export function writableFormat(place: string, format: unknown): Format {
  if (typeof format === 'string') {
    if (!Object.hasOwn(READING, format)) throw unknownFormat(place, format)
    const { internal: _, ...reading } = READING[format] as (typeof READING)[string]
    return { id: format, ...reading, ...WRITING[format] }
  }
  checkFormat(place, format)
  return format
}
