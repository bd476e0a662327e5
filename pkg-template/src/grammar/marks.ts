// The markers that a text must not have.

import type { Format } from '../formats/types.js'

/** A marker up to where it is free. */
export function withoutSuffix(marker: string): string {
  return marker.split('{suffix}')[0] ?? ''
}

/** What would begin something else in the text beside calls. */
export function textMarkers(format: Format, tools: readonly string[]): readonly string[] {
  const { section, reasoning, messages, skip = [] } = format
  const markers = [
    ...callOpeners(format, tools),
    ...(section?.open ?? []),
    ...(section?.close ?? []),
    ...(reasoning?.open ?? []),
    ...(reasoning?.close ?? []),
    ...(messages?.open ?? []),
    ...(messages?.close ?? []),
    ...skip.flatMap(({ open }) => open),
  ]
  return known(markers)
}

/** What would end reasoning, or begin it again. */
export function reasoningMarkers(format: Format, tools: readonly string[]): readonly string[] {
  const { section, reasoning, messages } = format
  const calls = reasoning?.endsAtCall === true ? [...callOpeners(format, tools), ...(section?.open ?? [])] : []
  return known([
    ...(reasoning?.open ?? []),
    ...(reasoning?.close ?? []),
    ...calls,
    ...(messages?.open ?? []),
    ...(messages?.close ?? []),
  ])
}

/** What a call may begin with. */
function callOpeners({ call, elements }: Format, tools: readonly string[]): readonly string[] {
  const { open = [], names, body, bare, head = [] } = call ?? {}
  const isTag = (body === 'elements' || body === 'yaml') && open.length === 0
  const isPython = body === 'python'
  const [first] = head
  const bareOnes = isPython ? ['[', ...tools.map((name) => `${name}(`)] : ['{', '[', '```']
  return [
    ...open,
    ...(names?.open ?? []),
    ...(open.length === 0 && typeof first === 'string' && !/^[A-Z]+$/.test(first) ? [first] : []),
    ...(isTag ? tools.map((name) => `${elements?.prefix ?? ''}<${name}`) : []),
    ...(bare === undefined ? [] : bareOnes),
  ]
}

function known(markers: readonly string[]): readonly string[] {
  return [...new Set(markers.map((marker) => withoutSuffix(marker).trim()).filter((marker) => marker !== ''))]
}
