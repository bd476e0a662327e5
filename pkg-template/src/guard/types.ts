// What a guard is given, and what it says.

/**
 * What is looked for: a string, or a regular expression. See `TextGuard` for those that can be decided while text
 * comes.
 *
 * @example
 * ```ts
 * import { type Find, TextGuard } from 'tokenweir/guard'
 *
 * const secrets: Find[] = ['hunter2', /\bsk-\w{20,}\b/]
 * console.log(new TextGuard({ redact: secrets }).push('It is hunter2.')) // It is [redacted].
 * ```
 */
export type Find = string | RegExp

/**
 * What is looked for, and what stands for it.
 *
 * @example
 * ```ts
 * import { type Rule, TextGuard } from 'tokenweir/guard'
 *
 * const card: Rule = { find: /\b\d{16}\b/, replace: (digits) => `card *${digits.slice(-4)}` }
 * console.log(new TextGuard({ redact: [card] }).push('4111111111111111 is charged.')) // card *1111 is charged.
 * ```
 */
export interface Rule {
  /** What is looked for. */
  readonly find: Find
  /**
   * What stands for a match: a text, in which `$` means nothing, or a function of the match, which may return it
   * unchanged. A text is out as soon as it is certain that there is a match; a function waits for the match's end.
   * @defaultValue `[redacted]`
   */
  readonly replace?: string | ((match: string) => string) | undefined
}

/**
 * What a guard keeps out of a text.
 *
 * @example
 * ```ts
 * import { type GuardOptions, TextGuard } from 'tokenweir/guard'
 *
 * const options: GuardOptions = { redact: ['hunter2'], stop: ['\nUser:'] }
 * const guard = new TextGuard(options)
 * console.log(guard.push('It is hunter2.\nUser: Thanks!')) // It is [redacted].
 * ```
 */
export interface GuardOptions {
  /** What is replaced. At each place the first one counts that matches. @defaultValue nothing */
  readonly redact?: ReadonlyArray<Find | Rule> | undefined
  /** What ends the text, before the match. They come before `redact`. @defaultValue nothing */
  readonly stop?: readonly Find[] | undefined
  /**
   * Most UTF-16 code units that wait for whether they match. More of them are redacted, up to where they no longer may
   * match; if they may match a `stop`, the text ends before them. @defaultValue 4,096
   */
  readonly longest?: number | undefined
}

/**
 * What has ended a text.
 *
 * @example
 * ```ts
 * import { type Stopped, TextGuard } from 'tokenweir/guard'
 *
 * const guard = new TextGuard({ stop: ['\nUser:'] })
 * guard.push('Hello.\nUser: Hi!')
 * const stopped: Stopped | undefined = guard.stopped
 * console.log(stopped) // { reason: 'stop', text: '\nUser:', offset: 6 }
 * ```
 */
export interface Stopped {
  /** What has ended it: a `stop`. */
  readonly reason: 'stop'
  /** The match. */
  readonly text: string
  /** Where it begins, in UTF-16 code units from the start of the text; of a reply, from that of its block. */
  readonly offset: number
}
