// What a chunk may be without being read: content of the open block and nothing else, as most chunks of an answer are.
//
// To see that costs a search for `<`, and a look at the two characters after it. What is known of tags here are tables
// made by Rust: what ends each mode (`BLOCK_STOPS`), and for each two characters that a tag's name may begin with the
// roles whose tags count (`fronts`).

import { BLOCK_STOPS, BlockMode, BlockTrigger } from '../generated/ops.js'

/** Of each mode of content, what ends it besides tags. */
const ENDS = BLOCK_STOPS.slice(0, BlockMode.Quoted + 1).map((stops) => [...stops].filter((stop) => stop !== '<'))

/** Whether a text without tags is content as a whole. */
export function isContent(mode: number, text: string): boolean {
  const ends = mode === BlockMode.Read ? undefined : ENDS[mode]
  return ends !== undefined && !ends.some((end) => text.includes(end))
}

/**
 * Where a tag may begin from a place on, by the first two characters of its name; the text's end if none does.
 * `counted`: the roles whose tags count, opening tags, and above them closing tags.
 */
export function tagIn(text: string, from: number, fronts: Uint8Array, counted: number): number {
  let at = text.indexOf('<', from)
  while (at !== -1 && !mayBegin(text, at, fronts, counted)) at = text.indexOf('<', at + 1)
  return at === -1 ? text.length : at
}

/** Whether the text ends before the second character of a tag's name. */
export function isCut(text: string, tag: number): boolean {
  return nameAt(text, tag) + 1 >= text.length
}

function mayBegin(text: string, tag: number, fronts: Uint8Array, counted: number): boolean {
  const at = nameAt(text, tag)
  const roles = at === tag + 1 ? counted & BlockTrigger.OpenersMask : counted >>> BlockTrigger.ClosersShift
  const left = text.length - at
  if (left === 0) return at === tag + 1 || roles !== 0
  const first = text.charCodeAt(at)
  // Nothing after it yet counts as any.
  const second = left === 1 ? BlockTrigger.Any : text.charCodeAt(at + 1)
  return first < 128 && second < 128 && ((fronts[(first << BlockTrigger.FirstShift) | second] as number) & roles) !== 0
}

/** Where the name of a tag begins. */
function nameAt(text: string, tag: number): number {
  return text.charCodeAt(tag + 1) === BlockTrigger.Slash ? tag + 2 : tag + 1
}
