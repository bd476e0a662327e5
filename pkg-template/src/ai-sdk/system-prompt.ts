// Puts the description of the tools into a prompt.
//
// Differences to `@ai-sdk-tool/parser`, whose newest versions add a system message
// at the prompt's end by default: some providers (Google's) only take system
// messages at the beginning, so ours goes first unless `placement` is `last`.

import type { Placement, PromptMessage } from './types.js'

/** The prompt with `text` in a system message. */
export function withSystemPrompt(
  prompt: readonly PromptMessage[],
  text: string,
  placement: Placement,
): PromptMessage[] {
  if (text === '') return [...prompt]
  const at = placement === 'first' ? (isSystem(prompt[0]) ? 0 : -1) : prompt.findLastIndex(isSystem)
  const message = prompt[at]
  if (message === undefined) {
    const own = { role: 'system', content: text }
    return placement === 'first' ? [own, ...prompt] : [...prompt, own]
  }
  const content = placement === 'first' ? `${text}\n\n${message.content}` : `${message.content}\n\n${text}`
  return prompt.with(at, { ...message, content })
}

function isSystem(message: PromptMessage | undefined): boolean {
  return message?.role === 'system'
}
