// What a system prompt says of the tools, where the model calls them in a format.

import { rules } from './rules.js'
import type { AnyFormat, Format } from './types.js'
import type { FormatId } from '../generated/format-ids.js'
import { writableFormat } from './writable.js'

/** Of several formats the first one is written. @throws TypeError */
export function writtenOf(place: string, format: FormatId | Format | AnyFormat): Format {
  const isSeveral = typeof format === 'object' && format !== null && 'anyOf' in format
  return writableFormat(place, isSeveral ? format.anyOf[0] : format)
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
