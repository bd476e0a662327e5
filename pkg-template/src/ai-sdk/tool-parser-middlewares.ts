// The middlewares whose protocols drop calls with unsafe names of arguments.

import { later } from './middleware.js'
import type { ToolMiddleware } from './types.js'

/** What these and the protocols here drop. */
export const SAFE = ['drop-unsafe']

/**
 * `hermesToolMiddleware` of `tokenweir/ai-sdk`, with the protocol here.
 *
 * @example
 * ```ts
 * import { hermesToolMiddleware } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(typeof hermesToolMiddleware.wrapStream) // function
 * ```
 */
export const hermesToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made.js')).hermes(SAFE),
)

/**
 * `morphXmlToolMiddleware` of `tokenweir/ai-sdk`, with the protocol here.
 *
 * @example
 * ```ts
 * import { morphXmlToolMiddleware } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(typeof morphXmlToolMiddleware.wrapStream) // function
 * ```
 */
export const morphXmlToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made.js')).morphXml(SAFE),
)

/**
 * `gemmaToolMiddleware` of `tokenweir/ai-sdk`, with the protocol here.
 *
 * @example
 * ```ts
 * import { gemmaToolMiddleware } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(typeof gemmaToolMiddleware.wrapStream) // function
 * ```
 */
export const gemmaToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made.js')).gemma(SAFE),
)

/**
 * Gives tools as `morphXmlToolMiddleware` does; its older name.
 *
 * @example
 * ```ts
 * import { xmlToolMiddleware } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(typeof xmlToolMiddleware.wrapStream) // function
 * ```
 */
export const xmlToolMiddleware: ToolMiddleware = morphXmlToolMiddleware
