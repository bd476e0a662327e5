// Puts the borders on an instance: when the first parser needs it, or before, in the background.

import type { BorderExports } from './border.js'
import { type Build, buildBorders, missing } from './borders.js'
import { instantiate, isModule } from './instance.js'
import { ParseError } from '../errors.js'

type Source = BufferSource | WebAssembly.Module

/** A build of the WebAssembly that is there, and compiled when it is needed. */
class Engine {
  readonly breadth: number
  #trouble: ParseError | undefined
  #warming: Promise<void> | undefined

  constructor(
    private readonly build: Build,
    private readonly source: () => Source,
  ) {
    this.breadth = buildBorders(build).length
  }

  /** Compiles it now. What was refused is refused again, and not compiled again. */
  start(): void {
    if (this.#trouble !== undefined) throw this.#trouble
    try {
      start(this.build, this.source)
    } catch (error) {
      if (error instanceof ParseError) this.#trouble = error
      throw error
    }
  }

  /** Compiles it in the background, unless that was done. */
  warm(): Promise<void> {
    return (this.#warming ??= this.#compile())
  }

  async #compile(): Promise<void> {
    if (this.#trouble === undefined && missing(this.build).length > 0) {
      const module = await compileLater(this.source)
      // What can't be compiled so is tried again as a parser does it, which says why.
      if (module !== undefined) return start(this.build, () => module)
    }
    this.start()
  }
}

/** Compiles on another thread, where the platform has one; undefined if it can't. */
async function compileLater(source: () => Source): Promise<WebAssembly.Module | undefined> {
  try {
    const given = source()
    return isModule(given) ? given : await WebAssembly.compile(given)
  } catch {
    return undefined
  }
}

/** Those of the entries that the program has imported, by their builds. */
const engines: { [Name in Build]?: Engine } = {}

/** Makes what a build has ready. What is ready stays where it is. */
function start(build: Build, source: () => Source): void {
  const borders = missing(build)
  if (borders.length === 0) return
  const instance = instantiate<BorderExports>(source())
  for (const border of borders) border.attach(instance)
}

/**
 * A build is there from now on. Where several have the same machines, the one with the fewest beside them makes these
 * ready.
 */
export function provide(build: Build, source: () => Source): void {
  if (engines[build] !== undefined) return
  const engine = (engines[build] = new Engine(build, source))
  for (const border of buildBorders(build)) {
    if (border.engine === undefined || engine.breadth < border.engine.breadth) border.engine = engine
  }
}

/** What provides builds that a parser needs only with some options: modules that are loaded then. */
type Loaders = { [Name in Build]?: () => Promise<{ readonly withWasm: (what?: unknown) => unknown }> }

const loaders: Loaders = {}

/** What may need builds later, with what loads them: so that a bundler takes both or neither. The entries call it. @public */
export function withLater<What>(what: What, later: Loaders): What {
  Object.assign(loaders, later)
  return what
}

/** A build that may be needed is there from now on. */
export async function loadLater(build: Build): Promise<void> {
  if (engines[build] === undefined && missing(build).length > 0) (await loaders[build]?.())?.withWasm()
}

/**
 * Compiles the WebAssembly of the entries that the program has imported, in the background where the platform can.
 * Without it the first parser does, which takes a millisecond or two. What is compiled isn't compiled again, so it may
 * be called often. It rejects with a {@link ParseError} `no-webassembly` or `webassembly-refused`, as the first parser
 * throws it.
 *
 * @example
 * ```ts
 * import { BlockParser, warm } from 'tokenweir/blocks'
 *
 * await warm()
 * const { emissions } = new BlockParser().processChunk('Hello')
 * console.log(emissions.some(({ kind }) => kind === 'content')) // true
 * ```
 */
export async function warm(): Promise<void> {
  await Promise.all(Object.values(engines).map((engine) => engine.warm()))
}
