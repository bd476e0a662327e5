// Which message or call of a run an AG-UI event belongs to: that of its id; without one the last of its kind. Agents
// that work side by side have a last one each.

import { isNoArguments } from '../json/call-arguments.js'
import { type Fields, argumentsOf, fieldsOf, listOf, stringOf } from '../untrusted.js'

/** What an event may be a piece of. */
export type AgUiKind = 'text' | 'thinking' | 'tool_call'

/** Roles of messages that are not the reply's. */
const OTHERS: ReadonlySet<unknown> = new Set(['user', 'system', 'developer', 'tool'])

/** What an event says of the message or the call that it is a piece of. */
export interface AgUiPiece {
  readonly kind: AgUiKind
  /** What it does: `START`, `CONTENT` or `ARGS`, `END`, `CHUNK`. */
  readonly step: string
  /** Empty if it has none. */
  readonly id: string
  /** Whether somebody else than the model has written the message. */
  readonly isForeign: boolean
  readonly event: Fields
}

const PIECE = /^(TEXT_MESSAGE|(?:REASONING|THINKING_TEXT)_MESSAGE|TOOL_CALL)_(START|CONTENT|ARGS|END|CHUNK)$/

/** What of a message or a call an event is; undefined if it says nothing of them. */
export function agUiPiece(event: Fields): AgUiPiece | undefined {
  const [, what, step] = PIECE.exec(stringOf(event['type'])) ?? []
  if (what === undefined || step === undefined) return undefined
  const kind = what === 'TOOL_CALL' ? 'tool_call' : what === 'TEXT_MESSAGE' ? 'text' : 'thinking'
  const id = stringOf(event[kind === 'tool_call' ? 'toolCallId' : 'messageId'])
  return { kind, step, id, isForeign: kind === 'text' && OTHERS.has(event['role']), event }
}

/** Whether an event begins another call than the one before it; a chunk that names a tool, after whole arguments. */
export function beginsCall(event: Fields, before: string, isWhole: () => boolean): boolean {
  const name = stringOf(event['toolCallName'])
  if (event['type'] !== 'TOOL_CALL_CHUNK') return event['type'] === 'TOOL_CALL_START'
  return name !== '' && isWhole() && (name !== before || !isNoArguments(argumentsOf(event['delta'])))
}

/** Messages and calls by their ids, and the last ones. */
export class AgUiPlaces<Item> {
  private readonly ids = new Map<string, Item>()
  private readonly last = new Map<string, Item>()

  find(kind: AgUiKind, id: string, event: Fields): Item | undefined {
    const item = id === '' ? this.last.get(lane(kind, event)) : this.ids.get(`${kind} ${id}`)
    if (item !== undefined) this.last.set(lane(kind, event), item)
    return item
  }

  put(kind: AgUiKind, id: string, event: Fields, item: Item): void {
    if (id !== '') this.ids.set(`${kind} ${id}`, item)
    this.last.set(lane(kind, event), item)
  }

  clear(): void {
    this.ids.clear()
    this.last.clear()
  }
}

/** A kind's last one, of the agent that an event is of. */
const lane = (kind: AgUiKind, event: Fields) => `${kind} ${stringOf(event['subagentRunId'])}`

/** The messages after the last one of the user: those of the reply. */
export function repliesIn(messages: readonly unknown[]): readonly Fields[] {
  const all = messages.map((message) => fieldsOf(message) ?? {})
  return all.slice(all.map(({ role }) => role).lastIndexOf('user') + 1)
}

/** The calls that wait for a person's answer, by the end of a run. The agent runs them, once it has that. */
export function waitingIn({ outcome }: Fields): string[] {
  const { type, interrupts } = fieldsOf(outcome) ?? {}
  return type === 'interrupt' ? listOf(interrupts).map((each) => stringOf(fieldsOf(each)?.['toolCallId'])) : []
}
