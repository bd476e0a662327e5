// An independent reader of wire formats, for tests: it reads any row over a
// whole text, with no thought of speed or of chunks, and may go back. What a row
// says stands in docs/formats.md.
//
// A call that fails does so at a place: the first character that the row
// doesn't allow. It reaches from its opener to there, and on to its closing
// marker or to where something else begins; that text comes out. A call that
// the text ends in is cut: the rest of the text comes out.

import * as tagged from './format-naive-bodies.mjs'
import { findFirst, isSpace, longestAt, loosened, readHead, skipSpace } from './format-naive-marks.mjs'
import { readBrace, readJson, readPython, set } from './format-naive-values.mjs'

const LONGEST_HEADER = 256

/**
 * What a reply in a row's format says. `rows`: several formats together.
 * `tools`: `[{ name, parameters? }]`. `prefill`: how the prompt ended.
 */
export function readReply(text, { row, rows = [row], tools, prefill } = {}) {
  const reply = new Reply()
  new Reader(text, rows.map(loosened), tools, reply).read(prefill)
  return reply.result()
}

/** The events of a reply; neighbouring texts are one. */
class Reply {
  events = []

  add(type, text) {
    if (text === '') return
    const last = this.events.at(-1)
    if (last?.type === type) last.text += text
    else this.events.push({ type, text })
  }

  call({ name, arguments: input, id }) {
    this.events.push({ type: 'call', name, arguments: input, ...(id === undefined ? {} : { id }) })
  }

  result() {
    const joined = (type) => this.events.filter((event) => event.type === type).map((event) => event.text).join('')
    const calls = this.events.filter((event) => event.type === 'call').map(({ type, ...call }) => call)
    return { events: this.events, text: joined('text'), reasoning: joined('reasoning'), calls }
  }
}

class Reader {
  /** The row whose reasoning is open. */
  reasoning
  /** The section that is open: its row, and whether a call was read in it. */
  section
  /** The message that is open: its row and the kind of its body. */
  message
  /** What is written before the next text: between two messages. */
  join = ''
  /** Whether text, other than white space, or a call has been read. */
  started = false
  /** The end of the last call or reasoning. */
  spanEnd = 0
  /** The start, or the end of the reasoning that came last, if no call has come since. */
  leadFrom = 0
  /** The end of the last message's closing marker. */
  closedAt

  constructor(text, rows, tools, reply) {
    Object.assign(this, { text, rows, tools, reply })
  }

  read(prefill) {
    let at = this.begin(prefill)
    while (at < this.text.length) at = this.reasoning === undefined ? this.step(at) : this.readReasoning(at)
  }

  // The start of the turn

  /** Takes over the state in which the prompt ended; gives where the text begins. */
  begin(prefill) {
    for (const row of this.rows) {
      if (row.reasoning !== undefined && startsInside(row.reasoning, prefill)) {
        this.reasoning = row
        const at = skipSpace(this.text, 0)
        const echoed = longestAt(this.text, at, row.reasoning.open)
        return echoed === undefined ? 0 : this.afterLabel(row, at + echoed)
      }
      if (row.messages !== undefined) {
        const at = this.beginMessage(row, prefill)
        if (at !== undefined) return at
      }
    }
    return 0
  }

  /** A header that the prompt has begun, or that stands at the start without its `open`. */
  beginMessage(row, prefill = '') {
    const { open, begins } = row.messages
    const opened = findLast(prefill, open)
    const header = opened === undefined ? '' : prefill.slice(opened.at + opened.length)
    const begun = opened !== undefined || longestAt(this.text, 0, begins) !== undefined
    return begun && longestAt(this.text, 0, open) === undefined ? this.readHeader(row, 0, 0, header) : undefined
  }

  // Text

  /** One step in text: what stands at a place, or one character. Gives the next place. */
  step(at) {
    const failed = []
    for (const { read, row, isCall } of this.marks(at)) {
      if (failed.length > 0 && !isCall) continue
      const next = read()
      if (next?.fail !== undefined) failed.push({ ...next, row })
      else if (next !== undefined) return next
    }
    if (this.section?.called && this.skipsSpace(at)) return at + 1
    if (failed.length === 0) return this.addText(at, at + 1)
    if (failed.some(({ fail }) => fail === 'cut')) return this.addText(at, this.text.length)
    const furthest = failed.reduce((one, other) => (other.at > one.at ? other : one))
    return this.addText(at, this.endOfFailed(furthest.row, at, furthest.at))
  }

  /** Where the text of a failed call ends: after its closing marker, or where something begins. */
  endOfFailed({ section, call }, from, failedAt) {
    this.started = true
    const closers = [...(call.close ?? []), ...(section?.close ?? [])]
    for (let at = this.beforeOpener(from, failedAt); at < this.text.length; at += 1) {
      const length = longestAt(this.text, at, closers)
      if (length) return at + length
      if (this.marks(at).some(({ begins }) => begins)) return at
    }
    return this.text.length
  }

  /** The place where a call failed, or where the opener begins that it lies in. */
  beforeOpener(from, failedAt) {
    const openers = this.rows.flatMap(({ section, call }) => [...(section?.open ?? []), ...(call?.open ?? [])])
    for (let at = from + 1; at < failedAt; at += 1) {
      const length = longestAt(this.text, at, openers)
      if (length !== undefined && at + length > failedAt) return at
    }
    return Math.max(from + 1, failedAt)
  }

  addText(from, to) {
    const text = this.text.slice(from, to)
    if (skipSpace(text, 0) < text.length) this.started = true
    if (text !== '') this.reply.add('text', this.join + text)
    this.join = ''
    return to
  }

  /** White space within a section, before a call or the section's end. */
  skipsSpace(at) {
    if (!isSpace(this.text[at])) return false
    const { row } = this.section
    const after = skipSpace(this.text, at)
    if (row.call.open?.length === 0 && '{['.includes(this.text[after])) return true
    return longestAt(this.text, after, [...row.section.close, ...(row.call.open ?? [])]) !== undefined
  }

  /**
   * What may stand at a place in text, the longest marker first; each reads itself. `begins`:
   * it ends the text of a failed call.
   */
  marks(at) {
    const found = []
    for (const row of this.rows) {
      const { reasoning, call, answer = [], drop, skip = [], citations, messages } = row
      const offer = (markers, read, kind = { begins: true }) => {
        const length = longestAt(this.text, at, markers)
        if (length) found.push({ row, length, read: () => read(at + length), ...kind })
      }
      if (call?.fences && this.isFence(at)) return [{ row, read: () => this.readFence(at), begins: true }]
      if (reasoning !== undefined && this.leadFrom !== undefined && skipSpace(this.text, this.leadFrom) >= at) offer(reasoning.close, (after) => this.endReasoning(after))
      if (reasoning !== undefined && this.reasoningMayOpen(row, at)) offer(reasoning.open, (after) => this.openReasoning(row, after))
      if (call !== undefined && (messages === undefined || (this.message?.row === row && this.message.kind === 'calls'))) this.offerCalls(row, at, offer, found)
      for (const frame of answer) offer([...frame.open, ...frame.close], (after) => after)
      offer(drop, (after) => after, {})
      for (const { open, close } of skip) offer(open, (after) => this.readSpan(this.endOf(after, close)))
      if (citations !== undefined) found.push({ row, length: 1, read: () => afterCitation(this.text, at, citations) })
      if (messages !== undefined) {
        offer(messages.open, (after) => this.readHeader(row, at, after, ''))
        if (this.message?.row === row) offer(messages.close, (after) => this.closeMessage(after))
        if (at === this.closedAt) {
          offer(messages.begins, () => {
            const next = this.readHeader(row, at, at, '')
            return next === at ? undefined : next
          })
        }
      }
    }
    return found.sort((a, b) => b.length - a.length)
  }

  /** The sections and calls that may begin at a place. */
  offerCalls(row, at, offer, found) {
    const { section, call } = row
    const isCall = { isCall: true, begins: true }
    const add = (length, read) => found.push({ row, length, read, ...isCall })
    const inSection = this.section?.row === row
    offer(section?.open, (after) => this.readSection(row, after), isCall)
    if (inSection) offer(section.close, (after) => this.closeSection(at, after))
    if (section === undefined || section.optional || inSection) offer(call.open, (after) => this.readCall(row, after), isCall)
    const named = inSection ? this.nameElement(row, at) : undefined
    if (named) add(0, () => this.readBody(row, named.at, { named: { name: named.name }, close: call.close }))
    if (inSection && call.orJson && this.text[at] === '{') add(1, () => this.readJsonCall(row, at, []))
    if (inSection && call.open?.length === 0 && !isSpace(this.text[at])) found.push({ row, length: 0, read: () => this.readCall(row, at), isCall: true, begins: '{['.includes(this.text[at]) })
    if (call.open === undefined && TAGS.includes(call.body) && this.isTag(at)) add(0, () => this.readTagCall(row, at))
    const line = row.repairs?.includes('line-name') && (at === 0 || this.text[at - 1] === '\n') ? this.bareName(at) : undefined
    if (line && this.isArgument(line, at + line.length)) add(0, () => this.readElements(row, at + line.length, line))
    if (!this.mayStandBare(row, at)) return
    const bare = call.orJson && this.isObject(at) ? { ...row, call: { ...call, body: 'json' } } : row
    add(0, () => (call.bare === 'line' && call.head ? this.readCall(row, at) : this.readBody(bare, at, { bare: true, close: [] })))
  }

  /** A span that is removed from text ends at a place. */
  readSpan(to) {
    this.spanEnd = to
    return to
  }

  /** The place after the first of some markers; the text's end if there is none. */
  endOf(from, markers) {
    const found = findFirst(this.text, from, markers)
    return found === undefined ? this.text.length : found.at + found.length
  }

  isFence(at) {
    return this.text.startsWith('```', at) && (at === 0 || this.text[at - 1] === '\n')
  }

  /** A fenced block is text, up to the start of the line that ends it. */
  readFence(at) {
    return this.addText(at, this.endOf(at + 3, ['\n```']))
  }

  // Reasoning

  reasoningMayOpen({ reasoning }, at) {
    if (reasoning.where === 'anywhere' || this.text[at - 1] === '\n') return true
    const before = this.text.slice(this.spanEnd, at)
    return skipSpace(before, 0) === before.length
  }

  openReasoning(row, at) {
    this.reasoning = row
    return this.afterLabel(row, at)
  }

  afterLabel({ reasoning: { label } }, at) {
    return label !== undefined && this.text.startsWith(label, at) ? at + label.length : at
  }

  readReasoning(at) {
    const { reasoning, section, call, citations } = this.reasoning
    const close = findFirst(this.text, at, reasoning.close)
    const opener = reasoning.endsAtCall ? findFirst(this.text, at, [...(section?.open ?? []), ...(call?.open ?? [])]) : undefined
    const atCall = opener !== undefined && (close === undefined || opener.at < close.at)
    const end = (atCall ? opener : close)?.at ?? this.text.length
    this.reply.add('reasoning', withoutCitations(this.text.slice(at, end), citations))
    this.reasoning = undefined
    return this.endReasoning(atCall || close === undefined ? end : end + close.length)
  }

  endReasoning(to) {
    this.leadFrom = to
    return this.readSpan(to)
  }

  // Sections and calls

  readSection(row, after) {
    const at = skipSpace(this.text, after)
    const { call, repairs = [] } = row
    const isJson = call.orJson && this.text[at] === '{'
    const open = repairs.includes('missing-angle') ? call.open.flatMap((marker) => [marker, marker.slice(1)]) : call.open
    const opener = isJson || open?.length === 0 ? 0 : longestAt(this.text, at, open)
    const named = opener === undefined ? this.nameElement(row, at) : undefined
    const bare = opener === undefined && repairs.includes('bare-name') ? this.bareName(at) : undefined
    if (opener === undefined && named === undefined && bare === undefined) return { fail: 'malformed', at: after }
    const outer = this.section
    this.section = { row, called: false }
    const next = named ? this.readBody(row, named.at, { named: { name: named.name }, close: row.call.close }) : bare ? this.readElements(row, at + bare.length, bare) : isJson ? this.readJsonCall(row, at, []) : this.readCall(row, at + opener)
    if (next.fail === 'cut') this.section = outer
    return next
  }

  /** The end of a section in which no call was read is text, as its start was. */
  closeSection(from, after) {
    const { called } = this.section
    this.section = undefined
    return called ? after : this.addText(from, after)
  }

  /** One call, whose opener ends at a place. */
  readCall(row, from) {
    const { call } = row
    const at = skipSpace(this.text, from)
    if (call.orJson && this.isObject(at)) return this.readJsonCall(row, at, call.close ?? [])
    const bodyStart = { args: '{', brace: '{' }[call.body]
    const own = markersOf(row)
    const head = readHead(this.text, at, call.head, (place) => this.text[place] === bodyStart || longestAt(this.text, place, own) !== undefined)
    if (head.fail) return head
    const { NAME: name } = head.found
    if (call.known && name !== undefined && !this.isKnown(name)) return { fail: 'malformed', at: head.at }
    const named = { name, id: idOf(row, this.text, at, head.found) }
    if (head.selfClosed) return this.mayLack(name) ? this.emit([{ ...named, arguments: {} }], head.at) : { fail: 'malformed', at: head.at }
    return this.readBody(row, head.at, { named, close: call.close ?? [] })
  }

  /** A call that is an object with `keys`, where the row's own call may begin or after its opener. */
  readJsonCall(row, at, close) {
    return this.readBody({ ...row, call: { ...row.call, body: 'json', isTagged: tagged.bodies[row.call.body] !== undefined } }, at, { close })
  }

  /** Whether an object, or a list that begins with one, stands at a place. */
  isObject(at) {
    return this.text[this.text[at] === '[' ? skipSpace(this.text, at + 1) : at] === '{'
  }

  /** The tag of a known tool, `<TOOL>` or `<TOOL/>`, at a place. */
  tagAt(at) {
    const tag = /<([^\s<>/]+)\s*(\/?)>/y
    tag.lastIndex = at
    const [whole, name, slash] = tag.exec(this.text) ?? []
    return this.tools?.some((tool) => tool.name === name) ? { name, after: at + whole.length, closes: slash === '/' } : undefined
  }

  isTag(at) {
    return this.text[at] === '<' && this.tagAt(at) !== undefined
  }

  /** `<TOOL>…</TOOL>` and `<TOOL/>` of a known tool. */
  readTagCall(row, at) {
    const { name, after, closes } = this.tagAt(at)
    if (closes) return this.mayLack(name) ? this.emit([{ name, arguments: {} }], after) : { fail: 'malformed', at: after }
    return this.readBody(row, after, { named: { name }, close: [`</${name}>`] })
  }

  /** The name of a known tool that white space or a tag follows; undefined if none stands at a place. */
  bareName(at) {
    const bare = /[A-Za-z_][\w.-]*(?=[\s<])/y
    bare.lastIndex = at
    const name = bare.exec(this.text)?.[0]
    return this.tools?.some((tool) => tool.name === name) ? name : undefined
  }

  /** Whether a name ends its line, and the tag of one of the tool's arguments follows. */
  isArgument(name, at) {
    const tag = /[ \t]*\r?\n\s*<([^\s<>/]+)>/y
    tag.lastIndex = at
    const key = tag.exec(this.text)?.[1]
    return key !== undefined && Object.hasOwn(this.tools.find((tool) => tool.name === name).parameters?.properties ?? {}, key)
  }

  /** An element at a place that has the tool's name, before parameters or the end of a section: `{ name, at }`. */
  nameElement({ call, section }, at) {
    const place = call.names?.open.findIndex((marker) => longestAt(this.text, at, [marker]) !== undefined) ?? -1
    if (place === -1) return undefined
    const from = at + longestAt(this.text, at, [call.names.open[place]])
    const end = findFirst(this.text, from, [call.names.close[place]])
    const name = end && this.text.slice(from, end.at).trim()
    if (!name || name.includes('<')) return undefined
    const after = end.at + end.length
    const next = skipSpace(this.text, after)
    const begins = this.text[next] === '<' && (/^<[A-Za-z_]/.test(this.text.slice(next)) || longestAt(this.text, next, [...call.close, ...section.close]) !== undefined)
    return begins ? { name, at: after } : undefined
  }

  /** A call of elements, or of parameters, whose name has no tag. */
  readElements(row, at, name) {
    if (row.repairs?.includes('element-params')) {
      if (!/^\s*<[A-Za-z_]/.test(this.text.slice(at))) return { fail: 'malformed', at }
      const close = [...row.call.close, `</${name}>`]
      return this.readBody({ ...row, call: { ...row.call, close } }, at, { named: { name }, close })
    }
    const { open, ...call } = row.call
    return this.readBody({ ...row, call: { ...call, body: 'elements' } }, at, { named: { name }, close: [`</${name}>`] })
  }

  mayStandBare({ call }, at) {
    if (call.bare === undefined || (call.bare === 'start' && this.started)) return false
    if (call.bare === 'line') return call.head ? this.isNamedLine(at) : this.isCallLine(at)
    return this.text[at] === '[' || ((call.body !== 'python' || call.orJson) && this.text[at] === '{')
  }

  /** Whether a line that begins at a place is a Python call. */
  isCallLine(at) {
    const [line] = this.text.slice(at).split('\n', 1)
    return (at === 0 || this.text[at - 1] === '\n') && /^[A-Za-z_][\w.-]*\(.*\)\s*$/.test(line)
  }

  /** Whether a line that begins at a place is the name of a tool, and an object follows. */
  isNamedLine(at) {
    const name = at === 0 || this.text[at - 1] === '\n' ? this.bareName(at) : undefined
    return name !== undefined && this.text.startsWith('\n{', at + name.length)
  }

  /** Whether a tool may be called without arguments. */
  mayLack(name) {
    return !this.tools?.find((tool) => tool.name === name)?.parameters?.required?.length
  }

  isKnown(name) {
    return !this.tools?.length || this.tools.some((tool) => tool.name === name)
  }

  /** What comes after the head: payloads, then the call's end. */
  readBody(row, from, { named = {}, close, bare = false }) {
    const first = this.readPayload(row, from, { named, close, bare })
    if (first.fail) return first
    const calls = [...first.calls]
    let { at } = first
    while (row.call.separator !== undefined && !first.broken) {
      const after = skipSpace(this.text, at)
      const more = this.readPayload(row, after + (longestAt(this.text, after, row.call.separator) ?? 0), { named, close, bare })
      if (more.fail) break
      calls.push(...more.calls)
      at = more.at
    }
    if (first.broken) return this.emit(calls, at)
    if (row.repairs?.includes('extra-closer') || (close.length > 0 && ['json', 'keyed', 'args'].includes(row.call.body))) at = this.afterExtraClosers(row, at, close)
    const after = skipSpace(this.text, at)
    const length = longestAt(this.text, after, close)
    if (length) return this.emit(calls, after + length)
    const isOptional = close.length === 0 || close.includes('') || (!row.call.requireClose && this.ends(row, at))
    return isOptional ? this.emit(calls, at) : { fail: after === this.text.length ? 'cut' : 'malformed', at }
  }

  /** The place after brackets that close nothing, if the call ends after them. */
  afterExtraClosers(row, from, close) {
    const extra = /(?:[ \t\n\r\f]*[\]}])+/y
    extra.lastIndex = from
    if (!extra.test(this.text)) return from
    const at = extra.lastIndex
    return longestAt(this.text, skipSpace(this.text, at), close) || this.ends(row, at) ? at : from
  }

  readPayload(row, from, { named, close, bare }) {
    const { text, tools } = this
    const context = {
      row,
      ...named,
      tools,
      schema: tools?.find(({ name }) => name === named.name)?.parameters,
      bare,
      accepts: (name) => !(bare || row.call.known) || this.isKnown(name),
      closes: (at) => Boolean(longestAt(text, at, [...close, ...(row.messages?.close ?? [])])),
      ends: (_, at) => this.ends(row, at),
    }
    const body = (BODIES[row.call.body] ?? tagged.bodies[row.call.body])(text, skipSpace(text, from), context)
    if (body.fail) return body
    const isTagged = row.call.orJson && (row.call.isTagged ?? tagged.bodies[row.call.body] !== undefined)
    const calls = isTagged ? body.calls.flatMap((call) => tagged.repaired(call, context) ?? []) : body.calls
    return { ...body, calls: calls.map((call) => ({ ...named, ...call })) }
  }

  /** Whether, after white space, something stands that may come after a call. */
  ends({ section, call, messages }, from) {
    const at = skipSpace(this.text, from)
    const markers = [...(section?.close ?? []), ...(section?.open ?? []), ...(call?.open ?? []), ...(messages?.close ?? []), ...(messages?.open ?? [])]
    const isTag = call?.open === undefined && TAGS.includes(call?.body) && this.isTag(at)
    return at === this.text.length || isTag || Boolean(longestAt(this.text, at, markers))
  }

  emit(calls, at) {
    for (const call of calls) {
      if (call.text === undefined) this.reply.call(call)
      else this.reply.add('text', call.text)
    }
    this.started = true
    this.leadFrom = undefined
    this.spanEnd = at
    if (this.section !== undefined) this.section.called = true
    return at
  }

  // Messages

  /** A header, with its `open` from `from`, without it from `after`; `begun`: what the prompt holds of it. */
  readHeader(row, from, after, begun) {
    const { headEnd, open, close, routes } = row.messages
    const whole = begun + this.text.slice(after)
    const end = findFirst(whole, 0, [...headEnd, ...open, ...(close ?? [])])
    const length = end === undefined ? undefined : longestAt(whole, end.at, headEnd)
    if (length === undefined || end.at > LONGEST_HEADER) return this.addText(from, after)
    const header = whole.slice(0, end.at)
    const bodyAt = Math.max(0, after + end.at + length - begun.length)
    for (const route of routes) {
      const named = routeTo(route, header, whole.slice(0, end.at + length))
      if (named !== undefined) return this.openMessage(row, route.kind, named, from, bodyAt)
    }
    this.message = { row, kind: 'text' }
    return this.addText(from, bodyAt)
  }

  openMessage(row, kind, named, from, at) {
    this.message = { row, kind }
    if (kind === 'call') return this.readMessageCall(row, named, from, at)
    const { open, close = [], join = '' } = row.messages
    if (kind === 'text') this.join = this.hasEmitted('text') ? join : ''
    if (kind !== 'reasoning' && kind !== 'drop') return at
    const stop = findFirst(this.text, at, [...open, ...close])?.at ?? this.text.length
    const body = withoutCitations(this.text.slice(at, stop), row.citations)
    if (kind === 'reasoning' && body !== '') this.reply.add('reasoning', (this.hasEmitted('reasoning') ? join : '') + body)
    this.spanEnd = stop
    return stop
  }

  readMessageCall(row, named, from, at) {
    const next = this.readBody(row, at, { named, close: row.messages.close ?? [] })
    if (next.fail !== undefined) {
      this.message = { row, kind: 'text' }
      return this.addText(from, next.fail === 'cut' ? this.text.length : Math.max(next.at, from + 1))
    }
    this.message = undefined
    this.closedAt = next
    return next
  }

  hasEmitted(type) {
    return this.reply.events.some((event) => event.type === type)
  }

  closeMessage(after) {
    this.message = undefined
    this.closedAt = after
    return after
  }
}

/** The bodies whose call may be its own tag, `<TOOL>`. */
const TAGS = ['elements', 'yaml']

/** Whether a stream starts inside reasoning. */
function startsInside({ open, close, prefilled }, prefill) {
  if (prefill === undefined) return prefilled === 'always'
  const opened = findLast(prefill, open)
  return opened !== undefined && findFirst(prefill, opened.at + opened.length, close) === undefined
}

/** Where the last of some markers stands. */
function findLast(text, markers) {
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const length = longestAt(text, at, markers)
    if (length) return { at, length }
  }
  return undefined
}

/** The id that the text of a head holds. */
function idOf({ ids }, text, from, found) {
  if (ids === 'none') return undefined
  if (found.ID !== undefined) return found.ID
  if (found.INDEX === undefined) return undefined
  return found.INDEX_END === undefined ? found.INDEX : text.slice(from, found.INDEX_END)
}

/** What a route names, if a header fits it. */
function routeTo({ is, has = [], lacks = [], name }, header, marked) {
  if (is !== undefined && !is.includes(marked)) return undefined
  if (has.length > 0 && !has.some((each) => marked.includes(each))) return undefined
  if (lacks.some((each) => marked.includes(each))) return undefined
  if (name === undefined) return {}
  const before = name.find((each) => header.includes(each))
  if (before === undefined) return undefined
  const named = /^[^\s<]+/.exec(header.slice(header.indexOf(before) + before.length))
  return named === null ? undefined : { name: named[0] }
}

/** The place after a marker of a citation; undefined if none stands there. */
function afterCitation(text, at, { open, close, end }) {
  if (text.startsWith(open, at)) return at + open.length
  if (!text.startsWith(close, at)) return undefined
  const stop = text.indexOf(end, at + close.length)
  return stop === -1 ? undefined : stop + end.length
}

function withoutCitations(text, citations) {
  if (citations === undefined) return text
  let kept = ''
  for (let at = 0; at < text.length; ) {
    const next = afterCitation(text, at, citations)
    if (next === undefined) kept += text[at]
    at = next ?? at + 1
  }
  return kept
}

/** The markers of a row's sections and calls. */
const markersOf = ({ section, call }) => [...(section?.open ?? []), ...(section?.close ?? []), ...(call.open ?? []), ...(call.close ?? [])].filter((marker) => marker !== '')

// Bodies: `(text, at, context) → { calls: [{ name, arguments, id? }], at }` or
// `{ fail, at }`. Among the calls may stand `{ text }`: what comes out as text.
// `broken`: after the calls the payload isn't whole, and its rest is text.

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether arguments are absent, blank or null. */
const isNone = (value) => value === undefined || value === null || (typeof value === 'string' && /^\s*(?:null|"(?:null)?")?\s*$/.test(value))

/** Arguments: an object, or a string that holds one; none are `{}` if the tool requires nothing. */
function argumentsOf(value, rules, tool) {
  if (isNone(value)) return (tool?.parameters?.required ?? []).length > 0 ? undefined : {}
  if (typeof value !== 'string') return isObject(value) ? value : undefined
  const read = readJson(value, 0, rules)
  return read.fail === undefined && skipSpace(value, read.at) === value.length && isObject(read.value) ? read.value : undefined
}

const payloadReader = ({ row }) => (row.literals?.includes('python') ? readPython : (text, at) => readJson(text, at, row.repairs))

/** An object's call; undefined if it isn't one. */
function callOf(value, { row, name, accepts, tools, bare }) {
  if (!isObject(value)) return undefined
  const { name: names = ['name'], args = ['arguments'], id: ids = [] } = row.keys ?? {}
  const named = name ?? names.map((key) => value[key]).find((each) => typeof each === 'string' && each !== '')
  const key = [...args, 'arguments', 'parameters'].find((each) => Object.hasOwn(value, each))
  const tool = tools?.find((each) => each.name === named)
  const loose = Object.keys(value).some((each) => each !== 'type' && !ids.includes(each) && Object.hasOwn(tool?.parameters?.properties ?? {}, each))
  const input = key === undefined && (bare || loose) ? undefined : argumentsOf(value[key], row.repairs, tool)
  if (named === undefined || input === undefined || !accepts(named)) return undefined
  const id = ids.map((each) => value[each]).find((each) => typeof each === 'string' || typeof each === 'number')
  return [{ name: named, arguments: input, ...(id === undefined ? {} : { id: String(id) }) }]
}

/** An object's calls, `{ NAME: args, … }`. */
function keyedOf(value, { row, accepts, tools }) {
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  const calls = Object.entries(value).map(([name, each]) => ({ name, arguments: argumentsOf(each, row.repairs, tools?.find((tool) => tool.name === name)) }))
  return calls.every((call) => call.name !== '' && call.arguments !== undefined && accepts(call.name)) ? calls : undefined
}

/** One value, or an array of such: each element is a call of its own. */
const objects = (callsOf) => (text, at, context) => {
  if (at === text.length) return { fail: 'cut', at }
  if (text[at] === '[') return readArray(text, at, context, callsOf)
  if (text[at] !== '{') return { fail: 'malformed', at }
  const read = payloadReader(context)(text, at)
  if (read.fail) return read
  const calls = callsOf(read.value, context)
  return calls === undefined ? { fail: 'malformed', at: read.at } : { calls, at: read.at }
}

function readArray(text, from, context, callsOf) {
  return readList(text, from, context, (at) => {
    // A word without quotes is part of an element, never all of it.
    if (/[A-Z_]/i.test(text[at] ?? '')) return { fail: 'malformed', at }
    const read = payloadReader(context)(text, at)
    return read.fail ? read : { calls: callsOf(read.value, context), at: read.at }
  })
}

/**
 * A list in brackets, whose elements are calls. An element is one if, after
 * white space, `,` or `]` or what may come after the list follows it. What
 * isn't comes out as text, before the first call with all that stands before it.
 */
function readList(text, from, context, readElement) {
  const found = []
  const hasCalls = () => found.some((each) => each.text === undefined)
  const stop = (at, failed) => (hasCalls() ? { calls: found, at, broken: true } : failed)
  let hasOthers = false
  for (let at = skipSpace(text, from + 1); ; ) {
    if (text[at] === ']') return hasCalls() ? { calls: found, at: at + 1 } : { fail: 'malformed', at: at + 1 }
    const element = readElement(at)
    if (element.fail) return stop(at, element)
    const after = skipSpace(text, element.at)
    const goesOn = text[after] === ','
    const isLast = text[after] === ']'
    if (!goesOn && !isLast && !context.closes(after) && !context.ends(text, after)) return stop(at, { fail: 'malformed', at: after })
    if (element.calls !== undefined) {
      if (hasOthers && !hasCalls()) found.push({ text: text.slice(from, at) })
      found.push(...element.calls)
    } else if (context.bare) return stop(at, { fail: 'malformed', at: element.at })
    else if (hasCalls()) found.push({ text: text.slice(at, element.at) })
    else hasOthers = true
    if (!goesOn && !isLast) return hasCalls() ? { calls: found, at: element.at } : { fail: after === text.length ? 'cut' : 'malformed', at: after }
    at = goesOn ? skipSpace(text, after + 1) : after
  }
}

function readArgs(text, at, context) {
  const tool = context.tools?.find((each) => each.name === context.name)
  if (context.closes(at)) return argumentsOf(undefined, [], tool) === undefined ? { fail: 'malformed', at } : { calls: [{ arguments: {} }], at }
  if (text[at] !== '{' && text[at] !== '"' && !text.startsWith('null', at)) return { fail: at === text.length ? 'cut' : 'malformed', at }
  const read = payloadReader(context)(text, at)
  if (read.fail) return read
  const input = argumentsOf(read.value, context.row.repairs, tool)
  return input === undefined ? { fail: 'malformed', at: read.at } : { calls: [{ arguments: input }], at: read.at }
}

function readBraces(text, at, { row, schema }) {
  if (text[at] !== '{') return { fail: at === text.length ? 'cut' : 'malformed', at }
  const read = readBrace(text, at, row.call.quote, row.repairs)
  if (read.fail) return read
  const input = {}
  for (const [key, value] of Object.entries(read.value)) {
    set(input, key, row.call.texts && typeof value === 'string' ? tagged.typed(value, { row, schema: schema?.properties?.[key], root: schema, isKnown: schema !== undefined }) : value)
  }
  return { calls: [{ arguments: input }], at: read.at }
}

/** `f(a=1), g()`: in brackets, or one after another with white space, `,` or `;` between. */
function readPythonCalls(text, at, context) {
  if (text[at] === '[') return readList(text, at, context, (place) => readPythonCall(text, place, context))
  const calls = []
  for (let place = at; ; ) {
    const call = readPythonCall(text, place, context)
    if (call.fail || call.calls === undefined) {
      if (calls.length > 0) return { calls, at }
      return call.fail ? call : { fail: 'malformed', at: call.at }
    }
    calls.push(...call.calls)
    at = call.at
    place = skipSpace(text, at)
    if (text[place] === ',' || text[place] === ';') place = skipSpace(text, place + 1)
  }
}

function readPythonCall(text, at, { accepts }) {
  const name = /[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*/y
  name.lastIndex = at
  const match = name.exec(text)
  if (match === null) return { fail: at === text.length ? 'cut' : 'malformed', at }
  if (text[name.lastIndex] !== '(') return { fail: name.lastIndex === text.length ? 'cut' : 'malformed', at: name.lastIndex }
  const input = readKeywords(text, name.lastIndex + 1)
  if (input.fail) return input
  return { calls: accepts(match[0]) ? [{ name: match[0], arguments: input.value }] : undefined, at: input.at }
}

function readKeywords(text, from) {
  const value = {}
  let at = skipSpace(text, from)
  while (text[at] !== ')') {
    const key = /([A-Za-z_][A-Za-z0-9_]*)\s*=/y
    key.lastIndex = at
    const match = key.exec(text)
    if (match === null) return { fail: /^[A-Za-z0-9_]*\s*$/.test(text.slice(at)) ? 'cut' : 'malformed', at }
    const read = readPython(text, key.lastIndex)
    if (read.fail) return read
    set(value, match[1], read.value)
    at = skipSpace(text, read.at)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    else if (text[at] !== ')') return { fail: at === text.length ? 'cut' : 'malformed', at }
  }
  return { value, at: at + 1 }
}

/** A JSON object, if the call ends after it; or else all text up to the call's end, or the turn's. */
function readText(text, at, { row, closes, ends }) {
  const read = text[at] === '{' ? readJson(text, at, row.repairs) : { fail: 'malformed' }
  if (read.fail === undefined && (closes(skipSpace(text, read.at)) || ends(text, read.at))) return { calls: [{ arguments: read.value }], at: read.at }
  const end = findFirst(text, at, row.call.close)?.at ?? text.length
  const whole = text.slice(at, end).trim()
  return whole === '' ? { fail: end === text.length ? 'cut' : 'malformed', at } : { calls: [{ arguments: whole }], at: end }
}

const BODIES = { json: objects(callOf), keyed: objects(keyedOf), args: readArgs, brace: readBraces, python: readPythonCalls, text: readText }
