// Puts the borders on an instance.

import { ParseError } from '../errors.js'
import type { BorderExports } from './border.js'
import { type Build, missing } from './borders.js'
import { instantiate } from './instance.js'

type Source = BufferSource | WebAssembly.Module

/** Makes what a build has ready. What is ready stays where it is. */
export function start(build: Build, source: () => Source): void {
  const borders = missing(build)
  if (borders.length === 0) return
  const instance = instantiate<BorderExports>(source())
  for (const border of borders) border.attach(instance)
}

/** Starts at import. What goes wrong is reported by the first parser that is made, where a program can catch it. */
export function startAtImport(build: Build, source: () => Source): void {
  try {
    start(build, source)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    for (const border of missing(build)) border.trouble ??= error
  }
}
