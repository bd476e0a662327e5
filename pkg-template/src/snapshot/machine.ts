// The state of a machine as text, in Base64.

/** A `Session` of wasm/machine.ts. */
export interface Machine {
  readonly kind: { readonly atWork: unknown; exported(what: string): ((length?: number) => number) | undefined }
  readonly border: { readonly input: Uint8Array }
  readonly isParked: boolean
  claim(): unknown
  reset(): void
}

/** A machine's state; empty at the start of a stream, and of a machine that doesn't save itself. */
export function savedMachine(machine: Machine): string {
  const { kind, border } = machine
  if (kind.atWork !== machine && !machine.isParked) return ''
  const save = kind.exported('save')
  if (save === undefined) return ''
  machine.claim()
  return btoa(String.fromCharCode(...border.input.subarray(0, save())))
}

/** Gives a machine a state. False if the text stands for none: then the machine is at the start of a stream. */
export function loadMachine(machine: Machine, text: string): boolean {
  machine.reset()
  if (text === '') return true
  let bytes
  try {
    bytes = atob(text)
  } catch {
    return false
  }
  const { kind, border } = machine
  if (bytes.length > border.input.length) return false
  // First, since the start of a stream may take the input too.
  machine.claim()
  border.input.set(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  const load = kind.exported('load')
  if (load !== undefined && load(bytes.length) !== 0) return true
  machine.reset()
  return false
}
