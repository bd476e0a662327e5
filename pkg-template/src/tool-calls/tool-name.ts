// Which of the tools that were given a name means.
//
//     run                     itself, if there is such a tool
//     "run"                   quotes come off
//     functions_run_1         so does what a row writes around names, where the row has `functions.`:
//     functionsrun1           the prefix, and the number of the call
//     runjson                 the content type, where a message's header has the name
//     default_api:run         a namespace, in braces and in Python's calls
//
// A name that is a tool wins over what could come off it.
//
// Source: spec/policy.md, 8.

import { NOTHING_REPAIRED } from '../formats/encode.js'
import type { Format } from '../formats/types.js'

const NAMESPACE = 'functions'

/** Whether a row writes `functions.` before names. */
function hasNamespace({ call, messages }: Format): boolean {
  const literals = [...(call?.head ?? []), ...(messages?.routes ?? []).map(({ name = [] }) => name)]
  return literals.some((piece) => Array.isArray(piece) && piece.some((text) => text.endsWith(`${NAMESPACE}.`)))
}

/** The tool that a name means, or the name if it means none. */
export function toolNamed(written: string, format: Format, isTool: (name: string) => boolean): string {
  if (isTool(written) || format.repairs?.includes(NOTHING_REPAIRED) === true) return written
  const name = /^(["'`])(.+)\1$/s.exec(written)?.[2] ?? written
  if (isTool(name)) return name
  const namespaced = hasNamespace(format)
  const hasPrefix = format.call?.body === 'brace' || format.call?.body === 'python'
  const fronts = [/^/, ...(namespaced ? [/^functions[._]?/] : []), ...(hasPrefix ? [/^\w+[.:]/] : [])]
  const ends = [
    /$/,
    ...(namespaced ? [/:\d+$/, /_\d+$/, /\d+$/] : []),
    ...(format.messages === undefined ? [] : [/json$/]),
  ]
  for (const end of ends) {
    for (const front of fronts) {
      const candidate = name.replace(front, '').replace(end, '')
      if (isTool(candidate)) return candidate
    }
  }
  return name
}

/** Whether a name is an id of a call: `call_1`. */
export function isCallId(name: string, format: Format): boolean {
  return hasNamespace(format) && /^call_/.test(name)
}
