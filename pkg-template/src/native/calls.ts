// The calls of a protocol that never says where one begins or ends: which call a delta belongs to, and which have
// ended.
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
import type { Runs } from './runs.js'

/** What a delta says of a call; what it doesn't is empty. */
export interface CallDelta {
  readonly id: string
  readonly position: unknown
  readonly name: string
  readonly text: string
  readonly isFreeform?: boolean
  /** Its protocol has no ids. */
  readonly hasNoId?: boolean
}

/** The calls of a reply. */
export class Calls extends Places<NativeBlock> {
  /** Calls that have not ended, in order. */
  private readonly open = new Set<NativeBlock>()
  /** A whole call whose name came again, without arguments: with the repeat, or for the next call. */
  private named: NativeBlock | undefined
  /** Whether the reply has ended, as the provider says: what still comes of it is no less whole. */
  private isDeclared = false

  constructor(
    private readonly order: BlockOrder,
    private readonly runs: Runs,
  ) {
    super()
  }

  /** Whether the provider has said that the reply is over. */
  get hasFinished(): boolean {
    return this.isDeclared
  }

  /** Takes a delta. */
  read(delta: CallDelta): void {
    const { id, position, name, text } = delta
    const found = this.find(id, position)
    // It says nothing of any call.
    if (found === undefined && id === '' && name === '' && text === '') return
    const isFound = found !== undefined && !this.isOther(found, delta)
    const call = isFound ? found : this.begin(delta)
    if (delta.isFreeform === true) call.freeform = true
    this.endWhole(call)
    if (isFound) {
      if (id !== '' && call.id === '') this.put(id, position, call)
      // The id of a delta is another one where a server makes one for each.
      this.order.identify(call, call.isWhole && call.name !== '' ? '' : name, id)
    }
    if (isFound && call.isWhole) this.readMore(call, delta)
    else this.order.append(call, text)
  }

  /** Something else than these calls follows: those that are whole have ended. */
  endWhole(except?: NativeBlock): void {
    for (const call of this.open) {
      if (call === except || !call.isWhole) return
      this.end(call)
    }
  }

  /**
   * The provider says that the reply is over. A call whose arguments are open may still go on: some say so too early.
   */
  finish(isCut: boolean): void {
    this.isDeclared = true
    for (const call of this.open) {
      if (isCut && !call.isWhole) this.cut(call)
      else if (call.isWhole || call.freeform || !call.isOpen) this.end(call)
    }
  }

  /** Nothing more comes. A call that has not ended is one only if the provider said that the reply was over. */
  endReply(): void {
    for (const call of this.open) {
      if (this.isDeclared) this.end(call)
      else this.cut(call)
    }
    this.clear()
  }

  /** Drops the current reply. */
  override clear(): void {
    super.clear()
    this.open.clear()
    this.named = undefined
    this.isDeclared = false
  }

  /** Whether a delta begins another call than the one at its place. */
  private isOther(call: NativeBlock, { id, position, name, text }: CallDelta): boolean {
    if (id !== '' && call.id !== '' && this.known(id) === undefined) {
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
    this.runs.end()
    this.named = undefined
    const call = this.order.begin('tool_call', name, hasNoId ? this.order.newId() : id, false, true)
    this.put(id, position, call)
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
