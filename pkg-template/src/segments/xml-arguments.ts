// The arguments of a tool that are written as XML.
//
//     <arg name="path">a.py</arg>                       path: 'a.py'
//     <path>a.py</path>                                 the same, as it was written once
//     <arg name="l"><item>1</item><item>2</item></arg>  l: ['1', '2']
//     <arg name="o"><arg name="k">v</arg></arg>         o: { k: 'v' }
//     <arg name="c"><b>1 &lt; 2</b></arg>               c: '<b>1 &lt; 2</b>'
//
// Where there is `<arguments>`, only its inside counts; it may be JSON. Texts are
// trimmed and their references decoded; CDATA is taken as it is. Elements other than
// `<arg>` and `<item>` make structure only where a schema says so: else a value
// that has some is the text exactly as it is written.
//
// Source: spec/segment.md, "Arguments"; spec/world.md, 7.5; AutoByteus 1.4.4's
// `parse_xml_arguments`. Differences: text next to elements isn't lost, markup in a
// value is text and takes no other argument with it, and arguments that are not
// closed are an error.

import { type ReadArguments, readArguments } from '../json/call-arguments.js'
import { decodeReferences } from '../references.js'
import { references } from '../wasm/xml.js'
import { type WrittenField, writtenArguments } from '../schema/written-fitter.js'
import { CallFault } from './call-fault.js'
import { type ElementKind, type ElementToken, elementsOf } from './elements.js'
import type { JsonSchema } from './types.js'

/** How JSON begins, in CDATA or not. */
const JSON_BEGINS = /^\s*(?:<!\[CDATA\[\s*)?[[{]/i

/**
 * The arguments in a text, typed where a schema is known. `repeats`: those that come again are lists without a schema
 * too.
 */
export function xmlArguments(
  text: string,
  schema: JsonSchema | undefined,
  isCut: boolean,
  repeats: boolean,
): ReadArguments | CallFault {
  const root = elementTree(text)
  const wrappers = root.children.filter((child) => child.kind === 'arguments')
  const [wrapper] = wrappers
  if (wrapper !== undefined && wrappers.length === 1 && JSON_BEGINS.test(wrapper.raw)) {
    // What looks like markup in a JSON string isn't; whoever wrote CDATA or references around it meant the characters.
    for (const text of [wrapper.raw, wrapper.inside(false)]) {
      const read = readArguments(text)
      if ('input' in read) return read
    }
    return readArguments(wrapper.inside(true))
  }
  const places = wrappers.length > 0 ? wrappers : [root]
  const fault = root.faultOf(isCut)
  if (fault !== undefined) return fault
  const unclosed = places.find((place) => place.unclosed !== undefined)?.unclosed
  if (unclosed !== undefined) return new CallFault('bad-arguments', `<${unclosed}> is not closed in the arguments`)
  if (places.includes(root) && root.isCut)
    return new CallFault('bad-arguments', 'the arguments end in the middle of a tag')
  const fields = places.flatMap((place) => place.children)
  if (fields.some(({ name }) => name === '')) return new CallFault('bad-arguments', 'an argument has no name')
  if (fields.length === 0 && places.some((place) => place.raw.trim() !== ''))
    return new CallFault('bad-arguments', 'the text has no arguments in it')
  return { input: writtenArguments(fields, schema, repeats), rules: 0 }
}

/** Arguments without the tool around them, as `otherArguments` returns them. */
export function xmlFields(text: string, isCut: boolean): readonly WrittenField[] | CallFault {
  const root = elementTree(text)
  const { children, unclosed } = root
  const fault = root.faultOf(isCut)
  if (fault !== undefined) return fault
  if (unclosed !== undefined) return new CallFault('bad-arguments', `<${unclosed}> is not closed in the arguments`)
  return children.some(({ name }) => name === '') ? new CallFault('bad-arguments', 'an argument has no name') : children
}

type Cdata = Extract<ElementToken, { kind: 'cdata' }>

/** What an element is read from. */
interface Source {
  readonly text: string
  /** For a comment, which isn't CDATA, the inside is empty and at its start. */
  readonly cdata: Cdata[]
  /** The argument that text follows, if one does. */
  stray?: string | undefined
  /** Where an argument ends whose closing tag is missing. */
  lacks?: number | undefined
}

/** An element, as it is written. */
export class Element implements WrittenField {
  readonly children: Element[] = []
  /** Where elements and comments directly inside it stand. */
  readonly marks: Array<{ readonly from: number; readonly to: number }> = []
  /** Those inside it that were never closed, one by one. */
  readonly abandoned: Element[] = []
  /** Whether there is a tag inside it that makes no structure on its own. */
  isMarkup = false
  /** Whether its inside is not well-formed markup, or has CDATA in it. */
  isText = false
  to = 0
  private innerTo = 0
  private readonly firstCdata: number
  private endCdata = 0
  private knownText: string | undefined
  private knownFields: readonly Element[] | null | undefined

  constructor(
    private readonly source: Source,
    readonly name: string,
    readonly kind: ElementKind,
    private readonly hasAttributes: boolean,
    readonly from: number,
    readonly innerFrom: number,
  ) {
    this.firstCdata = source.cdata.length
  }

  /** Its closing tag is there. */
  close(innerTo: number, to: number): void {
    this.innerTo = innerTo
    this.to = to
    this.endCdata = this.source.cdata.length
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

  /** All of its inside, as it is. */
  get raw(): string {
    return this.source.text.slice(this.innerFrom, this.innerTo)
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
        .slice(this.marks.at(-1)?.to ?? this.innerFrom, this.innerTo)
        .replace(/<\/[^<>]*>/g, '')
        .includes('<')
    )
  }

  /** Its inside, with CDATA's inside for CDATA, and without white space at the ends, unless CDATA has it. */
  inside(decodes: boolean): string {
    const { text, cdata } = this.source
    const plain = (from: number, to: number) => (decodes ? decode(text.slice(from, to)) : text.slice(from, to))
    let inside = ''
    let at = this.innerFrom
    let keptFrom: number | undefined
    let keptTo = 0
    for (let which = this.firstCdata; which < this.endCdata; which++) {
      const { from, to, innerFrom, innerTo } = cdata[which] as Cdata
      // A comment in a text belongs to the text.
      if (innerFrom === from) continue
      inside += plain(at, from)
      keptFrom ??= inside.length
      inside += text.slice(innerFrom, innerTo)
      keptTo = inside.length
      at = to
    }
    inside += plain(at, this.innerTo)
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
    let at = this.innerFrom
    for (const { from, to } of this.marks) {
      if (text.slice(at, from).trim() !== '') return false
      at = to
    }
    return text.slice(at, this.innerTo).trim() === ''
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
 * Reads the elements of a text, which are not deeper than `elementsOf` emits; the returned element stands for the text
 * itself.
 */
export function elementTree(text: string): Element {
  const source: Source = { text, cdata: [] }
  const root = new Element(source, '', 'other', false, 0, 0)
  const open = [root]
  let closed: Closed | undefined
  for (const token of elementsOf(text)) {
    const innermost = open.at(-1) as Element
    const outer = open.at(-2)
    switch (token.kind) {
      case 'open':
        open.push(
          new Element(source, decode(token.name).trim(), token.element, token.hasAttributes, token.from, token.to),
        )
        break
      case 'close':
        if (outer === undefined) break
        open.pop()
        innermost.close(token.from, token.to)
        if (source.lacks === -1) source.lacks = token.to
        outer.children.push(innermost)
        outer.marks.push(innermost)
        outer.isMarkup ||= innermost.kind !== 'arg' && innermost.kind !== 'item'
        if (innermost.kind === 'arg' && !open.some(({ kind }) => kind === 'arg'))
          closed = {
            argument: innermost,
            around: open.map((element) => ({
              element,
              children: element.children.length,
              marks: element.marks.length,
              abandoned: element.abandoned.length,
            })),
          }
        break
      case 'reclose': {
        if (closed === undefined) break
        const { argument, around } = closed
        open.length = 0
        for (const { element, children, marks, abandoned } of around) {
          argument.isMarkup ||= element.marks.length > marks
          element.children.length = children
          element.marks.length = marks
          element.abandoned.length = abandoned
          open.push(element)
        }
        argument.isText = true
        source.lacks = undefined
        argument.close(token.from, token.to)
        break
      }
      case 'stray':
        source.stray ??= closed?.argument.name
        break
      case 'lacks':
        source.lacks = -1
        break
      case 'abandon':
        if (outer === undefined) break
        open.pop()
        outer.abandoned.push(innermost, ...innermost.abandoned)
        // What is whole inside it stands outside of it now: `<br> <arguments>…</arguments>`.
        for (const child of innermost.children) outer.children.push(child)
        for (const mark of innermost.marks) outer.marks.push(mark)
        break
      case 'spoil':
        innermost.isText = true
        innermost.isMarkup = true
        break
      case 'cdata':
        source.cdata.push(token)
        innermost.marks.push(token)
        if (token.innerFrom !== token.from) innermost.isText = true
        break
    }
  }
  root.close(text.length, text.length)
  return root
}

function decode(text: string): string {
  return decodeReferences(references, text)
}
