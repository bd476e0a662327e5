// Who waits for what of a document: handlers by path, promises and loops.

import { ParseError } from '../errors.js'
import type { JsonValue } from '../json/value.js'
import { type Pattern, type Step, matches } from '../json/path.js'
import { type Found, find, pathsOf } from './place.js'
import type { Reading } from './reading.js'
import { isInside } from './steps.js'

/** Who waits for what is at a path. */
export interface Hook {
  readonly pattern: Pattern
  isOff?: boolean
  begin?(kind: 'string' | 'object' | 'array' | 'scalar'): void
  grow?(delta: string, path: Step[]): void
  done?(value: JsonValue, path: Step[]): void
  /** No value can come any more. */
  gone?(): void
  /** The stream has ended, or can't be read on, before it was whole. */
  cut?(error: ParseError): void
}

/** Calls those who wait, and remembers what they throw. */
export class Hooks {
  #all: readonly Hook[] = []
  /** Those of the open string, and what it has grown by since they were called. */
  #growing: readonly Hook[] = []
  #delta = ''
  /** The first error that a handler threw. */
  #thrown: { readonly error: unknown } | undefined

  constructor(private readonly reading: Reading) {}

  begin(kind: 'string' | 'object' | 'array'): void {
    if (this.#all.length === 0) return
    const path = this.reading.document.path()
    const hooks = this.#all.filter(({ pattern }) => matches(pattern, path))
    for (const hook of hooks) this.call(() => hook.begin?.(kind))
    if (kind === 'string') this.#growing = hooks.filter(({ grow }) => grow !== undefined)
  }

  grow(text: string): void {
    if (this.#growing.length > 0) this.#delta += text
  }

  /** Passes on what the open string has grown by. */
  flush(): void {
    const delta = this.#delta
    this.#delta = ''
    if (delta === '') return
    const path = this.reading.document.path()
    for (const hook of this.#growing) if (hook.isOff !== true) this.call(() => hook.grow?.(delta, path))
  }

  done(value: JsonValue): void {
    this.flush()
    this.#growing = []
    if (this.#all.length === 0) return
    const path = this.reading.document.path()
    for (const hook of this.#all) {
      if (hook.isOff === true) continue
      if (matches(hook.pattern, path)) this.call(() => hook.done?.(value, path))
      else if (hook.gone !== undefined && isInside(hook.pattern, path)) hook.gone()
    }
  }

  /** Nothing more comes for those who wait. */
  cut(): void {
    const waiting = this.#all
    this.#all = []
    this.#growing = []
    for (const { pattern, cut } of waiting) cut?.(this.errorAt(pattern.source))
  }

  /** Why there is no value at a path. */
  errorAt(path: string): ParseError {
    const { fault, finishReason } = this.reading
    if (fault !== undefined) return Object.assign(new ParseError(fault.code, fault.message), { offset: fault.offset })
    return new CutOffError(path, finishReason)
  }

  /** Passes on what has come already, and then what comes. */
  watch(hook: Hook, replay = true): void {
    const { pattern } = hook
    const { document, isScalar, fault, isOver } = this.reading
    // What the open string has grown by belongs to those who knew of it.
    this.flush()
    this.#all = [...this.#all, hook]
    for (const path of pathsOf(document, isScalar, pattern))
      this.#pass(hook, path, find(document, isScalar, path), replay)
    if (hook.isOff === true) return
    if (hook.gone !== undefined && this.find(pattern).state === 'impossible') return hook.gone()
    if (fault === undefined && !(isOver && !document.isDone)) return
    hook.cut?.(this.errorAt(pattern.source))
    this.drop(hook)
  }

  /** Passes on what has come of one value. */
  #pass(hook: Hook, path: Step[], found: Found, replay: boolean): void {
    if (found.state === 'open') {
      hook.begin?.(found.kind)
      if (found.kind !== 'string' || hook.isOff === true) return
      const text = this.reading.document.text as string
      if (replay && text !== '') hook.grow?.(text, path)
      if (hook.grow !== undefined) this.#growing = [...this.#growing, hook]
    } else if (found.state === 'done' && replay) {
      if (typeof found.value === 'string' && found.value !== '') hook.grow?.(found.value, path)
      hook.done?.(found.value, path)
    }
  }

  /** What is at the path of one value. */
  find({ steps }: Pattern): Found {
    const { document, isScalar } = this.reading
    return find(
      document,
      isScalar,
      steps.map(({ key, index }) => (index ?? key) as Step),
    )
  }

  /** A promise gets its value, and waits no more. */
  settle(hook: Hook, act: () => void): void {
    this.drop(hook)
    act()
  }

  drop(hook: Hook): void {
    hook.isOff = true
    this.#all = this.#all.filter((other) => other !== hook)
    this.#growing = this.#growing.filter((other) => other !== hook)
  }

  /** Runs what may throw, and remembers the first error. */
  call(act: () => unknown): void {
    try {
      act()
    } catch (error) {
      this.#thrown ??= { error }
    }
  }

  /** Throws what was remembered. */
  rethrow(): void {
    const thrown = this.#thrown
    this.#thrown = undefined
    if (thrown !== undefined) throw thrown.error
  }
}

/**
 * The stream ended before a value was whole. What it had so far is not a value: it must not be used as one.
 *
 * @example
 * ```ts
 * import { ArgumentsReader, CutOffError } from 'tokenweir/args'
 *
 * const call = new ArgumentsReader()
 * call.write('{"path": "/etc/pass')
 * call.end('length')
 * try {
 *   await call.get('path')
 * } catch (error) {
 *   if (error instanceof CutOffError) console.log(error.code, error.path, error.finishReason) // cut-off path length
 * }
 * ```
 */
export class CutOffError extends ParseError {
  /** The path of the value; empty for the whole document. */
  readonly path: string
  /** Why the model stopped, as `end` got it. */
  readonly finishReason: string | undefined

  /** @internal */
  constructor(path: string, finishReason: string | undefined) {
    const reason = finishReason === undefined ? '' : ` (finish reason ${JSON.stringify(finishReason)})`
    super('cut-off', `the text was cut off before ${path === '' ? 'its end' : path}${reason}: don't run the call`)
    this.path = path
    this.finishReason = finishReason
  }
}
