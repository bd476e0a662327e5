// Calls the program's callbacks for failures and repairs. What they
// throw is swallowed, and logged once to the console.

import type { ResolvedOptions } from './options.js'
import type { Repair, ToolCallErrorMetadata } from './types.js'

/** What a program reads of a call that failed; `name` is empty where it has none. */
export function failureOf(format: string, name: string, why: string, verb = 'process'): string {
  return `Could not ${verb} streaming ${format} tool call${name === '' ? '' : ` ${JSON.stringify(name)}`}: ${why}.`
}

/** Calls a program's callbacks. */
export class Hearer {
  private hasThrown = false
  /** Whether nothing is passed on. */
  isSilent = false

  constructor(private readonly options: Pick<ResolvedOptions, 'onError' | 'onRepair'>) {}

  failed(message: string, metadata: ToolCallErrorMetadata): void {
    this.call('onError', () => this.options.onError?.(message, { ...metadata }))
  }

  repaired(
    repairs: readonly Repair[],
    { toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string },
  ): void {
    this.call('onRepair', () => this.options.onRepair?.(repairs, { toolCallId, toolName }))
  }

  private call(name: string, act: () => void): void {
    try {
      if (!this.isSilent) act()
    } catch (error) {
      if (this.hasThrown) return
      this.hasThrown = true
      console.error(`tokenweir: ${name} threw an error, which is passed over:`, error)
    }
  }
}
