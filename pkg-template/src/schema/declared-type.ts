// The type of a tool's parameter, for blocks. It is a file of its own, since their entry is small.

import { Declared } from '../generated/ops.js'
import { own } from '../own.js'

/** How a parameter is declared by the schema of its tool. Only `type` is read. */
export function declaredType(tools: unknown, tool: string, parameter: string): Declared {
  const type = own(own(own(own(tools, tool), 'properties'), parameter), 'type')
  if (type === 'string') return Declared.String
  return type === 'object' || type === 'array' ? Declared.Container : Declared.Unknown
}
