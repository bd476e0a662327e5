// What `tokenweir/slim` gives: the WebAssembly comes from the user.

import { type ParseError, describe } from '../errors.js'
import { isModule, kindOf } from './instance.js'
import { missing } from './borders.js'
import { start } from './start.js'
import type { Platform } from '../platform.js'

/**
 * What `init` takes: the bytes, a compiled module, or where to fetch them.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { type WasmSource, init } from 'tokenweir/slim'
 *
 * const source: WasmSource = await readFile(new URL(import.meta.resolve('tokenweir/tokenweir.wasm')))
 * await init(source)
 * ```
 */
export type WasmSource =
  | WasmBytes
  | WasmModule
  | Platform<'Response', never>
  | Platform<'URL', never>
  | string
  | Platform<'Request', never>

/**
 * The bytes of `tokenweir.wasm`.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { type WasmBytes, initSync } from 'tokenweir/slim'
 *
 * const bytes: WasmBytes = readFileSync(new URL(import.meta.resolve('tokenweir/tokenweir.wasm')))
 * initSync(bytes)
 * ```
 */
export type WasmBytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView

/**
 * A `WebAssembly.Module`, where the types of the surroundings know it.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { type WasmModule, initSync } from 'tokenweir/slim'
 *
 * const module: WasmModule = new WebAssembly.Module(
 *   readFileSync(new URL(import.meta.resolve('tokenweir/tokenweir.wasm'))),
 * )
 * initSync(module)
 * ```
 */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object

/**
 * Makes the parsers ready, from bytes or a compiled module. A second time it does nothing.
 *
 * @throws TypeError if the source is something else.
 * @throws {@link ParseError} with code `no-webassembly` or `webassembly-refused` where the runtime can't run it.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { initSync, parsePartial } from 'tokenweir/slim'
 *
 * initSync(readFileSync(new URL(import.meta.resolve('tokenweir/tokenweir.wasm'))))
 * console.log(parsePartial('{"a": [1')) // { a: [ 1 ] }
 * ```
 */
export function initSync(source: WasmBytes | WasmModule): void {
  const isBytes =
    source instanceof ArrayBuffer ||
    ArrayBuffer.isView(source) ||
    kindOf(source) === 'ArrayBuffer' ||
    kindOf(source) === 'SharedArrayBuffer'
  if (!isBytes && !isModule(source)) {
    throw new TypeError(
      `initSync takes the bytes of tokenweir.wasm or a WebAssembly.Module, but got ${describe(source)}; init ` +
        `fetches them`,
    )
  }
  start('tokenweir', () => source as BufferSource | WebAssembly.Module)
}

/**
 * Makes the parsers ready, from anything that leads to the wasm: bytes, a compiled module, a `Response` or `Request`, a
 * URL, or a promise of one. A second time it does nothing. It rejects with a TypeError if the source is something else,
 * is a `file:` address, or was not found, and with a {@link ParseError} as `initSync` throws it.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { init, parsePartial } from 'tokenweir/slim'
 *
 * await init(readFile(new URL(import.meta.resolve('tokenweir/tokenweir.wasm'))))
 * console.log(parsePartial('{"a": [1')) // { a: [ 1 ] }
 * ```
 */
export async function init(source: WasmSource | Promise<WasmSource>): Promise<void> {
  const given = await source
  if (missing('tokenweir').length === 0) return
  const isAddress =
    typeof given === 'string' || given instanceof URL || (typeof Request !== 'undefined' && given instanceof Request)
  if (isAddress && String(given).startsWith('file:'))
    throw new TypeError(`init can't fetch ${String(given)}: read the file, and pass its bytes`)
  const found = isAddress ? await fetch(given) : given
  if (typeof Response !== 'undefined' && found instanceof Response) {
    if (!found.ok) throw new TypeError(`init: ${found.url} answered ${found.status}`)
    initSync(await found.arrayBuffer())
  } else {
    initSync(found as WasmBytes | WasmModule)
  }
}
