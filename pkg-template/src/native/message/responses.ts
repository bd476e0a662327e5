// The output items of OpenAI's Responses API, which go back as they came: reasoning directly before its item.

import { fieldsIn, fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft } from './draft.js'

/** Items that the program acts on, and the field with their input. */
const CALLS: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['apply_patch_call', 'operation'],
  ['computer_call', 'action'],
])

/** The items of events, or of a whole response. */
export class ResponsesMessage implements MessageDraft {
  #items: Array<Fields | undefined> = []
  #from = 0

  read(event: Fields): void {
    const response = fieldsOf(event['response'])
    const output = listOf(response?.['output'] ?? event['output'])
    if (event['type'] === 'response.created') this.#from = this.#items.length
    if (event['type'] === 'response.output_item.done')
      this.#items[this.#from + Number(event['output_index'])] = fieldsOf(event['item'])
    // All of the items, where they did not come one by one.
    else if (output.length > 0 && this.#items.length === this.#from) this.#items.push(...output.map(fieldsOf))
  }

  finish(keep: Keep): object | undefined {
    const sent: Fields[] = []
    // Reasoning is refused without the item that it belongs to.
    let reasoning: Fields[] = []
    for (const item of this.#items) {
      if (item === undefined) continue
      if (item['type'] === 'reasoning') {
        reasoning.push(item)
        continue
      }
      const isKept = this.#isKept(item, keep)
      if (isKept) sent.push(...reasoning, item)
      reasoning = []
    }
    return sent.length === 0 ? undefined : sent
  }

  #isKept(item: Draft, keep: Keep): boolean {
    const field = CALLS.get(item['type'])
    if (field === undefined) return true
    const id = stringOf(item['call_id']) || stringOf(item['id'])
    const written = item[field]
    const input = item['type'] === 'function_call' ? fieldsIn(stringOf(written)) : written
    return keep({ id, name: stringOf(item['name']), input }) !== undefined
  }
}
