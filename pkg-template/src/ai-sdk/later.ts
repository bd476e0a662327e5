// A middleware whose parser, WebAssembly and tables come with the first request: each of its methods is asynchronous.

import { loadLater } from '../wasm/start.js'
import type { ToolMiddleware } from './types.js'

/** A middleware that is made with the first request, and again if that failed. */
export function later(make: () => Promise<ToolMiddleware>): ToolMiddleware {
  let made: Promise<ToolMiddleware> | undefined
  const middleware = () =>
    (made ??= loadLater('tool-calls')
      .then(make)
      .catch((error: unknown) => {
        made = undefined
        throw error
      }))
  return {
    specificationVersion: 'v3',
    middlewareVersion: 'v2',
    transformParams: async (given) => (await middleware()).transformParams(given),
    wrapGenerate: async (given) => (await middleware()).wrapGenerate(given),
    wrapStream: async (given) => (await middleware()).wrapStream(given),
  }
}
