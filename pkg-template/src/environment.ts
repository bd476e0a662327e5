// Environment variables, if there are any: a browser has none.

/** A variable's value. */
export function environmentVariable(name: string): string | undefined {
  try {
    const value = (globalThis as { process?: { env?: Readonly<Record<string, unknown>> } }).process?.env?.[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    // Deno asks for permission to read the environment, and throws if it is refused.
    return undefined
  }
}
