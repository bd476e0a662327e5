// Blocks from Google's Interactions API: stream events, and interactions as a whole.
//
//     interaction.created (step.start step.delta* step.stop)* interaction.completed
//
// Source: ai.google.dev, "Interactions API". An event's type is its `event_type`. The protocol is Anthropic's in
// other words; steps of a whole interaction are its content blocks.
// Steps whose type ends in `_call` are calls that Google runs itself, those in `_result` their results.

import { argumentsOf, fieldsOf, listOf, resultOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import { MarkedBlocks } from './marked-blocks.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'

const EVENTS =
  /^(interaction\.(created|status_update|in_progress|requires_action|completed|cancelled|failed|incomplete)|step\.(start|delta|stop)|error)$/

/** A hosted call, or its result: `google_search_call`, `code_execution_result`. */
const HOSTED = /^(.+)_(call|result)$/

/** Deltas without text, and steps of the user. */
const SILENT = /^(thought_signature|text_annotation(_delta)?|image|video|audio|document|user_input)$/

/** States of an interaction that is whole. */
const NORMAL: ReadonlySet<unknown> = new Set(['completed', 'requires_action'])

/** What the start of a result says of it. */
interface Result {
  readonly id: string
  readonly isError: boolean
}

class InteractionsReader extends MarkedBlocks implements ProviderReader {
  /** Results that come after the start of their step, by its index. */
  private readonly results = new Map<unknown, Result>()

  feed(event: Fields): boolean {
    const type = stringOf(event['event_type'])
    const { index } = event
    if (type === 'step.start') return this.startStep(index, fieldsOf(event['step']) ?? {})
    if (type === 'step.delta') return this.readDelta(index, fieldsOf(event['delta']) ?? {})
    if (type === 'step.stop') this.stop(index)
    if (type === 'interaction.created') this.startReply()
    if (type === 'interaction.completed') {
      const interaction = fieldsOf(event['interaction']) ?? {}
      // It may have all of its steps again.
      if (Array.isArray(interaction['steps'])) this.order.completeBy(InteractionsReader, interaction)
      this.finish(!NORMAL.has(interaction['status']))
    }
    return EVENTS.test(type)
  }

  whole(reply: Fields): void {
    for (const [index, step] of listOf(reply['steps']).entries()) {
      if (!this.startStep(index, fieldsOf(step) ?? {})) this.order.notUnderstood()
      this.stop(index)
    }
    this.endReply()
  }

  override forget(): void {
    this.results.clear()
    super.forget()
  }

  private startStep(index: unknown, step: Fields): boolean {
    const type = stringOf(step['type'])
    const begin = (content: Fields) => this.start(index, content)
    if (type === 'model_output') return begin({ type: 'text', text: textOf(step['content']) })
    if (type === 'thought') return begin({ type: 'thinking', thinking: textOf(step['summary']) })
    if (type === 'function_call')
      return begin({ type: 'tool_use', id: step['id'], name: step['name'], input: step['arguments'] })
    const [, name, kind] = HOSTED.exec(type) ?? []
    // The call of an MCP server has a name of its own.
    if (kind === 'call')
      return begin({
        type: 'server_tool_use',
        id: step['id'],
        name: stringOf(step['name']) || name,
        input: step['arguments'],
      })
    if (kind === 'result') {
      begin({ type: 'ignored' })
      this.results.set(index, { id: stringOf(step['call_id']), isError: step['is_error'] === true })
      this.result(index, step)
      return true
    }
    begin({ type: 'ignored' })
    return SILENT.test(type)
  }

  private readDelta(index: unknown, delta: Fields): boolean {
    const type = stringOf(delta['type'])
    if (type === 'text') return this.add(index, 'text', stringOf(delta['text']))
    if (type === 'thought_summary') return this.add(index, 'thinking', stringOf(fieldsOf(delta['content'])?.['text']))
    const [, , kind] = HOSTED.exec(type) ?? []
    // The arguments of a hosted call come whole.
    if (type === 'arguments_delta' || kind === 'call')
      return this.add(index, 'tool_call', argumentsOf(delta['arguments']))
    if (kind === 'result') {
      this.result(index, delta)
      return true
    }
    return SILENT.test(type)
  }

  /** A result comes with its step, or after it. */
  private result(index: unknown, { result, is_error }: Fields): void {
    const { id = '', isError = false } = this.results.get(index) ?? {}
    if (result !== undefined && result !== null)
      this.order.result(resultOf(result), id, isError || is_error === true, true)
  }
}

/** The text of content blocks. */
function textOf(content: unknown): string {
  return listOf(content)
    .map((block) => stringOf(fieldsOf(block)?.['text']))
    .join('')
}

/** The steps of events, or of a whole interaction. */
export class InteractionsMessage implements MessageDraft {
  #steps: Draft[] = []
  #from = 0
  readonly #inputs = new Map<Draft, string>()

  read(event: Fields): void {
    const at = this.#from + Number(event['index'])
    const interaction = fieldsOf(event['interaction']) ?? event
    switch (event['event_type']) {
      case 'interaction.created':
        this.#from = this.#steps.length
        return
      case 'step.start':
        this.#steps[at] = { ...fieldsOf(event['step']) }
        return
      case 'step.delta':
        return this.#delta((this.#steps[at] ??= {}), fieldsOf(event['delta']) ?? {})
      default:
        if (this.#steps.length === this.#from)
          this.#steps.push(...listOf(interaction['steps']).map((step) => ({ ...fieldsOf(step) })))
    }
  }

  finish(keep: Keep): object | undefined {
    const steps = this.#steps.flatMap((step) => {
      const written = this.#inputs.get(step)
      const input = written === undefined ? step['arguments'] : fieldsIn(written)
      if (step['type'] === 'user_input' || (written !== undefined && input === undefined)) return []
      const sent = written === undefined ? step : { ...step, arguments: input }
      if (step['type'] !== 'function_call') return [sent]
      return keep({ id: stringOf(step['id']), name: stringOf(step['name']), input }) === undefined ? [] : [sent]
    })
    return steps.length === 0 ? undefined : steps
  }

  #delta(step: Draft, delta: Fields): void {
    const { type, signature } = delta
    if (type === 'arguments_delta' || /_call$/.test(stringOf(type)))
      this.#inputs.set(step, (this.#inputs.get(step) ?? '') + argumentsOf(delta['arguments']))
    else if (type === 'text') addText(step, 'content', delta)
    else if (type === 'thought_summary') addText(step, 'summary', fieldsOf(delta['content']) ?? {})
    else if (type === 'thought_signature') step['signature'] = signature
    else if (/_result$/.test(stringOf(type))) Object.assign(step, { ...delta, type: step['type'] ?? type })
  }
}

/** Adds text to the last text of a list. */
function addText(step: Draft, name: string, { text }: Fields): void {
  const list = (step[name] = listOf(step[name]).map((part) => ({ ...fieldsOf(part) }))) as Draft[]
  const last = list.at(-1)
  if (last?.['type'] === 'text') append(last, 'text', text)
  else list.push({ type: 'text', text })
}

export const interactions: Provider = {
  shapeOf(object) {
    if (EVENTS.test(stringOf(object['event_type']))) return 'event'
    return object['object'] === 'interaction' || Array.isArray(object['steps']) ? 'reply' : undefined
  },
  isTyped: true,
  front: { event_type: /"/, interaction: /\{/, interaction_id: /"/, step: /\{/ },
  reason: ['interaction.status', 'status'],
  usage: ['interaction.usage', 'usage'],
  words: { cancelled: 'other' },
  Reader: InteractionsReader,
}
