// The shapes in which providers take a turn back: a row for each.
//
// Source: facts/round-trip.md, 1; @ai-sdk/* for the order of a message's parts and the names of their fields.

import { own } from '../own.js'
import type { ProviderName } from '../provider-name.js'
import { randomId } from '../random-id.js'
import { type Fields, fieldsIn, fieldsOf, listOf, stringOf } from '../untrusted.js'
import {
  type AnsweredCall,
  type Turn,
  flaggedText,
  inputIn,
  isFailed,
  sdkOutput,
  textOf,
  valueOf,
} from './loop-turn.js'

/** How one provider has a message, its calls, and their results. */
export interface Shape {
  /** The field of the message, or of each, that lists its calls, maybe among others; the message may be the list. */
  readonly list?: 'content' | 'parts' | 'tool_calls' | 'toolCalls'
  /** What names a call in an element of the list; undefined for any other element. */
  readonly call: (part: Fields) => { readonly id: unknown; readonly name: unknown } | undefined
  /** The assistant's messages, made of text and calls. */
  readonly said: (turn: Turn) => object[]
  /** Whether `said` takes arguments of any kind; else they must be an object. */
  readonly anyInput?: true
  /** The messages after it: results, then what is wrong with other calls, if that isn't empty. */
  readonly results: (calls: readonly AnsweredCall[], wrong: string) => object[]
}

/** One message that has all results as blocks. */
const inOneMessage =
  (field: 'content' | 'parts', block: (call: AnsweredCall) => object, text: (text: string) => object) =>
  (calls: readonly AnsweredCall[], wrong: string): object[] => {
    const blocks = [...calls.map(block), ...(wrong === '' ? [] : [text(wrong)])]
    return blocks.length === 0 ? [] : [{ role: 'user', [field]: blocks }]
  }

/** A message for each result. What is wrong stands in the last one: some templates want the roles to take turns. */
const oneByOne =
  (result: (call: AnsweredCall) => { readonly content: string }) =>
  (calls: readonly AnsweredCall[], wrong: string): object[] => {
    if (calls.length === 0) return wrong === '' ? [] : [{ role: 'user', content: wrong }]
    const after = wrong === '' ? '' : `\n\n${wrong}`
    return calls.map(result).map((sent, at) => ({ ...sent, content: sent.content + (calls[at + 1] ? '' : after) }))
  }

/** One item for each result, and one for what is wrong. */
const asItems =
  (result: (call: AnsweredCall) => object, text: (text: string) => object) =>
  (calls: readonly AnsweredCall[], wrong: string): object[] => [
    ...calls.map(result),
    ...(wrong === '' ? [] : [text(wrong)]),
  ]

/** One message of the assistant, or none: providers refuse one without parts. */
const message = (role: string, field: 'content' | 'parts' | 'tool_results', parts: readonly object[]): object[] =>
  parts.length === 0 ? [] : [{ role, [field]: parts }]

const textBlock = (text: string) => ({ type: 'text', text })
const plainText = (text: string) => ({ text })
const fromUser = (content: string) => ({ role: 'user', content })

/** A list's elements for a text: none if it is empty. */
const unlessEmpty = (text: string, part: (text: string) => object) => (text === '' ? [] : [part(text)])

const functionCall = ({ id, name, input }: AnsweredCall) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

/** A call of a list of `tool_calls`: OpenAI's custom tools have a body of their own. */
const listed = (part: Fields) => ({ id: part['id'], name: own(part['function'] ?? part['custom'], 'name') })

/** An element whose type says that it is a call. */
const typed =
  (type: string, id = 'id', name = 'name') =>
  (part: Fields) =>
    part['type'] === type ? { id: part[id], name: part[name] } : undefined

/** An element that has its call in a field. */
const inField =
  (field: string, id = 'id') =>
  (part: Fields) => {
    const call = fieldsOf(part[field])
    return call && { id: call[id], name: call['name'] }
  }

const OPENAI = {
  list: 'tool_calls',
  call: listed,
  said: ({ text, calls }) => [
    { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls.map(functionCall) }) },
  ],
  results: oneByOne(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: textOf(output) })),
} satisfies Shape

/** AG-UI: each message has an id. */
const AG_UI = {
  list: 'toolCalls',
  call: listed,
  said: ({ text, thinking, calls }) => [
    ...unlessEmpty(thinking, (content) => ({ id: randomId(), role: 'reasoning', content })),
    {
      id: randomId(),
      role: 'assistant',
      content: text,
      ...(calls.length > 0 && { toolCalls: calls.map(functionCall) }),
    },
  ],
  results: (calls, wrong) => {
    const messages = oneByOne((call) => ({
      id: `${call.id}-result`,
      role: 'tool',
      toolCallId: call.id,
      content: textOf(call.output),
      ...(isFailed(call) && { error: flaggedText(call) }),
    }))(calls, wrong)
    return messages.map((sent) => ({ id: randomId(), ...sent }))
  },
} satisfies Shape

/** A result of Cohere's version 1 names its call by repeating it, and is a list of objects. */
const resultWithCall = (call: AnsweredCall) => ({
  call: { name: call.name, parameters: fieldsIn(call.input) },
  outputs: [isFailed(call) ? { error: flaggedText(call) } : { output: valueOf(call.output) }],
})

/** What answers the items of the Responses API, by their type. */
const OUTPUTS: Readonly<Record<string, (call: AnsweredCall, item: Fields) => object>> = {
  function_call: ({ id, output }) => ({ type: 'function_call_output', call_id: id, output: textOf(output) }),
  custom_tool_call: ({ id, output }) => ({ type: 'custom_tool_call_output', call_id: id, output: textOf(output) }),
  local_shell_call: ({ output }, { id }) => ({ type: 'local_shell_call_output', id, output: textOf(output) }),
  shell_call: ({ id, output }) => ({ type: 'shell_call_output', call_id: id, output: valueOf(output) }),
  computer_call: ({ id, output }) => ({ type: 'computer_call_output', call_id: id, output: valueOf(output) }),
  apply_patch_call: (call) => ({
    type: 'apply_patch_call_output',
    call_id: call.id,
    status: isFailed(call) ? 'failed' : 'completed',
    output: flaggedText(call),
  }),
  mcp_approval_request: ({ id, output }) => ({
    type: 'mcp_approval_response',
    approval_request_id: id,
    approve: valueOf(output) === true,
  }),
}

/** The shapes, by the names of providers. */
export const SHAPES = {
  anthropic: {
    list: 'content',
    call: typed('tool_use'),
    said: ({ text, calls }) =>
      message('assistant', 'content', [
        ...unlessEmpty(text, textBlock),
        ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: fieldsIn(input) })),
      ]),
    results: inOneMessage(
      'content',
      (call) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: flaggedText(call),
        ...(isFailed(call) && { is_error: true }),
      }),
      textBlock,
    ),
  },
  openai: OPENAI,
  mistral: OPENAI,
  agUi: AG_UI,
  openaiResponses: {
    call: ({ type, call_id, id, name }) =>
      Object.hasOwn(OUTPUTS, stringOf(type)) ? { id: stringOf(call_id) || id, name } : undefined,
    said: ({ text, calls }) => [
      ...unlessEmpty(text, (content) => ({ role: 'assistant', content })),
      ...calls.map(({ id, name, input }) => ({ type: 'function_call', call_id: id, name, arguments: input })),
    ],
    results: asItems((call) => {
      const item = call.sent ?? { type: 'function_call' }
      return (OUTPUTS[stringOf(item['type'])] as (typeof OUTPUTS)[string])(call, item)
    }, fromUser),
  },
  gemini: {
    list: 'parts',
    call: inField('functionCall'),
    // Vertex AI refuses ids, and the order says which result is whose.
    said: ({ text, calls }) =>
      message('model', 'parts', [
        ...unlessEmpty(text, plainText),
        ...calls.map(({ name, input }) => ({ functionCall: { name, args: fieldsIn(input) } })),
      ]),
    results: inOneMessage(
      'parts',
      (call) => {
        const value = valueOf(call.output)
        const hasId = own(call.sent?.['functionCall'], 'id') !== undefined
        const response = isFailed(call) ? value : { output: value }
        return { functionResponse: { ...(hasId && { id: call.id }), name: call.name, response } }
      },
      plainText,
    ),
  },
  interactions: {
    call: typed('function_call'),
    said: ({ text, calls }) => [
      ...unlessEmpty(text, (said) => ({ type: 'model_output', content: [textBlock(said)] })),
      ...calls.map(({ id, name, input }) => ({ type: 'function_call', id, name, arguments: fieldsIn(input) })),
    ],
    results: asItems(
      (call) => ({
        type: 'function_result',
        call_id: call.id,
        name: call.name,
        result: flaggedText(call),
        ...(isFailed(call) && { is_error: true }),
      }),
      (text) => ({ type: 'user_input', content: [textBlock(text)] }),
    ),
  },
  bedrock: {
    list: 'content',
    call: inField('toolUse', 'toolUseId'),
    said: ({ text, calls }) =>
      message('assistant', 'content', [
        ...unlessEmpty(text, plainText),
        ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input: fieldsIn(input) } })),
      ]),
    results: inOneMessage(
      'content',
      (call) => ({
        toolResult: {
          toolUseId: call.id,
          content: [{ text: flaggedText(call) }],
          ...(isFailed(call) && { status: 'error' }),
        },
      }),
      plainText,
    ),
  },
  cohere: {
    list: 'tool_calls',
    call: listed,
    // What is said before calls is their plan.
    said: ({ text, calls }) =>
      calls.length === 0
        ? [{ role: 'assistant', content: text }]
        : [{ role: 'assistant', ...(text !== '' && { tool_plan: text }), tool_calls: calls.map(functionCall) }],
    results: OPENAI.results,
  },
  cohereV1: {
    list: 'tool_calls',
    call: ({ name }) => ({ id: undefined, name }),
    said: ({ text, calls }) => {
      const sent = calls.map(({ name, input }) => ({ name, parameters: fieldsIn(input) }))
      return [{ role: 'CHATBOT', message: text, ...(sent.length > 0 && { tool_calls: sent }) }]
    },
    results: (calls, wrong) => [
      ...message('TOOL', 'tool_results', calls.map(resultWithCall)),
      ...unlessEmpty(wrong, (text) => ({ role: 'USER', message: text })),
    ],
  },
  ollama: {
    list: 'tool_calls',
    call: listed,
    said: ({ text, thinking, calls }) => {
      const sent = calls.map(({ id, name, input }) => ({ id, function: { name, arguments: fieldsIn(input) } }))
      return [
        {
          role: 'assistant',
          content: text,
          ...(thinking !== '' && { thinking }),
          ...(sent.length > 0 && { tool_calls: sent }),
        },
      ]
    },
    results: oneByOne(({ id, name, output, sent }) => {
      const hasId = sent === undefined || stringOf(sent['id']) !== ''
      return { role: 'tool', tool_name: name, ...(hasId && { tool_call_id: id }), content: textOf(output) }
    }),
  },
  aiSdk: {
    list: 'content',
    call: (part) =>
      part['providerExecuted'] === true ? undefined : typed('tool-call', 'toolCallId', 'toolName')(part),
    anyInput: true,
    said: ({ text, thinking, calls }) =>
      message('assistant', 'content', [
        ...unlessEmpty(thinking, (text) => ({ type: 'reasoning', text })),
        ...unlessEmpty(text, textBlock),
        ...calls.map((call) => sdkCall(call, signatureIn(call.sent))),
      ]),
    results: (calls, wrong) => {
      const content = calls.map((call) => ({
        type: 'tool-result',
        toolCallId: call.id,
        toolName: call.name,
        output: sdkOutput(call),
      }))
      return [...message('tool', 'content', content), ...unlessEmpty(wrong, fromUser)]
    },
  },
} satisfies Readonly<Record<ProviderName, Shape>>

/** The names that `as` has for shapes. */
export const AS = {
  openai: 'openai',
  responses: 'openaiResponses',
  anthropic: 'anthropic',
  gemini: 'gemini',
  bedrock: 'bedrock',
  ollama: 'ollama',
  cohere: 'cohere',
  'ai-sdk': 'aiSdk',
} satisfies Readonly<Record<string, ProviderName>>

/** A call as the AI SDK has it; `options` are what its provider wants with it again. */
export function sdkCall({ id, name, input }: AnsweredCall, options?: object): object {
  const call = { type: 'tool-call', toolCallId: id, toolName: name, input: inputIn(input) }
  return options === undefined ? call : { ...call, providerOptions: options }
}

/** Gemini's signature, where its calls come by OpenAI's chat completions. */
function signatureIn(sent: Fields | undefined): object | undefined {
  const thoughtSignature = own(own(sent?.['extra_content'], 'google'), 'thought_signature')
  return thoughtSignature === undefined ? undefined : { google: { thoughtSignature } }
}

/** The elements of a message among which its calls are. */
export function partsOf({ list }: Shape, sent: unknown): readonly unknown[] {
  if (list === undefined) return listOf(sent)
  return Array.isArray(sent) ? sent.flatMap((each) => listOf(own(each, list))) : listOf(own(sent, list))
}

/**
 * The calls as they stand in a message; undefined if one of them doesn't. A provider that gives a call no id has it
 * found by its name: the first of this name that is left.
 */
export function findCalls(
  shape: Shape,
  sent: unknown,
  calls: ReadonlyArray<{ readonly toolCallId: string; readonly toolName: string }>,
): Fields[] | undefined {
  const left = partsOf(shape, sent).flatMap((part) => {
    const fields = fieldsOf(part) ?? {}
    const call = shape.call(fields)
    return call === undefined ? [] : [{ fields, id: stringOf(call.id), name: call.name }]
  })
  const found: Fields[] = []
  for (const { toolCallId, toolName } of calls) {
    const at = left.findIndex(({ id, name }) => (id === '' ? name === toolName : id === toolCallId))
    const [call] = at < 0 ? [] : left.splice(at, 1)
    if (call === undefined) return undefined
    found.push(call.fields)
  }
  return found
}
