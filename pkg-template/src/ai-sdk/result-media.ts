// Files and images in the results of tools, which no text can carry.
//
//     AI SDK 5   { type: 'media', data, mediaType }
//     AI SDK 6   file-data, image-data, file-url, image-url; file-id, image-file-id
//     AI SDK 7   { type: 'file', data: { type: 'data' | 'url' | 'reference' | 'text', … }, mediaType }
//
// Source: `LanguageModelV2ToolResultOutput` and its successors in `@ai-sdk/provider`.

import { own } from '../own.js'
import type { PromptPart } from './types.js'

/** What is in a result besides text. */
export interface ResultMedia {
  /** As parts of a user's message. */
  readonly files: readonly PromptPart[]
  /** The kinds of those that no message can have: ids of a provider's files, for example. */
  readonly others: readonly string[]
}

/** The files of a result's `output`. */
export function mediaOf(output: unknown): ResultMedia {
  const content = own(output, 'type') === 'content' ? own(output, 'value') : undefined
  const files: PromptPart[] = []
  const others: string[] = []
  for (const part of Array.isArray(content) ? (content as unknown[]) : []) {
    const type = String(own(part, 'type'))
    if (type === 'text') continue
    const file = fileOf(type, part)
    if (file === undefined) others.push(type)
    else files.push(file)
  }
  return { files, others }
}

function fileOf(type: string, part: unknown): PromptPart | undefined {
  const data = dataOf(type, part)
  if (data === undefined) return undefined
  const mediaType = own(part, 'mediaType') ?? (type.startsWith('image') ? 'image/*' : 'application/octet-stream')
  const said = ['filename', 'providerOptions'].flatMap((key) =>
    own(part, key) === undefined ? [] : [[key, own(part, key)]],
  )
  return { type: 'file', data, mediaType, ...Object.fromEntries(said) } as PromptPart
}

function dataOf(type: string, part: unknown): unknown {
  switch (type) {
    case 'media':
    case 'file-data':
    case 'image-data':
    case 'file':
      return own(part, 'data')
    case 'file-url':
    case 'image-url':
      return urlOf(own(part, 'url'))
    default:
      return undefined
  }
}

/** A file in a message is a URL as an object; as a text it would be data. */
function urlOf(url: unknown): URL | undefined {
  try {
    return new URL(String(url))
  } catch {
    return undefined
  }
}
