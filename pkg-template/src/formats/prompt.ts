// What a system prompt says of the tools, where the model calls them in a format.

import type { AnyFormat, Format } from './types.js'
import type { FormatId } from '../generated/format-ids.js'
import { READING } from '../generated/formats/reading.js'
import { isRecord } from '../own.js'
import { rules } from './results.js'
import { writableFormat } from './writable.js'

/**
 * The format that turns are written by: of several the first; of one that can only be read, but has the package's id,
 * the package's. @throws TypeError
 */
export function writtenOf(place: string, format: FormatId | Format | AnyFormat): Format {
  const first = typeof format === 'object' && format !== null && 'anyOf' in format ? format.anyOf[0] : format
  const isRead = isRecord(first) && first['write'] === undefined && Object.hasOwn(READING, String(first['id']))
  return writableFormat(place, isRead ? first['id'] : first)
}

/** @throws TypeError for a format whose calls can be read, but not written. */
export function requireWritten(place: string, format: FormatId | Format | AnyFormat): void {
  const { id, call, write } = writtenOf(place, format)
  if (call !== undefined && write?.call === undefined)
    throw new TypeError(
      `${place}: the format ${JSON.stringify(id)} doesn't say how calls are written, which earlier turns need: give ` +
        'it write.call with defineFormat. Where a server writes tools and calls, toolCallStream reads its replies',
    )
}

/** The text around the tools' description. */
export function instructions({ sample }: Format, tools: string): string {
  const which = sample?.includes('get_weather') ? ', here of a tool `get_weather` with the argument `location`' : ''
  const example = sample === undefined ? '' : `To use a tool, write a call like this${which}:\n${sample}\n\n`
  return `You can use tools. Here they are; "parameters" is the JSON schema of a tool's arguments:
<tools>
${tools}
</tools>

${example}${rules('call')}`
}
