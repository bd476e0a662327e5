// `ArgumentsReader`: one call's arguments while they are written.
//
// Source: spec/args.md.

import { ParseError, describe, requireString } from '../errors.js'
import { Journal, type Kind, type Snapshot } from '../journal.js'
import type { JsonValue } from '../json/value.js'
import type { Pattern, Step } from '../json/path.js'
import { type OptionTable, checkOptions, flag, must, resolveOptions, word } from '../options.js'
import { isRecord } from '../own.js'
import type { Typed, OfInput } from '../schema/infer.js'
import { SchemaError, validationOf } from '../schema/validation.js'
import { rulesOf } from '../wasm/json-rules.js'
import { endedByItself } from '../finish-reason.js'
import { type Hook, Hooks } from './hooks.js'
import { type PartialArg, writePieces } from './pieces.js'
import { Queue } from './queue.js'
import { type ArgumentsFault, Reading } from './reading.js'
import { type GivenPath, elementsOf, patternOf } from './steps.js'
import type { DeepPartial, FieldAt, FieldPath } from '../schema/paths.js'

/**
 * Options of a reader of arguments.
 *
 * @example
 * ```ts
 * import { type ArgumentsOptions, ArgumentsReader } from 'tokenweir/args'
 *
 * const options: ArgumentsOptions = { tolerate: ['trailing-comma'] }
 * const call = new ArgumentsReader(undefined, options)
 * call.write('{"a": 1,}')
 * console.log(call.partial(), call.tolerated) // { a: 1 } [ 'trailing-comma' ]
 * ```
 */
export interface ArgumentsOptions {
  /** Most containers in one another, up to 4,096. One more is a fault. @defaultValue 512 */
  maxDepth?: number | undefined
  /** Longest text, in UTF-16 code units. More is a fault. @defaultValue 16_777_216 */
  maxLength?: number | undefined
  /** What a whole number beyond 2^53 becomes: the nearest number, its digits, or a bigint. @defaultValue 'number' */
  bigNumbers?: 'number' | 'string' | 'bigint' | undefined
  /** Errors of models that are read over. @defaultValue none: RFC 8259 */
  tolerate?: ReadonlyArray<'raw-control' | 'trailing-comma' | 'json5-escape' | 'python-word'> | undefined
}

const TOLERATED = ['raw-control', 'trailing-comma', 'json5-escape', 'python-word']

const OPTIONS = {
  maxDepth: [must('a whole number from 1 to 4096', (value) => isBetween(value, 4_096)), 512],
  maxLength: [must('a whole number from 1 on', (value) => isBetween(value, 2 ** 40)), 16_777_216],
  bigNumbers: [word('number', 'string', 'bigint'), 'number'],
  tolerate: [must(`a list of ${TOLERATED.join(', ')}`, isTolerated), []],
} satisfies OptionTable<ArgumentsOptions>

function isBetween(value: unknown, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most
}

function isTolerated(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => TOLERATED.includes(name as string))
}

/**
 * Whether what came before is given too.
 *
 * @example
 * ```ts
 * import { ArgumentsReader, type ReplayOptions } from 'tokenweir/args'
 *
 * const options: ReplayOptions = { replay: false }
 * const call = new ArgumentsReader()
 * call.write('{"a": 1, ')
 * call.onDone('*', (value) => console.log(value), options) // 2
 * call.write('"b": 2}')
 * ```
 */
export interface ReplayOptions {
  /** `false`: what has come already is not given. @defaultValue true */
  replay?: boolean | undefined
}

/** A schema of a library. */
type Library = Typed<unknown, unknown>
type OutputOf<Schema> = Schema extends Typed<unknown, infer Output> ? Output : never

const KIND: Kind = {
  parser: 'arguments',
  place: 'ArgumentsReader',
  text: 'write',
  calls: ['writePartialArgs', 'endPartialArgs', 'end'],
  hearers: [],
}

/**
 * Reads the arguments of one call while they are written, or any JSON document that is alone in its text. A value is
 * done when no later text can change it: `10` is not, since it may become `100`. Nothing is closed or filled in.
 *
 * A model's text never throws: what can't be read is a fault (`onFault`), and later text is ignored.
 *
 * @typeParam Schema The schema of the tool, by which paths and values have types.
 * @example
 * ```ts
 * import { ArgumentsReader } from 'tokenweir/args'
 *
 * const call = new ArgumentsReader()
 * call.onText('content', (delta) => console.log('content +', delta))
 * call.get('path').then((path) => console.log('path is', path))
 * for (const delta of ['{"path": "a.t', 'xt", "content": "Hel', 'lo"}']) call.write(delta)
 * call.end('tool_calls')
 * console.log(await call.result())
 * ```
 * ```text
 * content + Hel
 * content + lo
 * path is a.txt
 * { path: 'a.txt', content: 'Hello' }
 * ```
 */
export class ArgumentsReader<const Schema = undefined> {
  readonly #reading: Reading
  readonly #journal: Journal
  readonly #validate: ReturnType<typeof validationOf>
  readonly #hooks: Hooks
  #isBusy = false
  readonly #listeners = new Set<() => void>()
  readonly #faultHandlers = new Set<(fault: ArgumentsFault) => unknown>()
  readonly #whenOver: Array<() => void> = []
  #result: Promise<unknown> | undefined

  /**
   * @param schema The tool, its schema, or nothing.
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const schema = { type: 'object', properties: { lines: { type: 'array', items: { type: 'string' } } } } as const
   * const call = new ArgumentsReader(schema, { maxDepth: 20 })
   * call.onDone('lines[*]', (line) => console.log(line.toUpperCase())) // A
   * call.write('{"lines": ["a", "b')
   * ```
   */
  constructor(schema?: Schema, options?: ArgumentsOptions) {
    checkOptions('ArgumentsReader', options, OPTIONS, '.')
    const { tolerate, ...limits } = resolveOptions<ArgumentsOptions, typeof OPTIONS>(OPTIONS, options)
    this.#journal = Journal.of(KIND, options)
    this.#validate = validationOf(schemaOf(schema))
    this.#reading = new Reading(
      { ...limits, rules: rulesOf(tolerate), takesRepeated: false },
      {
        begin: (kind) => this.#hooks.begin(kind),
        grow: (text) => this.#hooks.grow(text),
        done: (value) => this.#hooks.done(value),
        fault: (fault) => this.#fault(fault),
      },
    )
    this.#hooks = new Hooks(this.#reading)
  }

  /**
   * Goes on from a snapshot, in any process. Promises, handlers and listeners are asked for again; the schema is given
   * again.
   *
   * @throws ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const before = new ArgumentsReader()
   * before.write('{"a": [1, 2')
   * const call = ArgumentsReader.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * call.write('3]}')
   * console.log(call.partial()) // { a: [ 1, 23 ] }
   * ```
   */
  static restore<const Schema = undefined>(snapshot: Snapshot, schema?: Schema): ArgumentsReader<Schema> {
    return Journal.restore(KIND, snapshot, undefined, { make: (options) => new ArgumentsReader(schema, options) })
  }

  /**
   * What the reader has read, as plain JSON: for `ArgumentsReader.restore`. It has all text so far.
   *
   * @throws ParseError `reentrant` inside a handler.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * console.log(new ArgumentsReader().snapshot().parser) // arguments
   * ```
   */
  snapshot(): Snapshot {
    return this.#journal.snapshot(this.#isBusy)
  }

  /**
   * Reads the next piece of the arguments. Handlers run before it returns.
   *
   * @throws ParseError `finished` after `end`, `reentrant` inside a handler; the first error that a handler threw,
   *   after all of the piece was read.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"count": 10')
   * console.log(call.partial(), call.state('count')) // {} open
   * call.write(' ')
   * console.log(call.partial(), call.state('count')) // { count: 10 } done
   * ```
   */
  write(delta: string): void {
    requireString('ArgumentsReader.write', delta)
    this.#enter('write')
    this.#journal.read(delta)
    this.#run(() => this.#reading.write(delta))
  }

  /**
   * Takes the pieces of Gemini's `partialArgs`, each with the path of its place. A string is open until a piece without
   * `willContinue`, or one for another path. A path into what has closed is a fault.
   *
   * @throws As `write`.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.writePartialArgs([{ jsonPath: '$.city', stringValue: 'Por', willContinue: true }])
   * call.writePartialArgs([{ jsonPath: '$.city', stringValue: 'to' }, { jsonPath: '$.days[0]', numberValue: 2 }])
   * call.endPartialArgs()
   * console.log(await call.result()) // { city: 'Porto', days: [ 2 ] }
   * ```
   */
  writePartialArgs(pieces: readonly PartialArg[]): void {
    if (!Array.isArray(pieces))
      throw new TypeError(`ArgumentsReader.writePartialArgs takes a list, but got ${describe(pieces)}`)
    this.#enter('writePartialArgs')
    this.#journal.call('writePartialArgs', pieces)
    this.#run(() => writePieces(this.#reading, pieces))
  }

  /**
   * The call doesn't continue: what is open in `partialArgs` is whole.
   *
   * @throws As `end`.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.endPartialArgs()
   * console.log(await call.result()) // {}
   * ```
   */
  endPartialArgs(): void {
    this.#enter('endPartialArgs')
    this.#journal.call('endPartialArgs')
    this.#run(() => writePieces(this.#reading, undefined))
    this.end('completed')
  }

  /**
   * The text has ended. A document that isn't whole is cut off, whatever the reason; one that is whole is done,
   * whatever the reason. A reason that says that the model had finished (`stop`, `tool_calls`, `tool_use`, …) makes
   * `{}` of empty text, and a document of a number. A second `end` does nothing.
   *
   * @throws ParseError `reentrant` inside a handler; the first error that a handler threw.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.end('tool_calls')
   * console.log(call.status, await call.result()) // done {}
   * ```
   */
  end(finishReason?: string): void {
    if (finishReason !== undefined) requireString('ArgumentsReader.end', finishReason)
    if (this.#isBusy) this.#enter('end')
    if (this.#reading.isOver) return
    this.#journal.call('end', finishReason)
    this.#run(() => {
      this.#reading.conclude(finishReason, finishReason !== undefined && endedByItself(finishReason))
      if (this.#reading.fault === undefined && !this.#reading.document.isDone) this.#hooks.cut()
    })
    for (const settle of this.#whenOver.splice(0)) settle()
  }

  /**
   * Where the reader is: `open` until `end`, or `faulty` after a fault; then `done`, `cut-off` or `faulty`.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"a": 1')
   * call.end('length')
   * console.log(call.status) // cut-off
   * ```
   */
  get status(): 'open' | 'done' | 'cut-off' | 'faulty' {
    const { fault, isOver, document } = this.#reading
    if (fault !== undefined) return 'faulty'
    if (!isOver) return 'open'
    return document.isDone ? 'done' : 'cut-off'
  }

  /**
   * Why the text can't be read on, if it can't.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"keywords": Dave')
   * console.log(call.fault?.message) // JSON can't go on with "D", where a value is expected, at 13
   * ```
   */
  get fault(): ArgumentsFault | undefined {
    return this.#reading.fault
  }

  /**
   * How much text was written, in UTF-16 code units.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"a"')
   * console.log(call.length) // 4
   * ```
   */
  get length(): number {
    return this.#reading.length
  }

  /**
   * The names of the errors that were tolerated, sorted: see `tolerate`.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader(undefined, { tolerate: ['python-word'] })
   * call.write('{"a": True}')
   * console.log(call.tolerated) // [ 'python-word' ]
   * ```
   */
  get tolerated(): string[] {
    return this.#reading.tolerated
  }

  /**
   * The keys and indices down to what is open: `[]` for the document, `undefined` before its first and after its last
   * character. What is in the document and not on it is done.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"edits": [{"path": "a", "text": "x')
   * console.log(call.openPath) // [ 'edits', 0, 'text' ]
   * ```
   */
  get openPath(): Step[] | undefined {
    const { document, isScalar } = this.#reading
    return document.openPath(isScalar)
  }

  /**
   * What is known of a value: `absent`, `open` from its first character on, `done` when no later text can change it.
   *
   * @throws TypeError if the path can't be read, or is a pattern.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"path": "a.txt", "content": "He')
   * console.log(call.state('path'), call.state('content'), call.state('mode')) // done open absent
   * ```
   */
  state(path: ValuePath<ArgumentsOf<Schema>> | readonly Step[]): 'absent' | 'open' | 'done' {
    const { state } = this.#hooks.find(patternOf('ArgumentsReader.state', path, true))
    return state === 'impossible' ? 'absent' : state
  }

  /**
   * The arguments so far: what is done, open objects and arrays, and open strings as far as they have come; no open
   * numbers and words. What hasn't changed is the same object as before, and what was given never changes. `undefined`
   * before the first bracket. It is bound, as React wants it.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"path": "a.txt", "line": 1')
   * const before = call.partial()
   * call.write('2, "content": "He')
   * console.log(before, call.partial())
   * // → { path: 'a.txt' } { path: 'a.txt', line: 12, content: 'He' }
   * ```
   */
  readonly partial = (): PartialOf<ArgumentsOf<Schema>> | undefined =>
    this.#reading.document.partial() as PartialOf<ArgumentsOf<Schema>> | undefined

  /**
   * Calls a listener once after each write that changed `partial()` or completed a value, and when `status` changes.
   * Returns what ends that. It is bound: `useSyncExternalStore(call.subscribe, call.partial, call.partial)`. A value
   * that gets done doesn't change `partial()`: `() => call.state('content')` is a snapshot of its own, and so is
   * `() => call.status`.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * const stop = call.subscribe(() => console.log(call.partial())) // { a: 'x' }
   * call.write('{"a": "x')
   * stop()
   * call.write('y"}')
   * ```
   */
  readonly subscribe = (listener: () => void): (() => void) => added(this.#listeners, listener)

  /**
   * Gives a value when it is done, and `undefined` if it can't come any more. With a schema of a library it gives what
   * the schema makes of it. It may be asked at any time.
   *
   * The promise rejects with a `CutOffError` if the stream ends first, with a `ParseError` after a fault, with a
   * `SchemaError` if it doesn't fit the schema. If nobody handles that, no process ends.
   *
   * @throws TypeError if the path can't be read, or is a pattern.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * const path = call.get('edits[0].path')
   * call.write('{"edits": [{"path": "a.txt", "text": "He')
   * console.log(await path) // a.txt
   * ```
   */
  get<Path extends ValuePath<ArgumentsOf<Schema>> | readonly Step[]>(
    path: Path,
  ): Promise<ValueAt<ArgumentsOf<Schema>, Path> | undefined>
  get<Part extends Library>(
    path: ValuePath<ArgumentsOf<Schema>> | readonly Step[],
    schema: Part,
  ): Promise<OutputOf<Part> | undefined>
  get(path: GivenPath, schema?: Library): Promise<unknown> {
    const pattern = patternOf('ArgumentsReader.get', path, true)
    const validate = validationOf(schema)
    const value = new Promise<JsonValue | undefined>((resolve, reject) => {
      const hook: Hook = {
        pattern,
        done: (value) => this.#hooks.settle(hook, () => resolve(value)),
        gone: () => this.#hooks.settle(hook, () => resolve(undefined)),
        cut: reject,
      }
      this.#hooks.watch(hook)
    })
    return guarded(
      validate === undefined ? value : value.then((given) => (given === undefined ? undefined : validate(given))),
    )
  }

  /**
   * Yields a string as it grows, decoded; never half a character. Deltas that were not read yet come as one. A value of
   * another type is a `SchemaError`; of one that is absent nothing comes. If it is cut off, the loop throws after what
   * has come, as `get` rejects.
   *
   * @throws TypeError if the path can't be read, or is a pattern.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"content": "Hel')
   * const read = (async () => {
   *   for await (const delta of call.text('content')) console.log(delta)
   * })()
   * await null
   * call.write('lo"}')
   * await read
   * ```
   * ```text
   * Hel
   * lo
   * ```
   */
  text(path: ValuePath<ArgumentsOf<Schema>> | readonly Step[]): AsyncIterableIterator<string> {
    const pattern = patternOf('ArgumentsReader.text', path, true)
    const queue = new Queue<string>(
      (first, second) => first + second,
      () => this.#hooks.drop(hook),
    )
    const hook: Hook = {
      pattern,
      begin: (kind) => {
        if (kind === 'string') return
        queue.end({ error: mismatch(pattern, 'a string', FOUND[kind]) })
        this.#hooks.drop(hook)
      },
      grow: (delta) => queue.push(delta),
      done: (value) => {
        if (typeof value !== 'string') queue.end({ error: mismatch(pattern, 'a string', describe(value)) })
        this.#hooks.settle(hook, () => queue.end())
      },
      gone: () => this.#hooks.settle(hook, () => queue.end()),
      cut: (error) => queue.end({ error }),
    }
    this.#hooks.watch(hook)
    return queue
  }

  /**
   * Yields each element of a list when it is done; with a schema of a library, what the schema makes of it. Otherwise
   * as `text`.
   *
   * @throws TypeError if the path can't be read, or is a pattern.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.write('{"edits": [{"line": 1}, {"line": 2}, {"li')
   * call.end('length')
   * try {
   *   for await (const edit of call.items('edits')) console.log(edit)
   * } catch (error) {
   *   console.log(error instanceof Error && error.name)
   * }
   * ```
   * ```text
   * { line: 1 }
   * { line: 2 }
   * ParseError
   * ```
   */
  items<Path extends ValuePath<ArgumentsOf<Schema>> | readonly Step[]>(
    path: Path,
  ): AsyncIterableIterator<ItemOf<ValueAt<ArgumentsOf<Schema>, Path>>>
  items<Part extends Library>(
    path: ValuePath<ArgumentsOf<Schema>> | readonly Step[],
    schema: Part,
  ): AsyncIterableIterator<OutputOf<Part>>
  items(path: GivenPath, schema?: Library): AsyncIterableIterator<unknown> {
    const pattern = patternOf('ArgumentsReader.items', path, true)
    const validate = validationOf(schema)
    const stop = () => {
      this.#hooks.drop(each)
      this.#hooks.drop(list)
    }
    const queue = new Queue<JsonValue>(undefined, stop)
    const each: Hook = { pattern: elementsOf(pattern), done: (value) => queue.push(value) }
    const end = (error?: unknown) => {
      queue.end(error === undefined ? {} : { error })
      stop()
    }
    const list: Hook = {
      pattern,
      begin: (kind) => {
        if (kind !== 'array') end(mismatch(pattern, 'a list', FOUND[kind]))
      },
      done: (value) => end(Array.isArray(value) ? undefined : mismatch(pattern, 'a list', describe(value))),
      gone: () => end(),
      cut: (error) => end(error),
    }
    this.#hooks.watch(each)
    this.#hooks.watch(list)
    return validate === undefined ? queue : validated(queue, validate)
  }

  /**
   * Gives the arguments when the text has ended: run a call then, and not before. With a schema of a library it gives
   * what the schema makes of them.
   *
   * The promise rejects with a `CutOffError`, with a `ParseError` after a fault (`code`, `offset`), or with a
   * `SchemaError`. If nobody handles that, no process ends.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader({ type: 'object', properties: { path: { type: 'string' } } } as const)
   * call.write('{"path": "a.txt"}')
   * call.end('stop')
   * const { path } = await call.result()
   * console.log(path?.length) // 5
   * ```
   */
  result(): Promise<ResultOf<Schema>> {
    this.#result ??= guarded(this.#resultLater())
    return this.#result as Promise<ResultOf<Schema>>
  }

  async #resultLater(): Promise<unknown> {
    if (!this.#reading.isOver) await new Promise<void>((resolve) => this.#whenOver.push(resolve))
    const { document } = this.#reading
    if (this.status !== 'done') throw this.#hooks.errorAt('')
    const value = document.value as JsonValue
    return this.#validate === undefined ? value : this.#validate(value)
  }

  /**
   * Calls a handler once with each value of a path, or of a pattern such as `edits[*].path`, when it is done: after its
   * text, children before parents. What is done already comes immediately. Returns what ends that.
   *
   * @throws TypeError if the path can't be read.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.onDone('edits[*].path', (value, path) => console.log(path.join(' '), value)) // edits 0 path a.txt
   * call.write('{"edits": [{"path": "a.txt"')
   * ```
   */
  onDone<Path extends ValuePattern<ArgumentsOf<Schema>> | readonly Step[]>(
    path: Path,
    handler: (value: ValueAt<ArgumentsOf<Schema>, Path>, path: Step[]) => unknown,
    options?: ReplayOptions,
  ): () => void {
    const hook: Hook = {
      pattern: patternOf('ArgumentsReader.onDone', path, false),
      done: requireHandler('onDone', handler) as unknown as (value: JsonValue, path: Step[]) => unknown,
    }
    return this.#on('onDone', hook, options)
  }

  /**
   * Calls a handler with what the strings of a path or a pattern grow by, decoded. What has come already comes
   * immediately. Returns what ends that.
   *
   * @throws TypeError if the path can't be read.
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.onText('edits[*].text', (delta, path) => console.log(path[1], delta)) // 0 Hi
   * call.write('{"edits": [{"text": "Hi')
   * ```
   */
  onText(
    path: ValuePattern<ArgumentsOf<Schema>> | readonly Step[],
    handler: (delta: string, path: Step[]) => unknown,
    options?: ReplayOptions,
  ): () => void {
    const hook: Hook = {
      pattern: patternOf('ArgumentsReader.onText', path, false),
      grow: requireHandler('onText', handler),
    }
    return this.#on('onText', hook, options)
  }

  /**
   * Calls a handler with the fault, if there is one: the end of the reading. Returns what ends that.
   *
   * @example
   * ```ts
   * import { ArgumentsReader } from 'tokenweir/args'
   *
   * const call = new ArgumentsReader()
   * call.onFault(({ code }) => console.log(code)) // missing-value
   * call.write('{"a": }')
   * ```
   */
  onFault(handler: (fault: ArgumentsFault) => unknown): () => void {
    requireHandler('onFault', handler)
    if (this.fault !== undefined) handler(this.fault)
    return added(this.#faultHandlers, handler)
  }

  #enter(method: string): void {
    if (this.#isBusy)
      throw new ParseError('reentrant', `ArgumentsReader.${method} was called inside a handler of the same reader`)
    if (this.#reading.isOver)
      throw new ParseError('finished', `ArgumentsReader.${method}: the arguments have ended, so no more text can come`)
  }

  /** Reads; then handlers get the rest of the open string, and listeners learn of changes. */
  #run(read: () => void): void {
    const { document } = this.#reading
    const before = this.status
    this.#isBusy = true
    try {
      read()
      this.#hooks.flush()
      if (document.hasChanged || this.status !== before) {
        document.hasChanged = false
        for (const listener of [...this.#listeners]) this.#hooks.call(listener)
      }
    } finally {
      this.#isBusy = false
    }
    this.#hooks.rethrow()
  }

  #fault(fault: ArgumentsFault): void {
    this.#hooks.flush()
    for (const handler of [...this.#faultHandlers]) this.#hooks.call(() => handler(fault))
    this.#hooks.cut()
  }

  #on(method: string, hook: Hook, options: ReplayOptions | undefined): () => void {
    checkOptions(`ArgumentsReader.${method}`, options, REPLAY)
    this.#hooks.watch(hook, options?.replay !== false)
    return () => this.#hooks.drop(hook)
  }
}

const REPLAY = { replay: [flag, true] } satisfies OptionTable<ReplayOptions>

/** The schema of a tool, or the schema itself. */
function schemaOf(given: unknown): unknown {
  const tool = isRecord(given) && !('~standard' in given) ? given : {}
  const schema = tool['inputSchema'] ?? tool['parameters'] ?? given
  return typeof schema === 'function' && !('~standard' in schema) ? (schema as () => unknown)() : schema
}

/** A promise whose rejection ends no process if nobody handles it. */
function guarded<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

function added<Item>(set: Set<Item>, item: Item): () => void {
  set.add(item)
  return () => set.delete(item)
}

function requireHandler<Handler>(method: string, handler: Handler): Handler {
  if (typeof handler !== 'function')
    throw new TypeError(`ArgumentsReader.${method} takes a function, but got ${describe(handler)}`)
  return handler
}

/** What a value is that is not what was expected. */
const FOUND = { string: 'a string', object: 'an object', array: 'an array', scalar: 'another value' } as const

function mismatch({ source }: Pattern, expected: string, found: string): SchemaError {
  return new SchemaError(
    [{ message: `${source === '' ? 'the document' : source} must be ${expected}, but is ${found}` }],
    undefined,
  )
}

async function* validated(
  queue: Queue<JsonValue>,
  validate: NonNullable<ReturnType<typeof validationOf>>,
): AsyncGenerator<unknown> {
  for await (const value of queue) yield await validate(value)
}

/**
 * What a model writes by a schema: a schema of Zod, Valibot, ArkType and others, a JSON schema `as const`, a tool with
 * one of these (`tool()` of the AI SDK). Where nothing is known it is `JsonValue`.
 *
 * @example
 * ```ts
 * import type { ArgumentsOf } from 'tokenweir/args'
 *
 * const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const
 * const args: ArgumentsOf<typeof schema> = { path: 'a.txt' }
 * console.log(args.path) // a.txt
 * ```
 */
export type ArgumentsOf<Schema> = OfEither<Schema, 'input'>

/**
 * What `result` gives by a schema: the same, but of a library's schema what its validation makes of it.
 *
 * @example
 * ```ts
 * import type { ResultOf } from 'tokenweir/args'
 *
 * const args: ResultOf<{ type: 'object'; properties: { n: { type: 'number' } } }> = { n: 1 }
 * console.log(args.n) // 1
 * ```
 */
export type ResultOf<Schema> = OfEither<Schema, 'output'>

type OfEither<Schema, Side extends 'input' | 'output'> = unknown extends Schema
  ? JsonValue
  : Schema extends null | undefined
    ? JsonValue
    : Schema extends { readonly inputSchema: infer Inner } | { readonly parameters: infer Inner }
      ? OfInput<Inner, JsonValue, Side>
      : OfInput<Schema, JsonValue, Side>

/**
 * The path of one value of arguments: `path`, `edits[0].text`; `''` is all of them.
 *
 * @example
 * ```ts
 * import type { ValuePath } from 'tokenweir/args'
 *
 * const path: ValuePath<{ edits: { text: string }[] }> = 'edits[0].text'
 * console.log(path) // edits[0].text
 * ```
 */
export type ValuePath<Args> = '' | FieldPath<Args, number>

/**
 * The path of one value or, with `[*]`, of many.
 *
 * @example
 * ```ts
 * import type { ValuePattern } from 'tokenweir/args'
 *
 * const pattern: ValuePattern<{ edits: { text: string }[] }> = 'edits[*].text'
 * console.log(pattern) // edits[*].text
 * ```
 */
export type ValuePattern<Args> = '' | FieldPath<Args>

/**
 * Arguments as far as they have come: any member may be missing yet. They are not to be changed.
 *
 * @example
 * ```ts
 * import type { PartialOf } from 'tokenweir/args'
 *
 * const soFar: PartialOf<{ path: string; lines: string[] }> = { lines: ['a'] }
 * console.log(soFar.path, soFar.lines?.length) // undefined 1
 * ```
 */
export type PartialOf<Args> = DeepPartial<Args>

/**
 * What `items` yields of a list.
 *
 * @example
 * ```ts
 * import type { ItemOf } from 'tokenweir/args'
 *
 * const item: ItemOf<{ line: number }[]> = { line: 1 }
 * console.log(item.line) // 1
 * ```
 */
export type ItemOf<Value> = Value extends ReadonlyArray<infer Item> ? Item : JsonValue

/**
 * What stands at a path: if that is a text, what the schema says of it; at a list of steps, any value.
 *
 * @example
 * ```ts
 * import type { ValueAt } from 'tokenweir/args'
 *
 * const line: ValueAt<{ edits: { line: number }[] }, 'edits[0].line'> = 1
 * console.log(line) // 1
 * ```
 */
export type ValueAt<Args, Path> = Path extends string ? FieldAt<Args, Path> : JsonValue

export type { DeepPartial, FieldAt, FieldPath, JsonValue }
