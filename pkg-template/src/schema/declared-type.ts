// The type of a tool's parameter, for blocks. It imports nothing, since their entry is small.

/** How a parameter is declared by the schema of its tool: 0 not, 1 a string, 2 an object or array. Only `type` is read. */
export function declaredType(tools: unknown, tool: string, parameter: string): 0 | 1 | 2 {
  const type = ownValue(ownValue(ownValue(ownValue(tools, tool), 'properties'), parameter), 'type')
  if (type === 'string') return 1
  return type === 'object' || type === 'array' ? 2 : 0
}

function ownValue(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}
