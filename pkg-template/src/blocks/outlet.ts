// Where emissions leave a parser: to its callbacks, and into the list that a call returns.

import type { BlockEmission, BlockResult, MarkupEmission, OnBlock, OnChunk } from './types.js'

/** Takes emissions. */
export interface Sink {
  emit(emission: BlockEmission): void
}

/** The callbacks that a program gave. */
export interface Callbacks {
  readonly onChunk?: OnChunk | undefined
  readonly onBlock?: OnBlock | undefined
  readonly onMarkup?: ((text: string, markup: MarkupEmission) => void) | undefined
}

/** Calls back, and collects what one call of the parser gives. Between two calls it is empty, so nothing is saved. */
export class Outlet implements Sink {
  /** Whether a call is under way: a callback must not make another one. */
  isBusy = false
  private emissions: BlockEmission[] = []
  private failure: { readonly error: unknown } | undefined
  private readonly onChunk: OnChunk | undefined
  private readonly onBlock: OnBlock | undefined
  private readonly onMarkup: Callbacks['onMarkup']

  constructor({ onChunk, onBlock, onMarkup }: Callbacks) {
    this.onChunk = onChunk
    this.onBlock = onBlock
    this.onMarkup = onMarkup
  }

  /** Lists an emission, and calls back. */
  emit(emission: BlockEmission): void {
    this.emissions.push(emission)
    this.callBack(emission)
  }

  /** Lists an emission, to call back later. */
  add(emission: BlockEmission): void {
    this.emissions.push(emission)
  }

  /** Calls back for all that is listed. */
  callBackAll(): void {
    for (const emission of this.emissions) this.callBack(emission)
  }

  /** Keeps an error until all is emitted; the first one counts. */
  fail(error: unknown): void {
    this.failure ??= { error }
  }

  /** Gives the list and begins a new one, or throws the first error. */
  take(): BlockResult {
    const { emissions, failure } = this
    this.emissions = []
    if (failure !== undefined) {
      this.failure = undefined
      throw failure.error
    }
    return { emissions }
  }

  private callBack(emission: BlockEmission): void {
    try {
      if (emission.kind === 'content') {
        const { onChunk } = this
        if (onChunk !== undefined) onChunk(emission.text, emission.meta)
      } else if (emission.kind === 'blockEvent') {
        const { onBlock } = this
        if (onBlock !== undefined) onBlock(emission.event)
      } else {
        const { onMarkup } = this
        if (onMarkup !== undefined) onMarkup(emission.text, emission)
      }
    } catch (error) {
      this.fail(error)
    }
  }
}
