// The tags of a text, in order, as the machine of elements reads them: nothing in a payload is one.

import { BlockFlag, TAG_ROLES, TagSet } from '../generated/ops.js'
import { BlockFeed } from '../blocks/feed.js'
import { IgnoredBlocks } from '../blocks/ignored-blocks.js'
import { PayloadPlaces } from '../blocks/payload-places.js'
import { decodeReferences } from '../references.js'
import { blockReferences, builtInTags } from '../wasm/blocks.js'

/** A tag, or text that the program itself wrote. Places are UTF-16 code units. */
export interface Tag {
  readonly role: (typeof TAG_ROLES)[number]
  readonly kind: 'open' | 'close' | 'empty' | 'envelope'
  readonly start: number
  readonly end: number
  /** The name as written, without its prefix. */
  readonly word: string
  /** The value of its attribute `name`, or of `tool_use_id`. */
  readonly name: string | undefined
}

/** A part of a text. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** The tags of a text, and where its payloads are. */
export interface Tags {
  readonly tags: readonly Tag[]
  readonly payloads: PayloadPlaces
}

/** Reads a text. So many units of it are history; `envelopes` are in order, and not read. */
export function tagsOf(text: string, historyLength = 0, envelopes: readonly Place[] = []): Tags {
  const list = new TagList()
  const borders = [...envelopes, { start: historyLength, end: historyLength }]
    .filter(({ start, end }) => start > 0 || end > 0)
    .sort((a, b) => a.start - b.start)
  let at = 0
  for (const { start, end } of borders) {
    // There is no border in an envelope.
    if (start < at || start > text.length) continue
    list.read(text.slice(at, start))
    list.border(start, end)
    at = end
  }
  list.read(text.slice(at))
  list.end()
  return list
}

class TagList extends IgnoredBlocks implements Tags {
  readonly tags: Tag[] = []
  readonly payloads = new PayloadPlaces()
  private readonly feed = new BlockFeed(
    this,
    BlockFlag.Elements | BlockFlag.EmitsMarkup,
    builtInTags(TagSet.Default),
    true,
  )
  /** Units of envelopes so far, which the feed doesn't know. */
  private passed = 0
  private next: Pick<Tag, 'role' | 'kind' | 'word'> | undefined
  private name: string | undefined

  read(text: string): void {
    if (text !== '') this.feed.read(text)
  }

  /** History ends here, or an envelope stands here: what is open in the text before it stays there. */
  border(start: number, end: number): void {
    const { feed } = this
    if (end > start) feed.endReply()
    feed.endHistory()
    this.payloads.end(start)
    this.passed += end - start
    if (end > start)
      this.tags.push({ role: 'function_results', kind: 'envelope', start, end, word: '', name: undefined })
  }

  end(): void {
    this.feed.endReply()
  }

  override tag(name: string, role: number, isCloser: boolean, isEmpty: boolean): void {
    this.next = {
      role: TAG_ROLES[role] as Tag['role'],
      kind: isCloser ? 'close' : isEmpty ? 'empty' : 'open',
      word: name.slice(name.indexOf(':') + 1),
    }
    this.name = undefined
  }

  override attribute(value: string): void {
    this.name = decodeReferences(blockReferences, value)
  }

  override markup(_: string, isLayout: boolean, from: number, to: number): void {
    if (this.next === undefined || isLayout) return
    this.tags.push({ ...this.next, start: from + this.passed, end: to + this.passed, name: this.name })
    this.next = undefined
  }

  override payload(isOpen: boolean, at: number): void {
    if (isOpen) this.payloads.begin(at + this.passed)
    else this.payloads.end(at + this.passed)
  }
}
