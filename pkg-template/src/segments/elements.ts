// The elements of a tool's arguments: what opens, what closes, what was never
// closed. Rust reads them; what values they make is in xml-arguments.ts.

import { ELEMENTS, ElementBits, ElementOp } from '../generated/ops.js'
import { type Decoder, Reader } from '../reader.js'
import { decodeReferences } from '../references.js'
import type { WrittenField } from '../schema/written-fitter.js'
import { elementSession } from '../wasm/segments.js'
import { references } from '../wasm/xml.js'
import { CallFault } from './call-fault.js'

/** What an element is read from. */
interface Source {
  readonly text: string
  readonly cdata: Cdata[]
  /** The argument that text follows, if one does. */
  stray?: string | undefined
  /** Where an argument ends whose closing tag is missing; -1 if that is the next one. */
  lacks?: number | undefined
}

/** Text that is taken as it is. For a comment, which isn't CDATA, the inside is empty and at its start. */
interface Cdata {
  readonly innerFrom: number
  readonly innerTo: number
  readonly from: number
  readonly to: number
}

/** What is between an element's tags: where it stands, and which of the source's CDATA is in it. */
interface Inner {
  readonly from: number
  to: number
  readonly firstCdata: number
  endCdata: number
}

/** Elements with a meaning, in any case of letters. `<arg>` without a name is `other`. */
type ElementKind = 'arg' | 'item' | 'arguments' | 'other'

export class Element implements WrittenField {
  readonly children: Element[] = []
  /** Where elements and comments directly inside it stand. */
  readonly marks: Array<{ readonly from: number; readonly to: number }> = []
  /** Elements inside it that were never closed. */
  readonly abandoned: Element[] = []
  /** Whether there is a tag inside it that makes no structure on its own. */
  isMarkup = false
  /** Whether its inside is not well-formed markup, or has CDATA in it. */
  isText = false
  to = 0
  readonly inner: Inner
  private knownText: string | undefined
  private knownFields: readonly Element[] | null | undefined

  constructor(
    private readonly source: Source,
    readonly name: string,
    readonly kind: ElementKind,
    private readonly hasAttributes: boolean,
    readonly from: number,
    innerFrom: number,
  ) {
    this.inner = { from: innerFrom, to: 0, firstCdata: source.cdata.length, endCdata: 0 }
  }

  /** Its closing tag is there. */
  close(innerTo: number, to: number): void {
    this.to = to
    this.inner.to = innerTo
    this.inner.endCdata = this.source.cdata.length
  }

  /** The first one inside it that was never closed. */
  get unclosed(): string | undefined {
    return this.abandoned[0]?.name
  }

  /** Why the text's arguments can't be what the model meant, if that is so. `isCut`: it may have been cut off. */
  faultOf(isCut: boolean): CallFault | undefined {
    const { stray, lacks, text } = this.source
    if (stray !== undefined) return new CallFault('bad-arguments', `text follows the argument ${JSON.stringify(stray)}`)
    return isCut && lacks === text.length
      ? new CallFault('bad-arguments', '<arg> is not closed in the arguments')
      : undefined
  }

  /** Whether the closing tag of an argument is missing. */
  get isRepaired(): boolean {
    return this.source.lacks !== undefined
  }

  /** Its inside as it was written. */
  get raw(): string {
    return this.source.text.slice(this.inner.from, this.inner.to)
  }

  get text(): string {
    this.knownText ??=
      this.isMarkup || this.children.length > 0 || this.abandoned.length > 0 ? this.raw : this.inside(true)
    return this.knownText
  }

  get list(): readonly Element[] | undefined {
    return this.fields?.every((child) => child.kind === 'item') === true ? this.fields : undefined
  }

  get fields(): readonly Element[] | undefined {
    if (this.knownFields === undefined) this.knownFields = this.isStructure() ? this.children : null
    return this.knownFields ?? undefined
  }

  /** Whether its inside ends within a tag, a comment or CDATA; a closing tag that nothing opened doesn't count. */
  get isCut(): boolean {
    return (
      this.isText &&
      this.source.text
        .slice(this.marks.at(-1)?.to ?? this.inner.from, this.inner.to)
        .replace(/<\/[^<>]*>/g, '')
        .includes('<')
    )
  }

  /** Its inside, with CDATA's inside for CDATA, and without white space at the ends, unless CDATA has it. */
  inside(decodes: boolean): string {
    const { text, cdata } = this.source
    const plain = (from: number, to: number) => (decodes ? decode(text.slice(from, to)) : text.slice(from, to))
    let inside = ''
    let at = this.inner.from
    let keptFrom: number | undefined
    let keptTo = 0
    for (let which = this.inner.firstCdata; which < this.inner.endCdata; which++) {
      const { from, to, innerFrom, innerTo } = cdata[which] as Cdata
      // A comment in a text belongs to the text.
      if (innerFrom === from) continue
      inside += plain(at, from)
      keptFrom ??= inside.length
      inside += text.slice(innerFrom, innerTo)
      keptTo = inside.length
      at = to
    }
    inside += plain(at, this.inner.to)
    if (keptFrom === undefined) return inside.trim()
    return inside.slice(0, keptFrom).trimStart() + inside.slice(keptFrom, keptTo) + inside.slice(keptTo).trimEnd()
  }

  /** Whether its inside is elements, white space and comments. */
  private isStructure(): boolean {
    if (
      this.isText ||
      this.children.length === 0 ||
      this.unclosed !== undefined ||
      this.children.some((child) => child.hasAttributes)
    )
      return false
    const { text } = this.source
    let at = this.inner.from
    for (const { from, to } of this.marks) {
      if (text.slice(at, from).trim() !== '') return false
      at = to
    }
    return text.slice(at, this.inner.to).trim() === ''
  }
}

/** The last argument that no other is around, and what was open around it, with how much was in that. */
interface Closed {
  readonly argument: Element
  readonly around: ReadonlyArray<{
    readonly element: Element
    readonly children: number
    readonly marks: number
    readonly abandoned: number
  }>
}

/**
 * Reads the elements of a text, at most as deep as Rust reads them; the returned element stands for the text itself.
 */
export function elementTree(text: string): Element {
  const elements = new Elements(text)
  new Reader(elementSession(), elements).readText(text)
  elements.root.close(text.length, text.length)
  return elements.root
}

/** Makes elements of records. */
class Elements implements Decoder {
  readonly modes = []
  readonly root: Element
  private readonly source: Source
  private readonly open: Element[]
  private closed: Closed | undefined
  /** The name of the tag that is being read. */
  private name = ''
  private value: string | undefined
  private inner: readonly [from: number, to: number] = [0, 0]

  constructor(text: string) {
    this.source = { text, cdata: [] }
    this.root = new Element(this.source, '', 'other', false, 0, 0)
    this.open = [this.root]
  }

  record(word: number, from: number, to: number, text: Reader): void {
    const { source } = this
    const innermost = this.open.at(-1) as Element
    switch (word & ElementBits.OpMask) {
      case ElementOp.Name:
        this.name = text.slice(from, to)
        this.value = undefined
        break
      case ElementOp.NameValue:
        this.value = text.slice(from, to)
        break
      case ElementOp.Open: {
        const kind = ELEMENTS[(word >>> ElementBits.OpenElementShift) & ElementBits.OpenElementMask] as ElementKind
        const name = kind === 'arg' ? (this.value as string) : this.name
        const hasAttributes = (word & ElementBits.OpenHasAttributes) !== 0
        this.open.push(new Element(source, decode(name).trim(), kind, hasAttributes, from, to))
        break
      }
      case ElementOp.Close:
        return this.close(innermost, from, to)
      case ElementOp.Reclose:
        return this.reclose(from, to)
      case ElementOp.Abandon:
        return this.abandon(innermost)
      case ElementOp.Stray:
        source.stray ??= this.closed?.argument.name
        break
      case ElementOp.Lacks:
        source.lacks = -1
        break
      case ElementOp.Spoil:
        innermost.isText = innermost.isMarkup = true
        break
      case ElementOp.Inner:
        this.inner = [from, to]
        break
      case ElementOp.CData: {
        const [innerFrom, innerTo] = this.inner
        const cdata = { innerFrom, innerTo, from, to }
        source.cdata.push(cdata)
        innermost.marks.push(cdata)
        if (innerFrom !== from) innermost.isText = true
        break
      }
    }
  }

  /** The innermost open element is closed. An empty tag opens and closes. */
  private close(innermost: Element, from: number, to: number): void {
    const { source, open } = this
    const outer = open.at(-2)
    if (outer === undefined) return
    open.pop()
    innermost.close(from, to)
    if (source.lacks === -1) source.lacks = to
    outer.children.push(innermost)
    outer.marks.push(innermost)
    outer.isMarkup ||= innermost.kind !== 'arg' && innermost.kind !== 'item'
    if (innermost.kind === 'arg' && !open.some(({ kind }) => kind === 'arg'))
      this.closed = {
        argument: innermost,
        around: open.map((element) => ({
          element,
          children: element.children.length,
          marks: element.marks.length,
          abandoned: element.abandoned.length,
        })),
      }
  }

  /**
   * The argument that closed last goes on, up to the closing tag at the place: what was read since then is a part of
   * its value.
   */
  private reclose(from: number, to: number): void {
    if (this.closed === undefined) return
    const { argument, around } = this.closed
    this.open.length = 0
    for (const { element, children, marks, abandoned } of around) {
      argument.isMarkup ||= element.marks.length > marks
      element.children.length = children
      element.marks.length = marks
      element.abandoned.length = abandoned
      this.open.push(element)
    }
    argument.isText = true
    this.source.lacks = undefined
    argument.close(from, to)
  }

  /** The innermost open element was never closed. */
  private abandon(innermost: Element): void {
    const outer = this.open.at(-2)
    if (outer === undefined) return
    this.open.pop()
    outer.abandoned.push(innermost, ...innermost.abandoned)
    // What is whole inside it stands outside of it now: `<br> <arguments>…</arguments>`.
    for (const child of innermost.children) outer.children.push(child)
    for (const mark of innermost.marks) outer.marks.push(mark)
  }
}

function decode(text: string): string {
  return decodeReferences(references, text)
}
