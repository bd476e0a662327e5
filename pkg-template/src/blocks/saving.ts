// What is saved of blocks, besides what differs from a new parser (snapshot/state.ts).

import { TAG_ROLES } from '../generated/ops.js'
import { type Check, count, either, flag, json, list, maybe, one, shape, text } from '../snapshot/checks.js'
import { isRecord } from '../own.js'
import type { ChunkMeta, MarkupEmission } from './types.js'

const SPAN: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(count)

/** The attributes of an own tag. */
export const ATTRIBUTES: Check = maybe((value) => isRecord(value) && Object.values(value).every(text))

/** A piece's metadata. */
export const META = shape<ChunkMeta>({
  type: text,
  visible: flag,
  blockIndex: count,
  depth: maybe(count),
  toolCallPart: one(undefined, 'name', 'id', 'input'),
  toolId: maybe(text),
  toolName: maybe(text),
  insideThinking: one(undefined, true),
  inText: one(undefined, true),
  hosted: one(undefined, true),
  incomplete: one(undefined, true),
  attributes: ATTRIBUTES,
  parent: maybe(count),
  span: maybe(SPAN),
})

/** A role's tag. */
export const TAG_AT = shape<Pick<MarkupEmission, 'role' | 'tagKind' | 'name'>>({
  role: one(undefined, ...TAG_ROLES),
  tagKind: one('open', 'close', 'self-closing', 'layout'),
  name: maybe(text),
})

/** What a callback gets. */
const EMISSION: Check = (value) => {
  if (!isRecord(value) || !json(value)) return false
  if (value['kind'] === 'content') return text(value['text']) && META(value['meta'])
  if (value['kind'] === 'markup') return text(value['text']) && SPAN(value['span'])
  return value['kind'] === 'blockEvent' && isRecord(value['event'])
}

/** What waits to be emitted. */
export const EMISSIONS = list(EMISSION)

/** What waits to be emitted, and text that may be a stop sequence. */
export const WAITING = list(
  either(
    EMISSION,
    shape<{ kind?: undefined; text: string; from: number }>({ kind: one(undefined), text, from: count }),
  ),
)
