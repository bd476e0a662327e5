// Objects made from a model's text. `__proto__` and `constructor` are ordinary keys
// there, and inherited members are never read.

/** Whether a value is an object with keys: not an array, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A key's value, if it is the object's own. */
export function own(object: unknown, key: string): unknown {
  return isRecord(object) && Object.hasOwn(object, key) ? object[key] : undefined
}

/** Makes a key the object's own. */
export function put<Value>(object: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}
