// The markers that a text must not have.
//
// A tag may have white space before its `>` and is read all the same; with the repair `loose-tags` also after `<`, and
// its letters may be large.

import type { Format } from '../formats/types.js'
import { SPACES } from './markers.js'

/** What would begin something else in the text beside calls. */
export function textMarkers(format: Format, tools: readonly string[]): readonly string[] {
  const { section, reasoning, messages, skip = [] } = format
  return written(format, [
    ...callOpeners(format, tools),
    section?.open,
    section?.close,
    reasoning?.open,
    reasoning?.close,
    messages?.open,
    messages?.close,
    ...skip.map(({ open }) => open),
  ])
}

/** What would end reasoning, or begin it again. */
export function reasoningMarkers(format: Format, tools: readonly string[]): readonly string[] {
  const { section, reasoning, messages } = format
  const calls = reasoning?.endsAtCall === true ? [...callOpeners(format, tools), section?.open] : []
  return written(format, [reasoning?.open, reasoning?.close, ...calls, messages?.open, messages?.close])
}

/** What could end a value, or would be unwrapped. `names`: of the tool and its arguments, which tags may have. */
export function valueMarkers(format: Format, names: readonly string[]): readonly string[] {
  const { call, params, section, messages, elements } = format
  if (call?.body === 'brace') return written(format, [[call.quote ?? '']])
  if (call?.body === 'elements')
    return elements?.prefix === undefined
      ? ['<![CDATA[', ...names.flatMap((name) => [`<${name}`, `</${name}`])]
      : [elements.prefix]
  return written(format, [
    ['<![CDATA['],
    params?.close,
    params?.open,
    call?.open,
    call?.close,
    section?.open,
    section?.close,
    messages?.open,
    messages?.close,
  ])
}

/** What could end a call's arguments where these are a text. */
export function textBodyMarkers(format: Format): readonly string[] {
  return written(format, [format.call?.open, format.call?.close])
}

type Some = readonly string[] | undefined

/** What a call may begin with. */
function callOpeners({ call, elements }: Format, tools: readonly string[]): readonly Some[] {
  const { open = [], names, body, bare, head = [] } = call ?? {}
  const isTag = (body === 'elements' || body === 'yaml') && open.length === 0
  const [first] = head
  const bareOnes = body === 'python' ? ['[', ...tools.map((name) => `${name}(`)] : ['{', '[', '```']
  return [
    open,
    names?.open,
    open.length === 0 && typeof first === 'string' && !/^[A-Z]+$/.test(first) ? [first] : [],
    isTag ? tools.map((name) => `${elements?.prefix ?? ''}<${name}`) : [],
    bare === undefined ? [] : bareOnes,
  ]
}

/** A marker with the full-width bar for `{bars}`, and what begins it with any others: no text goes on there. */
function withBars(marker: string): readonly string[] {
  const [front, after] = marker.split('{bars}', 2)
  if (after === undefined) return [marker]
  const others = [...[...'|‖│'], ...[...'|｜‖│', ...SPACES].map((next) => `｜${next}`)]
  return [...others.map((bars) => front + bars), ...withBars(marker.replace('{bars}', '｜'))]
}

/** The ways in which markers may be written. */
function written({ repairs = [] }: Format, lists: readonly Some[]): readonly string[] {
  const starts = lists.flatMap((list) => list ?? []).map((marker) => marker.split('{suffix}')[0]?.trim() ?? '')
  const markers = starts.flatMap(withBars)
  const isLoose = repairs.includes('loose-tags')
  const tags = markers.filter((marker) => marker.startsWith('<'))
  const cases = (letter: string | undefined) => [...new Set([letter?.toLowerCase() ?? '', letter?.toUpperCase() ?? ''])]
  const fronts = tags.flatMap(([, first, second]) =>
    cases(first).flatMap((one) => (one === '/' ? one : cases(second).map((other) => one + other))),
  )
  const loose = [...fronts.flatMap((front) => [`<${front}`, `< ${front}`]), ...SPACES.map((space) => `< ${space}`)]
  const all = [
    ...markers.filter((marker) => marker !== ''),
    ...tags.filter((tag) => tag.endsWith('>')).flatMap((tag) => SPACES.map((space) => tag.slice(0, -1) + space)),
    ...(isLoose ? [...loose, ...SPACES.slice(1).map((space) => `<${space}`)] : []),
  ]
  return [...new Set(all)].sort()
}
