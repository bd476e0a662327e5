// `tokenweir tool-calls`

import { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type { ToolCallOptions, ToolCallParser } from 'tokenweir/tool-calls'
import { CliError, USAGE, byOptions } from '../cli-error.js'
import { formatOf } from '../format.js'
import type { CommandSpec, Front } from '../front.js'
import { counter } from '../ids.js'
import { toolsIn } from '../tools.js'
import type { Screen } from '../views/screen.js'
import { columns, json, sentence, short } from '../views/short.js'
import { fencesOption, startWithThinkingOption } from '../options.js'

export const toolCalls: CommandSpec = {
  name: 'tool-calls',
  summary: 'AI SDK parts, including calls that were written as text',
  details: `Parses the text of a recording for calls; its reasoning, native calls and results become parts too.
--json prints the parts of ToolCallParser, and also
{"type":"error","message","metadata"} and {"type":"repair","repairs","toolCallId","toolName"}.`,
  example: `  $ printf '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>' | npx tokenweir tool-calls
  tool-input-start  call_1 add
  tool-input-delta  call_1 "{\\"a\\":1}"
  tool-input-end    call_1
  tool-call         call_1 add {"a":1}`,
  options: [
    new Option('--protocol <name>', 'how calls are written').choices(['hermes', 'morph-xml']).default('hermes'),
    new Option(
      '--format <id>',
      'the wire format of a model instead, with its reasoning: qwen3-coder, kimi-k2, …',
    ).conflicts(['protocol', 'startWithThinking']),
    new Option(
      '--prefill <text>',
      "with --format: the end of the prompt, where that has opened the model's turn or its reasoning",
    ),
    new Option('--tools <file>', 'JSON file of the tools; required for morph-xml, whose tags are their names'),
    new Option('--on-malformed <what>', 'how to emit a malformed call')
      .choices(['text', 'drop', 'invalid-call'])
      .default('text'),
    new Option('--unknown-tools <what>', 'how to emit a call of a tool that is not in --tools')
      .choices(['call', 'text'])
      .default('call'),
    fencesOption(),
    startWithThinkingOption(),
  ],
  async load(options) {
    const { ToolCallParser, hermesProtocol, morphXmlProtocol } = await import('tokenweir/tool-calls')
    const tools = toolsIn(options['tools'] as string | undefined)
    const id = options['format'] as string | undefined
    const prefill = options['prefill'] as string | undefined
    if (id === undefined && prefill !== undefined) throw new CliError(USAGE, '--prefill needs --format, which reads it')
    const isMorph = options['protocol'] === 'morph-xml'
    if (isMorph && tools === undefined)
      throw new CliError(USAGE, '--protocol morph-xml needs --tools: the names of the tools are its tags')
    const protocol = isMorph ? morphXmlProtocol() : hermesProtocol()
    const given = {
      onMalformed: options['onMalformed'] as 'text',
      unknownTools: options['unknownTools'] as 'call',
      fences: options['fences'] as 'parse',
    }
    const startWithThinking = options['startWithThinking'] === true
    const format = id === undefined ? undefined : await formatOf(id)
    const make = (more: FormatCallOptions) => {
      const all = { ...given, generateId: counter(), ...more }
      if (format !== undefined)
        return byOptions(() => new ToolCallParser({ format, tools: tools ?? [], prefill, ...all }))
      return byOptions(
        () => new ToolCallParser({ protocol, tools: tools ?? [], options: { ...all, startWithThinking } }),
      )
    }
    return { front: new ToolCallFront(make), readsText: true }
  },
}

type FormatCallOptions = Omit<ToolCallOptions, 'startWithThinking' | 'reasoning'>

/** A part of the AI SDK, an error or a repair. */
interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

class ToolCallFront implements Front<Part> {
  readonly #parser: ToolCallParser
  /** Errors and repairs that the parser reports for a chunk of text. */
  #pending: Part[] = []
  /** The arguments so far of a native call. */
  #input = ''
  /** In the coloured view: calls whose arguments were printed as they streamed. */
  readonly #shown = new Set<unknown>()

  constructor(make: (options: FormatCallOptions) => ToolCallParser) {
    this.#parser = make({
      onError: (message, metadata) =>
        this.#pending.push({ type: 'error', message, ...(metadata === undefined ? {} : { metadata }) }),
      onRepair: (repairs, call) => this.#pending.push({ type: 'repair', repairs, ...call }),
    })
  }

  text(chunk: string): Part[] {
    return this.#with(this.#parser.text(chunk))
  }

  native(emission: BlockEmission): Part[] {
    if (emission.kind === 'content' && emission.meta.type === 'text') return this.text(emission.text)
    return partsOf(emission, (more) => (this.#input = more === undefined ? '' : this.#input + more)).flatMap((part) =>
      this.#with(this.#parser.write(part)),
    )
  }

  finish(reason?: string): Part[] {
    return this.#with(this.#parser.finish({ reason }))
  }

  json(part: Part): unknown {
    return part
  }

  line(part: Part): string {
    return columns([[part.type, 16]], ` ${sentence(wordsOf(part))}`)
  }

  paint(part: Part, screen: Screen): void {
    switch (part.type) {
      case 'text-delta':
        return screen.write(String(part['delta']))
      case 'reasoning-start':
      case 'reasoning-end':
        return screen.endLine()
      case 'reasoning-delta':
        return screen.write(String(part['delta']), 'dim')
      case 'tool-input-start':
        this.#shown.add(part['id'])
        screen.endLine()
        return screen.write(`${String(part['toolName'])} `, 'name')
      case 'tool-input-delta':
        return screen.write(String(part['delta']), 'yellow')
      case 'tool-input-end':
        return screen.endLine()
      case 'tool-call':
        // Its arguments may be printed already.
        if (this.#shown.delete(part['toolCallId'])) return
        screen.endLine()
        screen.write(`${String(part['toolName'])} `, 'name')
        screen.write(String(part['input']), 'yellow')
        return screen.endLine()
      case 'tool-result':
        return screen.line(typeof part['output'] === 'string' ? part['output'] : json(part['output']), 'green')
      case 'error':
        return screen.line(String(part['message']), 'red')
      case 'repair':
        return screen.line(`repaired: ${(part['repairs'] as string[]).join(', ')}`, 'magenta')
    }
  }

  /** Repairs go before their call. Errors have no position among a chunk's parts, so they come after them. */
  #with(parts: readonly unknown[]): Part[] {
    let pending = this.#pending
    if (pending.length === 0) return parts as Part[]
    this.#pending = []
    const emitted = (parts as Part[]).flatMap((part) => {
      if (part.type !== 'tool-call') return [part]
      const repairs = pending.filter(({ type, toolCallId }) => type === 'repair' && toolCallId === part['toolCallId'])
      pending = pending.filter((other) => !repairs.includes(other))
      return [...repairs, part]
    })
    return [...emitted, ...pending]
  }
}

/** The rest of a part's line. */
function wordsOf(part: Part): string[] {
  const { type, id, delta, toolCallId, toolName, input, output, message, metadata, repairs } = part
  const word = (value: unknown) => (typeof value === 'string' ? value : '')
  if (type === 'error')
    return [word((metadata as { readonly dropReason?: string } | undefined)?.dropReason), word(message)]
  if (type === 'repair') return [word(toolCallId), word(toolName), (repairs as string[]).join(', ')]
  return [
    word(id ?? toolCallId),
    word(toolName),
    delta === undefined ? '' : json(delta),
    input === undefined ? '' : word(input),
    output === undefined ? '' : short(output),
  ]
}

/**
 * The reasoning, calls and results of a recording, as parts. `gather` collects a call's arguments; without an argument
 * it starts over.
 */
function partsOf(emission: BlockEmission, gather: (more?: string) => string): Part[] {
  if (emission.kind === 'markup') return []
  if (emission.kind === 'content') {
    const { text, meta } = emission
    if (meta.type === 'thinking') return [{ type: 'reasoning-delta', id: reasoningId(meta.blockIndex), delta: text }]
    if (meta.type !== 'tool_call' || meta.toolCallPart === 'name') return []
    if (meta.toolCallPart === 'id')
      return [{ type: 'tool-input-start', id: text, toolName: meta.toolName ?? '', ...executed(meta) }]
    gather(text)
    return [{ type: 'tool-input-delta', id: meta.toolId, delta: text }]
  }
  const { event, index, block } = emission.event
  if (event === 'stop' || event === 'reclassify') return []
  if (event === 'block_start') {
    gather()
    if (block.type === 'text') return [{ type: 'text-start', id: String(index) }]
    return block.type === 'thinking' ? [{ type: 'reasoning-start', id: reasoningId(index) }] : []
  }
  switch (block.type) {
    case 'text':
      return [{ type: 'text-end', id: String(index) }]
    case 'thinking':
      return [{ type: 'reasoning-end', id: reasoningId(index) }]
    case 'tool_result':
      return [
        {
          type: 'tool-result',
          toolCallId: block.toolId,
          output: block.content,
          ...(block.isError === true ? { isError: true } : {}),
          ...executed(block),
        },
      ]
    case 'tool_call': {
      const end = { type: 'tool-input-end', id: block.toolId }
      // An incomplete call must not be executed.
      if (block.incomplete === true) return [end]
      return [
        end,
        {
          type: 'tool-call',
          toolCallId: block.toolId,
          toolName: block.toolName,
          input: gather(''),
          ...executed(block),
        },
      ]
    }
  }
}

/** The mark of a call that the provider runs itself. */
function executed({ hosted }: { readonly hosted?: true }): { providerExecuted?: true } {
  return hosted === true ? { providerExecuted: true } : {}
}

function reasoningId(index: number): string {
  return `reasoning_${index}`
}
