// The steps of Google's Interactions API, with the signatures of their thoughts.

import { argumentsOf, fieldsIn, fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

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
