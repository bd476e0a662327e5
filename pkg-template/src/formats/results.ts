// What a prompt says of tools, of what they gave, and of calls.

import { own } from '../own.js'

/** What a tool gave, out of the AI SDK's `{ type, value }`. Errors are objects with an `error`. */
export function resultValue({ output, result }: { readonly output?: unknown; readonly result?: unknown }): unknown {
  if (output === undefined) return result
  switch (own(output, 'type')) {
    case 'text':
    case 'json':
      return own(output, 'value')
    case 'error-text':
    case 'error-json':
      return { error: own(output, 'value') }
    case 'execution-denied':
      return { error: `The call was not allowed: ${String(own(output, 'reason') ?? 'no reason was given')}` }
    case 'content':
      return contentText(own(output, 'value'))
    default:
      return output
  }
}

/** A tool as prompts describe it; `input_examples` as Anthropic's API has them. */
export function described({
  name,
  description,
  inputSchema,
  inputExamples,
}: {
  readonly name: string
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly inputExamples?: unknown
}): object {
  const examples =
    Array.isArray(inputExamples) && inputExamples.length > 0
      ? { input_examples: inputExamples.map((example) => own(example, 'input') ?? {}) }
      : {}
  return { name, description, parameters: inputSchema ?? { type: 'object' }, ...examples }
}

/**
 * The texts of a content. A file can't be written as text, so its name or its kind is; the middleware sends the file
 * itself.
 */
function contentText(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content
    .map((part) =>
      own(part, 'type') === 'text'
        ? String(own(part, 'text'))
        : `[${String(own(part, 'filename') ?? own(part, 'mediaType') ?? own(part, 'type'))}]`,
    )
    .join('\n')
}

/** What any prompt says of calls; `one` is what a call is. */
export function rules(one: string): string {
  return `Write each call as its own ${one}, with nothing between one call and the next.
Use only the tools above, with arguments that fit their schemas. Don't make up arguments; ask if one is missing.
After your calls, stop and wait for the results. If no tool helps, just answer.`
}
