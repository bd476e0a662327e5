// What goes back to a provider has the types of its own SDK: messages of `loopMessages`, as literals in a program.
// Compatible servers have fields that OpenAI's types don't know, so a message may have more than its type.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loopMessages } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { REPLIES } from '../../support/messages.mjs'
import { execute } from '../../support/programs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))

/** By SDK: the type of a message, and what imports it. */
const TYPES = {
  anthropic: ['MessageParam', "import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'"],
  openai: ['ChatCompletionMessageParam', "import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'"],
  responses: ['ResponseInputItem', "import type { ResponseInputItem } from 'openai/resources/responses/responses'"],
  gemini: ['Content', "import type { Content } from '@google/genai'"],
  bedrock: ['Message', "import type { Message } from '@aws-sdk/client-bedrock-runtime'"],
  // As it is sent; the SDK adds what is not in a reply.
  mistral: [
    "Omit<AssistantMessage$Outbound, 'prefix' | 'tool_calls'> & { tool_calls?: Omit<ToolCall$Outbound, 'index'>[] } | ToolMessage$Outbound",
    "import type { AssistantMessage$Outbound, ToolCall$Outbound, ToolMessage$Outbound } from '@mistralai/mistralai/models/components'",
  ],
  openrouter: ['ChatAssistantMessage$Outbound | ChatToolMessage$Outbound', "import type { ChatAssistantMessage$Outbound, ChatToolMessage$Outbound } from '@openrouter/sdk/models'"],
  // Its calls have ids that the types don't know.
  ollama: ["Omit<Message, 'tool_calls'>", "import type { Message } from 'ollama'"],
  ai: ['ModelMessage', "import type { ModelMessage } from 'ai'"],
}

for (const [sdk, [type, imports]] of Object.entries(TYPES)) {
  test(sdk, async () => {
    const lines = [imports]
    for (const { events, results } of REPLIES.filter((reply) => reply.sdk === sdk)) {
      const messages = loopMessages(await readReply(events).result(), results)
      for (const [at, message] of messages.entries()) lines.push(`export const m${lines.length}_${at}: (${type}) & Record<string, unknown> = ${JSON.stringify(message)}`)
    }
    assert.ok(lines.length > 2)
    const project = mkdtempSync(join(here, 'project-'))
    writeFileSync(join(project, 'messages.mts'), lines.join('\n'))
    const compilerOptions = { target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], module: 'nodenext', types: ['node'], noEmit: true, strict: true, skipLibCheck: true }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['messages.mts'] }))
    const { error, stdout } = await execute(process.execPath, [compiler, '--project', project])
    assert.equal(error, null, stdout)
  })
}
