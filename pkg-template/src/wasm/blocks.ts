// The block front-end's calls: src/wasm/block.rs.

import type { Exports } from '../generated/blocks.js'
import { TagAnswer } from '../generated/ops.js'
import { Border, Desk, type Parked } from './border.js'

export const blockBorder = new Border<Exports>()

/** Which names are tags, as the machine keeps it. */
export interface TagTable {
  /** The machine's own table. */
  readonly words: Int32Array
  /**
   * For each two ASCII characters, at 128 times the first plus the second: the roles, a bit each, whose tags' names
   * may begin so. NUL as the second stands for any.
   */
  readonly fronts: Uint8Array
}

/** What a parser of blocks brings: how it begins, and its machine while another is at work. */
export interface Session extends Parked {
  /** How the machine begins: see `block_start`. */
  readonly flags: number
  /** Its tag table. */
  readonly tags: TagTable
}

/** The machine's tag table in wasm memory, as words and as what its tags begin with. */
let shelf: TagTable | undefined
let defaults: TagTable | undefined
let loadedTags: TagTable | undefined

/** The tags that the package knows by itself. */
export function defaultTags(): TagTable {
  if (defaults === undefined) {
    blockBorder.exports.block_tags_reset()
    defaults = copyTags()
    loadedTags = defaults
  }
  return defaults
}

function findShelf(): TagTable {
  const { exports } = blockBorder
  return {
    words: blockBorder.words(exports.block_tags_pointer(), exports.block_tags_size()),
    fronts: blockBorder.bytes(exports.block_fronts_pointer(), exports.block_fronts_size()),
  }
}

function copyTags(): TagTable {
  shelf ??= findShelf()
  return { words: shelf.words.slice(), fronts: shelf.fronts.slice() }
}

const desk = new Desk<Session>(
  () => blockBorder.words(blockBorder.exports.block_machine_pointer(), blockBorder.exports.block_machine_size()),
  ({ flags }) => blockBorder.exports.block_start(flags),
)

/** Makes a session's machine the one at work, and its tags those that are looked for. */
function claim(session: Session): void {
  if (session.tags !== loadedTags) {
    shelf ??= findShelf()
    shelf.words.set(session.tags.words)
    loadedTags = session.tags
  }
  desk.claim(session)
}

/** Puts a session's machine back to the start of a stream. */
export function restartStream(session: Session): void {
  desk.restart(session)
}

/**
 * Reads `data` from `from` to `to`, of which what stands before `from` was held
 * for `held` units. Returns what `Batch::close` packs.
 */
export function run(session: Session, data: string, from: number, to: number, held: number, clip: number): number {
  if (desk.atWork !== session) claim(session)
  const length = blockBorder.write(data, from, to)
  return blockBorder.exports.block_run(length, held, clip, Number(length === to - from))
}

/** The end of the stream; returns as `run` does. */
export function finish(session: Session, held: number, clip: number): number {
  if (desk.atWork !== session) claim(session)
  return blockBorder.exports.block_finish(held, clip)
}

/** Answers a question for a declaration. */
export function declare(session: Session, declared: number): void {
  if (desk.atWork !== session) claim(session)
  blockBorder.exports.block_declare(declared)
}

/** After prefill: the kind of the block that is open, or `Absent.BlockKind`. A tool call stays open. */
export function setOpen(session: Session, kind: number): void {
  if (desk.atWork !== session) claim(session)
  blockBorder.exports.block_set_open(kind)
}

/** Forgets a held tag and the open block, not what encloses them. */
export function restart(session: Session): void {
  if (desk.atWork !== session) claim(session)
  blockBorder.exports.block_restart()
}

/** What the machine is inside of, by the number of a `BlockPlace`. */
export function place(session: Session, what: number): number {
  if (desk.atWork !== session) claim(session)
  return blockBorder.exports.block_place(what)
}

/** A tag table: the default one with changes. `refuse` is called with the code of what is wrong. */
export function makeTags(changes: ReadonlyArray<readonly [name: string, role: string]>, refuse: (code: number, name: string, role: string) => never): TagTable {
  const { words } = defaultTags()
  shelf ??= findShelf()
  loadedTags = undefined
  shelf.words.set(words)
  for (const [name, role] of changes) {
    const fits = name.length + role.length < 1_024
    const code = fits ? setTag(name, role) : TagAnswer.BadName
    if (code !== TagAnswer.Done) refuse(code, name, role)
  }
  return copyTags()
}

function setTag(name: string, role: string): number {
  const length = blockBorder.write(name, 0, name.length)
  const both = name + role
  return blockBorder.exports.block_tags_set(length, blockBorder.write(both, 0, both.length) - length)
}

/** Of what a call returns: the roles whose openers (7 bits), and above them those whose closers count now. */
export function countedOf(packed: number): number {
  return packed >>> 14
}
