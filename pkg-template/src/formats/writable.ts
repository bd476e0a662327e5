// A format that is written: by its id, without what only people read of it, or one as data.

import { READING } from '../generated/formats/reading.js'
import { WRITING } from '../generated/formats/writing.js'
import { checkFormat } from './check.js'
import { frozen } from './frozen.js'
import { unknownFormat } from './names.js'
import type { Format } from './types.js'

const known = new Map<string, Format>()

/** A format by its id, or one that is checked; `place` is the function that was given it. @throws TypeError */
export function writableFormat(place: string, format: unknown): Format {
  if (typeof format !== 'string') {
    checkFormat(place, format)
    return format
  }
  let found = known.get(format)
  if (found === undefined) {
    if (!Object.hasOwn(READING, format)) throw unknownFormat(place, format)
    known.set(format, (found = frozen({ id: format, ...READING[format], ...WRITING[format] })))
  }
  return found
}
