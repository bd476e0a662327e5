// The calls of one block: which of them may be executed, and why the others may not.
//
//     call  ::= '<invoke name="f">' prose? (parameter space*)* '</invoke>'
//     value ::= text up to its '</parameter>', or a payload
//
// Where the tags of a call leave open what the model meant, the call is refused. Its values are read by the block
// parser.
//
// Source: membrane after 0.5.86, src/utils/tool-parser.ts; spec/policy.md, 4 to 6.

import { BlockFlag } from '../generated/ops.js'
import type { BlockReading } from '../blocks/reading.js'
import { typedReading } from '../blocks/typed-reading.js'
import type { BlockEmission, MembraneBlock } from '../blocks/types.js'
import { ParameterTypes } from '../schema/parameter-types.js'
import { type Enclosed, callAt } from './elements.js'
import type { PayloadPlaces } from '../blocks/payload-places.js'
import type { Place, Tag } from './tag-list.js'
import type { NoticeKind, ToolTextOptions } from './types.js'

/** One call as it is written. */
export interface Invoke {
  /** Its name; empty if it has none. */
  readonly name: string
  /** Where its tag begins. */
  readonly start: number
  readonly input: Record<string, unknown> | undefined
  /** Whether another call begins before its closing tag. */
  readonly isOpen?: boolean
  /** What is wrong with it, if something is. */
  readonly fault: { readonly kind: NoticeKind; readonly message: string } | undefined
}

/** One parameter in a call. */
interface Parameter extends Place {
  readonly name: string
  /** Its tag, and its value. */
  readonly from: number
  readonly to: number
  readonly isPayload: boolean
  /** Opening tags in its value, which are text. */
  readonly swallowed: readonly Tag[]
}

/** What stands in a call. */
interface Parts {
  readonly parameters: readonly Parameter[]
  /** Text before the first parameter, and after one. */
  readonly before: string
  readonly after: string
  /** A closing tag of a parameter that closes none, or a value that none closes. */
  readonly stray: string | undefined
}

/** Reads the calls of one text. */
export class CallReader {
  private readonly reading: BlockReading
  private readonly types: ParameterTypes

  constructor(
    private readonly text: string,
    private readonly payloads: PayloadPlaces,
    { tools }: ToolTextOptions,
  ) {
    this.types = new ParameterTypes(tools)
    this.reading = typedReading({ tools, generateId: () => 'call' }, { flags: BlockFlag.KeepsTags })
  }

  /** The calls of a block, in order. */
  read({ tags, isCut }: Enclosed): Invoke[] {
    const invokes: Invoke[] = []
    for (let at = 0; at < tags.length; ) {
      const tag = tags[at] as Tag
      if (tag.role !== 'invoke' || tag.kind === 'close') {
        at = this.afterEnclosed(tags, at)
        continue
      }
      const call = callAt(tags, at)
      const last = tags[call.end - 1] as Tag
      invokes.push(
        call.isClosed
          ? this.whole(tag, tags.slice(at + 1, call.end - 1), last)
          : { ...this.refused(tag, 'it is not closed'), isOpen: true },
      )
      if (isCut && call.end === tags.length) invokes[invokes.length - 1] = this.refused(tag, CUT)
      at = call.end
    }
    return invokes
  }

  /** The place in a list after a tag; if it opens thinking or results, after all of that: a call in them is not one. */
  private afterEnclosed(tags: readonly Tag[], at: number): number {
    const { role, kind, word } = tags[at] as Tag
    if (kind !== 'open' || (role !== 'thinking' && role !== 'function_results')) return at + 1
    let place = at + 1
    for (
      let tag = tags[place];
      tag !== undefined && (tag.kind !== 'close' || tag.role !== role || tag.word !== word);
      tag = tags[place]
    )
      place++
    return place + 1
  }

  private refused({ name = '', start }: Tag, message: string, input?: Record<string, unknown>): Invoke {
    return { name, start, input, fault: { kind: 'refused', message: messageOf(name, 'refused', message) } }
  }

  /** A call up to its closing tag. */
  private whole(tag: Tag, inside: readonly Tag[], last: Tag): Invoke {
    const { name = '', start } = tag
    if (name === '') return this.refused(tag, 'it has no name')
    const parts = tag.kind === 'empty' ? NOTHING : this.partsOf(tag.end, inside, last.start)
    const { input, hasStray } = this.inputOf(tag.start, last.end, parts.parameters)
    const problem = this.problemOf(name, parts, hasStray)
    if (problem !== undefined) return this.refused(tag, problem, input)
    if (input === undefined) return this.refused(tag, 'its arguments cannot be read')
    const warning = this.warningOf(name, parts, hasStray)
    return {
      name,
      start,
      input,
      fault: warning === undefined ? undefined : { kind: 'warning', message: messageOf(name, 'warning', warning) },
    }
  }

  private partsOf(from: number, inside: readonly Tag[], end: number): Parts {
    const { text } = this
    const parameters: Parameter[] = []
    let stray: string | undefined
    let before = ''
    let after = ''
    let open: { tag: Tag; swallowed: Tag[] } | undefined
    let at = from
    const gap = (to: number): void => {
      const said = text.slice(at, to)
      if (parameters.length === 0) before += said
      else after += said
    }
    for (const tag of inside) {
      if (open !== undefined) {
        if (tag.role === 'parameter' && tag.kind === 'close') {
          const { tag: opener, swallowed } = open
          parameters.push({
            name: opener.name ?? '',
            start: opener.start,
            end: tag.end,
            from: opener.end,
            to: tag.start,
            isPayload: this.isPayload(opener.end),
            swallowed,
          })
          open = undefined
          at = tag.end
        } else if (tag.kind !== 'close') open.swallowed.push(tag)
      } else if (tag.role === 'parameter') {
        gap(tag.start)
        at = tag.end
        if (tag.kind === 'open') open = { tag, swallowed: [] }
        else if (tag.kind === 'close') stray ??= CUT
        else
          parameters.push({
            name: tag.name ?? '',
            start: tag.start,
            end: tag.end,
            from: tag.end,
            to: tag.end,
            isPayload: false,
            swallowed: [],
          })
      }
    }
    if (open === undefined) gap(end)
    else stray ??= `parameter ${JSON.stringify(open.tag.name ?? '')} is not closed`
    return { parameters, before, after, stray }
  }

  /** Whether a payload begins where a value does. */
  private isPayload(at: number): boolean {
    return this.payloads.holds(this.text[at] === '\n' ? at + 1 : at)
  }

  private problemOf(name: string, { parameters, before, after, stray }: Parts, hasStray: boolean): string | undefined {
    if (stray !== undefined) return stray
    if (hasStray && parameters.length === 0) return 'it has text and no parameters'
    if (hasStray && after.trim() !== '') return 'text follows a parameter'
    if (hasStray && hasMarkup(before)) return 'markup stands before its first parameter'
    const given = new Set(parameters.map((parameter) => parameter.name))
    for (const { name: parameter, from, to, isPayload, swallowed } of parameters) {
      if (isPayload) continue
      const called = JSON.stringify(parameter)
      if (swallowed.some(({ role }, at) => role === 'invoke' && swallowed[at + 1]?.role === 'parameter'))
        return `parameter ${called} has the opening tag of another call in it`
      const missing = swallowed.filter((tag) => tag.role === 'parameter' && !given.has(tag.name ?? ''))
      if (missing.length === 0) continue
      if (!this.types.knows(name)) {
        if (!missing.some(({ start }) => /\n[ \t]*$/.test(this.text.slice(from, start)))) continue
        return `parameter ${called} has the opening tag of another one in it`
      }
      const lost = missing.find(
        (tag) =>
          this.types.requires(name, tag.name ?? '') ||
          (this.types.lists(name, tag.name ?? '') && hasOtherCloser(this.text.slice(from, to))),
      )
      if (lost !== undefined) return `parameter ${called} has that of ${JSON.stringify(lost.name ?? '')} in it`
    }
    return undefined
  }

  private warningOf(name: string, { parameters, before }: Parts, hasStray: boolean): string | undefined {
    if (hasStray && before.trim() !== '') return 'text stands before its first parameter'
    const given = new Set(parameters.map((parameter) => parameter.name))
    const holder = parameters.find(
      ({ isPayload, swallowed }) =>
        !isPayload &&
        swallowed.some(
          (tag) => tag.role === 'parameter' && !given.has(tag.name ?? '') && this.types.lists(name, tag.name ?? ''),
        ),
    )
    return (
      holder &&
      `parameter ${JSON.stringify(holder.name)} has the opening tag of another one in it, which is kept as text`
    )
  }

  /** The input of a call, and whether text stands in it outside of parameters. */
  private inputOf(
    start: number,
    end: number,
    parameters: readonly Parameter[],
  ): { input: Record<string, unknown> | undefined; hasStray: boolean } {
    const { reading } = this
    let blocks: MembraneBlock[]
    try {
      blocks = blocksIn([...reading.processChunk(this.text.slice(start, end)).emissions, ...reading.flush().emissions])
    } finally {
      reading.reset()
    }
    const calls = blocks.filter(({ type }) => type === 'tool_call')
    const hasStray = calls.some(({ toolName }) => toolName === undefined)
    const call = calls.findLast(({ toolName, incomplete }) => toolName !== undefined && incomplete !== true)
    const { input } = call ?? {}
    if (input !== undefined) for (const parameter of parameters) this.fitString(call?.toolName ?? '', input, parameter)
    return { input, hasStray }
  }

  /** A line end at each end of a declared string is layout, and `null` is null where it may be. */
  private fitString(tool: string, input: Record<string, unknown>, { name, from, to, isPayload }: Parameter): void {
    if (
      isPayload ||
      !this.types.isString(tool, name) ||
      typeof input[name] !== 'string' ||
      input[name] !== this.text.slice(from, to)
    )
      return
    const value = input[name]
    input[name] =
      value.trim() === 'null' && this.types.isNullable(tool, name) ? null : value.replace(/^\n/, '').replace(/\n$/, '')
  }
}

const CUT = 'a value was cut at a closing tag that it has itself'

const NOTHING: Parts = { parameters: [], before: '', after: '', stray: undefined }

function blocksIn(emissions: readonly BlockEmission[]): MembraneBlock[] {
  return emissions.flatMap((emission) =>
    emission.kind === 'blockEvent' && emission.event.event === 'block_complete' ? [emission.event.block] : [],
  )
}

function hasMarkup(text: string): boolean {
  return /<[a-zA-Z/!_]/.test(text)
}

/** Whether a value has a closing tag of a parameter with a prefix that doesn't count. */
function hasOtherCloser(text: string): boolean {
  return /<\/[\w.-]+:parameter\s*>/.test(text)
}

function messageOf(name: string, kind: NoticeKind, what: string): string {
  const call = name === '' ? 'The call' : `The call of ${JSON.stringify(name)}`
  return kind === 'refused' ? `${call} was not executed: ${what}.` : `${call} was read all the same: ${what}.`
}
