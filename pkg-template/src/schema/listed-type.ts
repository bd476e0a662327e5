// The type of a parameter by a schema that lists it, for the blocks. It imports nothing,
// since their entry is small.

/** Whether a tool's schema lists a parameter as a string, or as an array or object. Only `type` is read. */
export function listedType(tools: unknown, tool: string, name: string): 'string' | 'container' | undefined {
  const type = ownValue(ownValue(ownValue(ownValue(tools, tool), 'properties'), name), 'type')
  return type === 'string' ? type : type === 'object' || type === 'array' ? 'container' : undefined
}

function ownValue(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}
