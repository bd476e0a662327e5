// A recording's blocks. Only `NativeBlocks` reads providers' events; the commands
// use its emissions.

import type { BlockEmission } from 'tokenweir/blocks'
import type { NativeBlocks, NativeBlocksOptions, ProviderError } from 'tokenweir'
import { CliError, INPUT } from '../cli-error.js'
import type { TextFormat } from '../format.js'
import { counter } from '../ids.js'
import type { SentEvent } from '../../reply/for-cli.js'

/** Reads the events of one recording. */
export class NativeRecording {
  /** Why nothing more is read: an event is unknown, or reports an error. */
  failure: CliError | undefined
  #line = 0
  readonly #blocks: NativeBlocks

  /**
   * `readsTags`: tags in the text count as they do for `readReply`; otherwise the command reads the text itself, or
   * `format` does.
   */
  constructor(Blocks: typeof NativeBlocks, readsTags: boolean, format: TextFormat | undefined) {
    const options: NativeBlocksOptions = {
      ...(readsTags && { tags: true, fences: 'text' }),
      generateId: format?.generateId ?? counter(),
      onError: (error) => this.#fail(`is an error from the provider: ${describeError(error)}`),
      // What comes among events that are known is ignored.
      onUnknown: () =>
        this.#blocks.provider ??
        this.#fail('is not an event of a known provider; --input text reads the input as text'),
    }
    this.#blocks =
      readsTags || format !== undefined
        ? new Blocks(options, 'NativeBlocks', { tools: format?.tools }, format?.reader)
        : new Blocks(options)
  }

  read({ event, line, isWhole }: SentEvent & { readonly event: object }): BlockEmission[] {
    this.#line = line
    return (isWhole === true ? this.#blocks.message(event) : this.#blocks.event(event)).emissions
  }

  /** The stream says that the reply is over. */
  declareEnd(): void {
    this.#blocks.declareEnd()
  }

  /** Why the reply ended, after its end. */
  get reason(): string | undefined {
    return this.#blocks.getFinishReason()
  }

  /** The end of the recording: an open block was cut off. */
  finish(): BlockEmission[] {
    return this.#blocks.flush().emissions
  }

  #fail(what: string): void {
    this.failure ??= new CliError(INPUT, `line ${this.#line} of the recording ${what}`)
  }
}

/** The model's text as an event, for what reads events. */
export function said(content: string): Exclude<SentEvent['event'], string> {
  return { choices: [{ index: 0, delta: { content } }] }
}

function describeError({ code, message }: ProviderError): string {
  return code === 'error' ? message : `${code}: ${message}`
}
