// What the machine of blocks has of its own: src/wasm/block.rs.

import type { TagSet } from '../generated/ops.js'
import { blockBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const blocks = new MachineKind(blockBorder, 'block')

/** The machine of character references. */
export const blockReferences = new MachineKind(blockBorder, 'references')

/** What the definition of a custom tag says of its blocks. */
export interface OwnBlocks {
  readonly type: string
  readonly visible: boolean
}

/** Which names are tags, as the machine keeps it. */
export interface TagTable {
  /** The machine's own table. */
  readonly words: Int32Array
  /**
   * For each two ASCII characters, at 128 times the first plus the second: the roles, a bit each, whose tags' names
   * may begin so. NUL as the second means any.
   */
  readonly fronts: Uint8Array
  /** What its custom tags say, by their numbers, from 1 on. */
  readonly own: readonly OwnBlocks[]
}

/** A custom tag, which stands inside of the one with a number, or with 0 in text. */
export interface OwnTagIn extends OwnBlocks {
  readonly name: string
  readonly parent: number
}

/** What a number is above that is no `TagAnswer`. */
const OWN_NUMBER = 256

/** The machine's tag table in wasm memory, as words and as what its tags begin with. */
let shelf: TagTable | undefined
const builtIn: { [Set in TagSet]?: TagTable } = {}
let loadedTags: TagTable | undefined

/** One stream's machine, and what only blocks ask of it. */
export class BlockSession extends Session {
  /**
   * After prefill: the number of the kind of the block that is open, and how much of what is pending was sent before.
   */
  setOpen(kind: number, pending: number): void {
    this.claim()
    blockBorder.exports.block_set_open(kind, pending)
  }

  /** Forgets a pending tag and the open block, not what encloses them. */
  forgetBlock(): void {
    this.claim()
    blockBorder.exports.block_forget()
  }

  /** All text so far is history. */
  endHistory(): void {
    this.claim()
    blockBorder.exports.block_end_history()
  }

  /** Goes on outside of all blocks. `flags`: `BlockFlag` bits. */
  startAgain(flags: number): void {
    this.claim()
    blockBorder.exports.block_start(flags)
  }

  /** What the machine is inside of, by the numbers of `BlockPlace`. */
  place(what: number): number {
    this.claim()
    return blockBorder.exports.block_place(what)
  }
}

/** The machine of a stream of blocks. `flags`: `BlockFlag` bits. */
export function blockSession(flags: number, tags: TagTable): BlockSession {
  return new BlockSession(
    blocks,
    () => blockBorder.exports.block_start(flags),
    () => {
      if (tags !== loadedTags) (shelf ??= findShelf()).words.set(tags.words)
      loadedTags = tags
    },
  )
}

/** A tag table that is built into the package. */
export function builtInTags(set: TagSet): TagTable {
  let tags = builtIn[set]
  if (tags === undefined) {
    blocks.release()
    blockBorder.exports.block_tags_reset(set)
    tags = builtIn[set] = copyTags()
    loadedTags = tags
  }
  return tags
}

/** A tag table: one that is built in, with changes. `refuse` is called with the code of what is wrong. */
export function makeTags(
  set: TagSet,
  changes: ReadonlyArray<readonly [name: string, role: string]>,
  own: readonly OwnTagIn[],
  refuse: (code: number, name: string, role: string) => never,
): TagTable {
  const { words } = builtInTags(set)
  blocks.release()
  loadedTags = undefined
  shelf ??= findShelf()
  shelf.words.set(words)
  for (const [name, role] of changes) {
    const fits = name.length + role.length < 1_024
    const code = fits ? setTag(name, role) : 1
    if (code !== 0) refuse(code, name, role)
  }
  for (const { name, parent } of own) {
    const code =
      name.length < 1_024 ? blockBorder.exports.block_tags_own(blockBorder.write(name, 0, name.length), parent) : 1
    if (code < OWN_NUMBER) refuse(code, name, '')
  }
  return copyTags(own)
}

function setTag(name: string, role: string): number {
  const length = blockBorder.write(name, 0, name.length)
  const both = name + role
  return blockBorder.exports.block_tags_set(length, blockBorder.write(both, 0, both.length) - length)
}

function findShelf(): TagTable {
  const { exports } = blockBorder
  return {
    words: blockBorder.words(exports.block_tags_pointer(), exports.block_tags_size()),
    fronts: blockBorder.bytes(exports.block_fronts_pointer(), exports.block_fronts_size()),
    own: [],
  }
}

function copyTags(own: readonly OwnBlocks[] = []): TagTable {
  shelf ??= findShelf()
  return { words: shelf.words.slice(), fronts: shelf.fronts.slice(), own }
}
