// Keys that come twice. The last value wins, and a path that was done is not
// done again: what changed there is told by one more delta.

import { type PathStyle, type Step, pathSegment } from './path.js'
import { type Container, Node, isContainer } from './tree.js'
import type { JsonValue } from './types.js'

/** What stood where a value stands now. */
interface Replacement {
  readonly old: JsonValue | undefined
  /** Whether it is another value, as far as is known. */
  isChanged: boolean
  /** Members or elements so far. */
  size: number
}

/** The values of a document at or below keys that came twice. */
export class Replacements {
  private readonly donePaths = new Set<string>()
  private readonly byNode = new Map<Node, Replacement>()

  constructor(private readonly pathStyle: PathStyle) {}

  /** A value begins behind a key that had another. */
  begin(node: Node, value: JsonValue, old: JsonValue): void {
    this.addPaths(node.path, old)
    this.byNode.set(node, { old, isChanged: !isSameKind(old, value), size: 0 })
  }

  /** A value begins in `parent`, which may itself replace another. */
  beginInside(parent: Node, node: Node, value: JsonValue): void {
    const above = this.byNode.get(parent)
    if (above === undefined) return
    above.size++
    const isThere = isContainer(above.old) && isSameKind(above.old, parent.value) && Object.hasOwn(above.old, node.step)
    const old = isThere ? (above.old as { [key: string]: JsonValue })[node.step] : undefined
    if (!isThere) above.isChanged = true
    this.byNode.set(node, { old, isChanged: !isThere || !isSameKind(old, value), size: 0 })
  }

  /** Whether a node's path was done before. */
  has(node: Node): boolean {
    return this.byNode.has(node) && this.donePaths.has(node.path)
  }

  /** Whether a string, number or word differs from what it replaces. */
  isAnother(node: Node, value: JsonValue): boolean {
    if (Object.is(this.byNode.get(node)?.old, value)) return false
    this.markAbove(node)
    return true
  }

  /** An object or array closes: the old one if it is the same, else undefined. */
  close(node: Node): Container | undefined {
    const replacement = this.byNode.get(node)
    if (replacement === undefined) return undefined
    const { old, size } = replacement
    if (!replacement.isChanged && isContainer(old) && Object.keys(old).length === size) return old
    this.markAbove(node)
    return undefined
  }

  /** What is around a changed value is changed. */
  private markAbove(node: Node): void {
    const above = node.parent === undefined ? undefined : this.byNode.get(node.parent)
    if (above !== undefined) above.isChanged = true
  }

  /** A value was done at this path, and so was all that is in it. */
  private addPaths(path: string, value: JsonValue): void {
    const waiting: Array<readonly [path: string, value: JsonValue]> = [[path, value]]
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

/** Whether both are objects, both arrays, or neither is a container. */
function isSameKind(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isContainer(a) === isContainer(b) && Array.isArray(a) === Array.isArray(b)
}
