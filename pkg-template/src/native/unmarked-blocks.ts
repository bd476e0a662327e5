// Blocks of protocols that don't mark where each begins and ends: text and thinking end where anything else begins; a
// call when its arguments are whole and something else follows.
//
//     { index: 0, id: 'a', name: 'f', '{"p"' }  { index: 0, ':1}' }     one call
//     { index: 0, name: 'f', '{"p":1}' }  { index: 0, name: 'g', … }     two: the arguments of the first are whole
//     { index: 0, name: 'get_' }  { index: 0, name: 'weather', '{' }     one, whose name comes in pieces
//
// Source: spec/policy.md, 17 and 18; what gateways send, in tests/pkg/native-calls.test.mjs.

import { isNoArguments } from '../json/call-arguments.js'
import type { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'
import { Places } from './places.js'
import type { Kind } from './said.js'
import { Thoughts } from './thoughts.js'

/** What a delta says of a call; what it doesn't is empty. */
interface CallDelta {
  readonly id: string
  readonly position: unknown
  readonly name: string
  readonly text: string
  readonly isFreeform?: boolean
  /** Its protocol has no ids. */
  readonly hasNoId?: boolean
}

/** Reads text, thinking and calls that nothing marks. */
export class UnmarkedBlocks {
  /** The text or thinking that is open. */
  private text: { readonly kind: Kind; readonly block: NativeBlock } | undefined
  private readonly thoughts = new Thoughts()
  private readonly places = new Places<NativeBlock>()
  /** Calls that have not ended, in order. */
  private readonly open = new Set<NativeBlock>()
  /** A whole call whose name came again, without arguments: with the repeat, or for the next call. */
  private named: NativeBlock | undefined
  /** Whether the reply has ended, as the provider says: what still comes of it is no less whole. */
  private isDeclared = false

  constructor(protected readonly order: BlockOrder) {}

  /** Nothing more comes. What has not ended is whole only if the provider said that the reply was over. */
  endReply(): void {
    if (this.isDeclared) this.endText()
    else if (this.text !== undefined) this.order.cut(this.text.block)
    for (const call of this.open) {
      if (this.isDeclared) this.end(call)
      else this.cut(call)
    }
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.text = this.named = undefined
    this.thoughts.clear()
    this.places.clear()
    this.open.clear()
    this.isDeclared = false
  }

  /** Whether the provider has said that the reply is over. */
  protected get hasFinished(): boolean {
    return this.isDeclared
  }

  /**
   * The provider says that the reply is over. A call whose arguments are open may still go on: some say so too early.
   */
  protected finish(isCut: boolean): void {
    this.endText()
    this.isDeclared = true
    for (const call of this.open) {
      if (isCut && !call.isWhole) this.cut(call)
      else if (call.isWhole || call.freeform || !call.isOpen) this.end(call)
    }
  }

  /** The thinking that is open. */
  protected get thought(): NativeBlock | undefined {
    return this.text?.kind === 'reasoning' ? this.text.block : undefined
  }

  /** Thinking in one of its forms: what other forms have said of it is not said again. */
  protected think(form: string, text: string, isSummary: boolean): void {
    this.say('reasoning', this.thoughts.take(form, text, isSummary))
  }

  /** Adds text to the open block of this kind, or begins one. */
  protected say(kind: Kind, text: string): void {
    if (text === '') return
    this.endWhole()
    if (kind !== 'reasoning') this.thoughts.end()
    if (this.text?.kind !== kind) {
      this.endText()
      this.text = { kind, block: this.order.begin(kind === 'reasoning' ? 'thinking' : 'text') }
    }
    this.order.append(this.text.block, text)
  }

  protected endText(): void {
    if (this.text !== undefined) this.order.end(this.text.block)
    this.text = undefined
  }

  /** A call that comes as a whole. */
  protected wholeCall(name: string, id: string, input: string, hosted = false): void {
    this.endText()
    const call = this.order.begin('tool_call', name, id, hosted)
    this.order.append(call, input)
    this.order.end(call)
  }

  /** Takes a delta of a call. */
  protected readCall(delta: CallDelta): void {
    const { id, position, name, text } = delta
    const found = this.places.find(id, position)
    // It says nothing of any call.
    if (found === undefined && id === '' && name === '' && text === '') return
    const isFound = found !== undefined && !this.isOther(found, delta)
    const call = isFound ? found : this.begin(delta)
    if (delta.isFreeform === true) call.freeform = true
    this.endWhole(call)
    if (isFound) {
      if (id !== '' && call.id === '') this.places.put(id, position, call)
      // The id of a delta is another one where a server makes one for each.
      this.order.identify(call, call.isWhole && call.name !== '' ? '' : name, id)
    }
    if (isFound && call.isWhole) this.readMore(call, delta)
    else this.order.append(call, text)
  }

  /** Something else than these calls follows: those that are whole have ended. */
  private endWhole(except?: NativeBlock): void {
    for (const call of this.open) {
      if (call === except || !call.isWhole) return
      this.end(call)
    }
  }

  /** Whether a delta begins another call than the one at its place. */
  private isOther(call: NativeBlock, { id, position, name, text }: CallDelta): boolean {
    if (id !== '' && call.id !== '' && this.places.known(id) === undefined) {
      // Some servers make a new id for each delta of a call.
      const goesOn = name === '' && text !== '' && position !== undefined && !call.isWhole
      return !goesOn
    }
    if (!call.isWhole || name === '') return false
    if (name !== call.name && call.name !== '') return true
    const repeats = id !== '' && (call.isStandIn || call.pieces.is(text))
    return !isNoArguments(text) && !repeats
  }

  /** A delta of a call whose arguments are whole. */
  private readMore(call: NativeBlock, delta: CallDelta): void {
    const { id, name, text } = delta
    if (isNoArguments(text)) {
      if (text.trim() === '') this.order.append(call, text)
      if (name !== '' && id === '') this.named = call
    } else if (call.startOver() || (call.state === 'begun' && !call.pieces.is(text) && this.named !== call))
      this.order.append(call, text)
    else if (!call.pieces.is(text)) {
      // Arguments without a name after a call that was emitted: they belong to no call that can be run.
      const next = this.begin({ ...delta, id: '', name: this.named === call ? call.name : '' })
      this.order.append(next, text)
    }
  }

  private begin({ id, position, name, hasNoId = false }: CallDelta): NativeBlock {
    this.endWhole()
    this.endText()
    this.named = undefined
    const call = this.order.begin('tool_call', name, hasNoId ? this.order.newId() : id, false, true)
    this.places.put(id, position, call)
    this.open.add(call)
    return call
  }

  private end(call: NativeBlock): void {
    this.open.delete(call)
    this.order.end(call)
  }

  private cut(call: NativeBlock): void {
    this.open.delete(call)
    this.order.cut(call)
  }
}
