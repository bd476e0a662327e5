// The system prompt of a wire format: what `instructionsFor` says, also where the tools come as text.

import { instructions, writtenOf } from '../formats/prompt.js'
import type { AnyFormat, Format } from '../formats/types.js'
import type { FormatId } from '../generated/format-ids.js'

/** Writes a prompt that shows how a call looks in a format; of several, in the first. */
export function systemPromptTemplateFor(format: FormatId | Format | AnyFormat): (tools: string) => string {
  const written = writtenOf('createToolMiddleware', format)
  return (tools) => instructions(written, tools)
}
