// The system prompt of a wire format.

import type { FormatId } from '../generated/format-ids.js'
import { writableFormat } from '../formats/writable.js'
import type { AnyFormat, Format } from '../formats/types.js'
import { rules } from './templates.js'

/** Writes a prompt that shows how a call looks in a format; of several, in the first. */
export function systemPromptTemplateFor(format: FormatId | Format | AnyFormat): (tools: string) => string {
  const given = typeof format !== 'string' && 'anyOf' in format ? (format.anyOf[0] as Format) : format
  const { sample } = writableFormat('createToolMiddleware', given)
  const example =
    sample === undefined
      ? ''
      : `To use a tool, write a call like this, here of a tool \`get_weather\` with the argument ` +
        `\`location\`:\n${sample}\n\n`
  return (tools) => `You can use tools. Here they are; "parameters" is the JSON schema of a tool's arguments:
<tools>
${tools}
</tools>

${example}${rules('call')}`
}
