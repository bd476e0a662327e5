// Keys that come twice. The last value wins, and a path that was done is not
// done again: what changed there is one more delta.

import { type PathStyle, type Step, pathSegment } from '../json/path.js'
import { type Container, type Node, type Replacement, isContainer } from './tree.js'
import type { JsonValue } from './types.js'

/** The values of a document at or below keys that came twice. */
export class Replacements {
  private readonly donePaths = new Set<string>()

  constructor(private readonly pathStyle: PathStyle) {}

  /** The paths that were done before their value was replaced. */
  get paths(): Iterable<string> {
    return this.donePaths
  }

  /** A value begins after a key that had another; undefined if a snapshot left that out. */
  begin(node: Node, old: JsonValue | undefined): void {
    this.addPaths(node.path, old)
    this.replace(node, old, !isSameKind(old, node.value))
  }

  /** A value begins in a container that may itself replace another. */
  beginInside(parent: Node, node: Node): void {
    const above = parent.replacement
    if (above === undefined) return
    above.size++
    const isThere = isContainer(above.old) && isSameKind(above.old, parent.value) && Object.hasOwn(above.old, node.step)
    const old = isThere ? (above.old as { [key: string]: JsonValue })[node.step] : undefined
    if (!isThere) above.isChanged = true
    this.replace(node, old, !isThere || !isSameKind(old, node.value))
  }

  private replace(node: Node, old: JsonValue | undefined, isChanged: boolean): void {
    node.replacement = { old, wasDone: this.donePaths.has(node.path), isChanged, size: 0 }
  }

  /** A value was done at this path, and so was all that is in it. */
  private addPaths(path: string, value: JsonValue | undefined): void {
    const waiting: Array<readonly [path: string, value: JsonValue | undefined]> = [[path, value]]
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const [at, inner] = pair
      this.donePaths.add(at)
      if (!isContainer(inner)) continue
      const isArray = Array.isArray(inner)
      for (const [key, child] of Object.entries(inner)) {
        const step: Step = isArray ? Number(key) : key
        waiting.push([at + pathSegment(this.pathStyle, step, false), child])
      }
    }
  }
}

/** Whether a value's path was done before. */
export function isReplacing(node: Node): boolean {
  return node.replacement !== undefined && node.replacement.wasDone
}

/** Whether a string, number or word differs from what it replaces. */
export function isAnother(node: Node): boolean {
  if (Object.is(node.replacement?.old, node.value)) return false
  markAbove(node)
  return true
}

/** A container that replaces another closes: the old one if it is the same, else undefined. */
export function sameAsOld(node: Node): Container | undefined {
  const { old, isChanged, size } = node.replacement as Replacement
  if (!isChanged && isContainer(old) && Object.keys(old).length === size) return old
  markAbove(node)
  return undefined
}

/** What is around a changed value is changed. */
function markAbove(node: Node): void {
  const above = node.parent?.replacement
  if (above !== undefined) above.isChanged = true
}

/** Whether both are objects, both arrays, or neither is a container. */
function isSameKind(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isContainer(a) === isContainer(b) && Array.isArray(a) === Array.isArray(b)
}
