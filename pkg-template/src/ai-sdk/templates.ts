// System prompts of the middlewares that are there ready-made. Each takes the
// description of the tools, one in a line as JSON.

import { rules } from '../formats/results.js'

/**
 * Writes a system prompt for calls as JSON between `<tool_call>` tags, around the tools' description.
 *
 * @example
 * ```ts
 * import { hermesSystemPromptTemplate } from 'tokenweir/ai-sdk'
 *
 * console.log(hermesSystemPromptTemplate('{"name": "stop"}').includes('<tools>\n{"name": "stop"}\n</tools>')) // true
 * ```
 */
export function hermesSystemPromptTemplate(tools: string): string {
  return `You can use tools. Here they are, one in each line; "parameters" is the JSON schema of a tool's arguments:
<tools>
${tools}
</tools>

To use a tool, write a JSON object with its name and its arguments between <tool_call> tags:
<tool_call>{"name": "the tool's name", "arguments": {"an argument": "its value"}}</tool_call>

${rules('<tool_call>')}
A result comes back between <tool_response> tags.`
}

/**
 * Writes a system prompt for calls as JSON in code blocks, around the tools' description.
 *
 * @example
 * ```ts
 * import { gemmaSystemPromptTemplate } from 'tokenweir/ai-sdk'
 *
 * console.log(gemmaSystemPromptTemplate('{"name": "stop"}').includes('```tool_call')) // true
 * ```
 */
export function gemmaSystemPromptTemplate(tools: string): string {
  return `You can use tools. Here they are, one in each line; "parameters" is the JSON schema of a tool's arguments:
\`\`\`tools
${tools}
\`\`\`

To use a tool, write a JSON object with its name and its arguments in a code block of the language tool_call:
\`\`\`tool_call
{"name": "the tool's name", "arguments": {"an argument": "its value"}}
\`\`\`

${rules('code block')}
A result comes back in a code block of the language tool_response.`
}

/**
 * Writes a system prompt for calls as XML elements, around the tools' description.
 *
 * @example
 * ```ts
 * import { morphXmlSystemPromptTemplate } from 'tokenweir/ai-sdk'
 *
 * console.log(morphXmlSystemPromptTemplate('{"name": "stop"}').includes('<tool_response>')) // true
 * ```
 */
export function morphXmlSystemPromptTemplate(tools: string): string {
  return `You can use tools. Here they are, one in each line; "parameters" is the JSON schema of a tool's arguments:
<tools>
${tools}
</tools>

To use a tool, write an XML element with the tool's name, and in it an element for each argument:
<the_tools_name><an_argument>its value</an_argument></the_tools_name>

Write a list by repeating the argument's element, and an object by elements inside of it. Text needs no quotes and no \
CDATA.
${rules('element')}
A result comes back in a <tool_response> element.`
}
