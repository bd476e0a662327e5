// Which tools are the application's, and which the provider's.

import type { RequestTool } from './types.js'

/** Whether a tool is one that the application executes. */
export function isFunctionTool(tool: RequestTool): boolean {
  return tool.type === 'function'
}
