// Keys that the schema forbids are left out, with all that is in them.
//
// Source: spec/world.md, 6.1. A schema forbids what `additionalProperties: false` says,
// in every object that has only one description.

import { FieldOp } from '../generated/ops.js'
import { ELEMENT, type Outline } from '../schema/outline.js'

/** A container that is open: where it stands, and its description. */
export class OpenContainer {
  constructor(
    readonly isArray: boolean,
    readonly key: string,
    public outline: Outline | undefined,
  ) {}
}

/** Follows the records of a document, and says which are part of a member that is left out. */
export class Forbidden {
  /** The descriptions of the open containers. */
  private readonly open: OpenContainer[] = []
  private key = ''
  /** Containers that are open in what is left out; -1 if nothing is. */
  private depth = -1

  constructor(private readonly root: Outline) {}

  /** Whether a value is being left out. */
  get isInside(): boolean {
    return this.depth >= 0
  }

  /** Whether the place is in a container that is left out. */
  get isDeep(): boolean {
    return this.depth > 0
  }

  /** A document begins. */
  begin(): void {
    this.open.length = 0
    this.depth = -1
  }

  /** A key was read: whether it is forbidden. */
  forbids(key: string): boolean {
    this.key = key
    this.depth = this.open[this.open.length - 1]?.outline?.forbids(key) === true ? 0 : -1
    return this.depth === 0
  }

  /** Whether a record that isn't of a key is part of a value that is left out. `isArray`, where a container opens. */
  takes(op: number, isArray: boolean): boolean {
    switch (op) {
      case FieldOp.Push:
        if (this.depth < 0) this.push(isArray)
        else this.depth++
        return this.depth > 0
      case FieldOp.Pop:
        if (this.depth > 0) {
          this.end(1)
          return true
        }
        // A key without a value.
        this.depth = -1
        this.open.pop()
        return false
      case FieldOp.Piece:
      case FieldOp.Character:
        return this.isInside
      case FieldOp.Text:
      case FieldOp.Number:
      case FieldOp.CutNumber:
      case FieldOp.Word: {
        const { isInside } = this
        this.end(0)
        return isInside
      }
      default:
        return false
    }
  }

  private push(isArray: boolean): void {
    const above = this.open[this.open.length - 1]
    this.open.push(new OpenContainer(isArray, this.key, outlineIn(above, this.key, this.root)))
  }

  /** A value has ended, and so many containers with it. */
  private end(containers: 0 | 1): void {
    if (this.depth < 0) return
    this.depth -= containers
    if (this.depth === 0) this.depth = -1
  }
}

/** The description of a container in another one. */
function outlineIn(above: OpenContainer | undefined, key: string, root: Outline): Outline | undefined {
  return above === undefined ? root : above.outline?.at(above.isArray ? ELEMENT : key)
}
