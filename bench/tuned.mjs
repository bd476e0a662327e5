/**
 * The scanner to beat: the same events as `BlockParser`, in hand-tuned plain JavaScript.
 *
 *     new TunedScanner({ onChunk, onBlock, generateId })
 *     scanner.processChunk(text)   callbacks, and { emissions } in the same order
 *     scanner.flush()
 *
 * What makes it fast: text is never read character by character (`indexOf` finds the next `<`);
 * a tag is one walk through a table, which pauses at the end of a chunk and continues with the next;
 * a meta object is created once per block, not per chunk; the content of a block is a rope that is
 * flattened every 2,048 characters, because a long rope is expensive for the garbage collector; with
 * callbacks, the list of emissions of a plain chunk is created when it is read.
 *
 * What it leaves out, all in its favour: options, spans, prefill, custom tags, the accumulated text,
 * argument checks, the guard against feeding from a callback, and the guarantee that a callback that
 * throws loses no event.
 */

const TEXT = 0
const THINKING = 1
const CALLS = 2
const INVOKE = 3
const RESULTS = 4
const PARAMETER = 5
const RESULT = 6
const ERROR = 7

/** The name of each element, by its number. Number 0 is the text outside all of them. */
const NAMES = ['', 'thinking', 'function_calls', 'invoke', 'function_results', 'parameter', 'result', 'error']
const TYPES = ['text', 'thinking', 'tool_call', 'tool_call', 'tool_result', 'tool_call', 'tool_result', 'tool_result']
const PREFIX = 'antml:'
const SPACE = ' \t\n\r\f'

/** The maximum tag, in UTF-16 units. */
const LONGEST_TAG = 4096

/** The length at which the open end of a block's content is flattened. */
const FOLD = 2048

// The table: a row of 128 entries per state; the last column is for all higher characters.
// An entry is the next state, 0 for "this is not a tag", or -(2 * element + (closer ? 1 : 0)) for "here a tag ends".

const rows = [new Int16Array(128)]

function newState(fill = 0) {
  rows.push(new Int16Array(128).fill(fill))
  return rows.length - 1
}

function on(state, characters, next) {
  for (const character of characters) rows[state][character.charCodeAt(0)] = next
}

/** The path for `text` from `state`, created if it doesn't exist yet. */
function walk(state, text) {
  for (const character of text) {
    const code = character.charCodeAt(0)
    if (rows[state][code] === 0) rows[state][code] = newState()
    state = rows[state][code]
  }
  return state
}

function addOpener(state, element) {
  const end = -(2 * element)
  const name = walk(state, NAMES[element])
  const attributes = newState()
  const equals = newState()
  const value = newState()
  const double = newState()
  const single = newState()
  rows[attributes].fill(attributes)
  rows[equals].fill(value)
  rows[value].fill(value)
  rows[double].fill(double)
  rows[single].fill(single)
  on(name, SPACE + '/', attributes)
  on(attributes, '=', equals)
  on(equals, SPACE, equals)
  on(equals, '"', double)
  on(equals, "'", single)
  on(value, SPACE, attributes)
  on(double, '"', attributes)
  on(single, "'", attributes)
  for (const open of [name, attributes, equals, value]) on(open, '>', end)
  for (const open of [attributes, equals, value]) on(open, '<', 0)
}

function addCloser(state, element) {
  const name = walk(state, NAMES[element])
  const space = newState()
  on(name, SPACE, space)
  on(space, SPACE, space)
  on(name, '>', -(2 * element + 1))
  on(space, '>', -(2 * element + 1))
}

/** A state that reads one of the tags after its `<`, with or without the prefix. */
function addTags(openers, closers) {
  const names = newState()
  const closerNames = newState()
  for (const element of openers) addOpener(names, element)
  for (const element of closers) addCloser(closerNames, element)
  const start = newState()
  const slash = newState()
  rows[start].set(rows[names])
  rows[slash].set(rows[closerNames])
  if (openers.length > 0) rows[walk(start, PREFIX.slice(0, -1))][PREFIX.charCodeAt(PREFIX.length - 1)] = names
  rows[walk(slash, PREFIX.slice(0, -1))][PREFIX.charCodeAt(PREFIX.length - 1)] = closerNames
  on(start, '/', slash)
  return start
}

const everywhere = [THINKING, CALLS, INVOKE, RESULTS, PARAMETER]
const general = addTags(everywhere, everywhere)
const inResults = addTags([...everywhere, RESULT, ERROR], [...everywhere, RESULT, ERROR])

/** Which tags count, by the innermost open element. */
const START = [
  general,
  general,
  general,
  general,
  inResults,
  addTags([], [PARAMETER]),
  addTags([], [RESULT, RESULTS]),
  addTags([], [ERROR, RESULTS]),
]

const NEXT = new Int16Array(rows.length * 128)
rows.forEach((row, state) => NEXT.set(row, state * 128))

// What is known about the next chunk if it contains no `<`.
const NOT_PLAIN = 0
/** It is content. */
const PLAIN = 1
/** It is content if it has no `&`. */
const PLAIN_RESULT = 2
/** It is a piece of a JSON string if it is short, needs no escape and doesn't end in white space. */
const PLAIN_STRING = 3

/** The maximum text for which a loop over its characters is faster than a call out of compiled code. */
const SHORT = 16

// The value of a parameter: nothing yet, a number or literal, a JSON value or a string.
const NOTHING = 0
const SCALAR = 1
const JSON_TEXT = 2
const STRING = 3

const SCALAR_SO_FAR = /^(?:-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)\s*$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const LONG_DIGITS = /^\d{16,}$/
const ESCAPED = /["\\\u0000-\u001f]/g
const ATTRIBUTE = /([^\s=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g
const NUMERIC = /^#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}))$/
/** From `&` to `;`, minus one: `&#1114111;` */
const LONGEST_ENTITY = 9
const OPEN_ENTITY = /&(?:#(?:[xX][0-9a-fA-F]{0,6}|\d{0,7})|[a-z]{0,4})$/

/** Replaces entities. An invalid one stays as it is. */
function decode(text) {
  let at = text.indexOf('&')
  if (at < 0) return text
  let decoded = ''
  let from = 0
  while (at >= 0) {
    const end = text.indexOf(';', at + 1)
    if (end < 0) break
    if (end - at <= LONGEST_ENTITY) {
      const character = entity(text.slice(at + 1, end))
      if (character !== '') {
        decoded += text.slice(from, at) + character
        from = end + 1
        at = text.indexOf('&', from)
        continue
      }
    }
    at = text.indexOf('&', at + 1)
  }
  return from === 0 ? text : decoded + text.slice(from)
}

function entity(name) {
  switch (name) {
    case 'lt':
      return '<'
    case 'gt':
      return '>'
    case 'amp':
      return '&'
    case 'quot':
      return '"'
    case 'apos':
      return "'"
  }
  const match = NUMERIC.exec(name)
  if (match === null) return ''
  const code = match[1] === undefined ? Number.parseInt(match[2], 16) : Number(match[1])
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** The escaped form in a JSON string, without the quotes. Half a surrogate pair stays unchanged: its other half may come with the next chunk. */
function escape(text) {
  const length = text.length
  if (length <= SHORT) {
    let at = 0
    for (; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code < 32 || code === 34 || code === 92) break
    }
    if (at === length) return text
  }
  const quoted = JSON.stringify(text)
  if (quoted.length === length + 2) return text
  if (quoted.indexOf('\\ud') < 0) return quoted.slice(1, -1)
  return text.replace(ESCAPED, (character) => JSON.stringify(character).slice(1, -1))
}

/** True for white space, and for some other characters. */
function isSpaceAlike(code) {
  return code <= 32 || code === 0xa0 || (code >= 0x1680 && (code <= 0x3000 || code === 0xfeff))
}

function attribute(tag, wanted) {
  // Nearly every tag is written like this, with one attribute.
  const at = tag.indexOf(` ${wanted}="`)
  if (at > 0 && tag.indexOf(' ') === at) {
    const from = at + wanted.length + 3
    return decode(tag.slice(from, tag.indexOf('"', from)))
  }
  const space = tag.search(/\s/)
  if (space < 0) return undefined
  for (const [, name, double, single, bare] of tag.slice(space, -1).matchAll(ATTRIBUTE)) {
    if (name === wanted) return decode(double ?? single ?? bare ?? '')
  }
  return undefined
}

/** The emissions of a plain chunk, created when they are read. */
class OneChunk {
  #text
  #meta

  constructor(text, meta) {
    this.#text = text
    this.#meta = meta
  }

  get emissions() {
    return [{ kind: 'content', text: this.#text, meta: this.#meta }]
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function randomId() {
  let id = 'toolu_'
  for (let i = 0; i < 24; i++) id += LETTERS[(Math.random() * 62) | 0]
  return id
}

export class TunedScanner {
  constructor({ onChunk, onBlock, generateId = randomId } = {}) {
    this.onChunk = onChunk
    this.onBlock = onBlock
    this.generateId = generateId
    /** True when the caller uses only the emissions. */
    this.listed = onChunk === undefined && onBlock === undefined
    this.list = []
    /** The row of the table while a `<` is undecided, else 0; and the text from the `<` on. */
    this.state = 0
    this.held = ''
    /** Open elements, outermost first; the innermost is `kind`. */
    this.stack = []
    this.kind = TEXT
    this.calls = 0
    /** The open block: true between its start and its completion. */
    this.open = false
    this.plain = NOT_PLAIN
    this.index = 0
    this.meta = undefined
    this.whole = ''
    this.tail = ''
    this.folded = 0
    // The open tool call.
    this.toolName = undefined
    this.toolId = undefined
    this.isError = false
    /** True while the end of the stream closes what is open. */
    this.isCut = false
    this.parameters = 0
    this.stray = ''
    this.out = ''
    this.value = NOTHING
    this.kept = ''
  }

  processChunk(chunk) {
    const plain = this.plain
    if (plain !== NOT_PLAIN && chunk.indexOf('<') < 0 && (plain === PLAIN || this.isPlain(chunk))) {
      // No markup starts or continues here: the chunk is plain content.
      const length = chunk.length
      if (length === 0) return { emissions: [] }
      if (length < FOLD) {
        const tail = this.tail + chunk
        if (tail.length < FOLD) {
          this.tail = tail
        } else {
          this.fold(tail)
        }
      } else {
        this.whole += this.tail + chunk
        this.tail = ''
      }
      const meta = this.meta
      if (this.listed) return { emissions: [{ kind: 'content', text: chunk, meta }] }
      if (this.onChunk !== undefined) this.onChunk(chunk, meta)
      return new OneChunk(chunk, meta)
    }
    const list = []
    this.list = list
    this.scan(chunk)
    if (this.out !== '') this.sendInput()
    this.plain = this.howPlain()
    return { emissions: list }
  }

  /** How to recognize that the next chunk is plain content. */
  howPlain() {
    if (this.state !== 0 || !this.open || this.kept !== '') return NOT_PLAIN
    if (this.kind <= THINKING) return PLAIN
    if (this.kind >= RESULT) return PLAIN_RESULT
    return this.kind === PARAMETER && this.value === STRING ? PLAIN_STRING : NOT_PLAIN
  }

  isPlain(chunk) {
    if (this.plain === PLAIN_RESULT) return chunk.indexOf('&') < 0
    const length = chunk.length
    if (length > SHORT) return false
    let code = 0
    for (let at = 0; at < length; at++) {
      code = chunk.charCodeAt(at)
      if (code < 32 || code === 34 || code === 92) return false
    }
    return !isSpaceAlike(code)
  }

  flush() {
    const list = []
    this.list = list
    const held = this.held
    if (held !== '') {
      this.held = ''
      this.state = 0
      this.text(held[0])
      // A quoted value may hide a tag: the text after the `<` is searched again.
      this.scan(held.slice(1))
      if (this.held !== '') {
        const rest = this.flush().emissions
        return { emissions: list.concat(rest) }
      }
    }
    if (this.kept !== '' && this.kind >= RESULT) {
      this.content(this.kept)
      this.kept = ''
    }
    this.isCut = this.kind !== TEXT
    while (this.stack.length > 0) this.leave(false)
    this.isCut = false
    if (this.open) this.complete()
    this.plain = NOT_PLAIN
    return { emissions: list }
  }

  scan(chunk) {
    let state = this.state
    let at = 0
    // The start of the undecided tag; before the chunk if it is pending.
    let start = -this.held.length
    // Text from here on is not emitted yet; `lead` is pending text that turned out not to be a tag.
    let from = 0
    let lead = ''
    const length = chunk.length
    for (;;) {
      if (state === 0) {
        start = chunk.indexOf('<', at)
        if (start < 0) break
        at = start + 1
        state = START[this.kind]
      }
      const stop = start + LONGEST_TAG < length ? start + LONGEST_TAG : length
      let next = 0
      while (at < stop) {
        const code = chunk.charCodeAt(at)
        next = NEXT[(state << 7) + (code < 127 ? code : 127)]
        if (next <= 0) break
        state = next
        at++
      }
      if (at === stop && stop === length && length - start < LONGEST_TAG) {
        // Undecided at the end of the chunk.
        if (start >= 0) {
          if (start > from || lead !== '') this.text(lead + chunk.slice(from, start))
          this.held = chunk.slice(start)
        } else {
          this.held += chunk
        }
        this.state = state
        return
      }
      if (next < 0 && at < stop) {
        at++
        let tag
        if (start >= 0) {
          if (start > from) this.text(lead === '' ? chunk.slice(from, start) : lead + chunk.slice(from, start))
          else if (lead !== '') this.text(lead)
          tag = chunk.slice(start, at)
        } else {
          tag = this.held + chunk.slice(0, at)
          this.held = ''
        }
        lead = ''
        from = at
        state = 0
        if ((next & 1) === 0) this.opener(-next >> 1, tag)
        else this.closer(-next >> 1)
        continue
      }
      // Not a tag. The text after its `<` is searched again: a quoted value may hide a tag.
      state = 0
      if (start < 0) {
        const held = this.held
        this.held = ''
        if (held.lastIndexOf('<') > 0) {
          this.text(held[0])
          this.state = 0
          this.scan(held.slice(1))
          this.scan(chunk)
          return
        }
        lead = held
        at = 0
      } else {
        at = start + 1
      }
    }
    this.state = 0
    if (from < length) {
      const rest = from === 0 ? chunk : chunk.slice(from)
      this.text(lead === '' ? rest : lead + rest)
    } else if (lead !== '') {
      this.text(lead)
    }
  }

  /** Text that is not markup, for the innermost open element. */
  text(text) {
    switch (this.kind) {
      case TEXT:
      case THINKING:
        if (!this.open) this.begin(TYPES[this.kind])
        this.content(text)
        return
      case CALLS:
      case RESULTS:
        if (!this.open) {
          text = text.trimStart()
          if (text === '') return
          this.begin(TYPES[this.kind])
        }
        this.content(text)
        return
      case INVOKE:
        this.stray += this.stray === '' ? text.trimStart() : text
        return
      case PARAMETER:
        this.valueText(text)
        return
      default:
        this.resultText(text)
    }
  }

  /** Text of a result, with entities decoded; an incomplete one waits for its end. */
  resultText(text) {
    if (this.kept !== '') {
      text = this.kept + text
      this.kept = ''
    }
    if (text.indexOf('&') >= 0) {
      const last = text.lastIndexOf('&')
      if (text.length - last < 11 && text.indexOf(';', last) < 0 && OPEN_ENTITY.test(text)) {
        this.kept = text.slice(last)
        text = text.slice(0, last)
      }
      text = decode(text)
      if (text === '') return
    }
    this.content(text)
  }

  opener(element, tag) {
    const selfClosing = tag.charCodeAt(tag.length - 2) === 47
    if (element === PARAMETER) {
      if (this.kind !== INVOKE) return
      this.out += (this.parameters++ === 0 ? '{' : ',') + JSON.stringify(attribute(tag, 'name') ?? '') + ':'
      this.value = NOTHING
      this.kept = ''
      if (selfClosing) this.out += '""'
      else this.enter(PARAMETER)
      return
    }
    if (this.kind === INVOKE) this.leave(false)
    if (this.open) this.complete()
    if (element === INVOKE) {
      this.beginCall(attribute(tag, 'name'))
      this.enter(INVOKE)
      if (selfClosing) this.leave(true)
      return
    }
    if (element === RESULT || element === ERROR) {
      this.beginResult(attribute(tag, 'tool_use_id'), element === ERROR)
      this.enter(element)
      if (selfClosing) this.leave(true)
      return
    }
    if (element === THINKING) {
      if (!selfClosing) this.enter(THINKING)
      this.begin('thinking')
      if (selfClosing) this.complete()
      return
    }
    if (!selfClosing) this.enter(element)
  }

  closer(element) {
    const stack = this.stack
    const at = stack.lastIndexOf(element)
    if (at < 0) return
    while (stack.length > at + 1) this.leave(false)
    this.leave(true)
  }

  enter(element) {
    this.stack.push(element)
    this.kind = element
    if (element === CALLS) this.calls++
  }

  /** Ends the innermost element, and the open block in it. */
  leave(closed) {
    const stack = this.stack
    const element = stack.pop()
    this.kind = stack.length > 0 ? stack[stack.length - 1] : TEXT
    if (element === PARAMETER) {
      this.endValue()
      return
    }
    if (element === INVOKE) {
      this.completeCall(closed)
      return
    }
    if (element >= RESULT && this.kept !== '') {
      this.content(decode(this.kept))
      this.kept = ''
    }
    if (this.open) this.complete()
    if (element === CALLS) this.calls--
  }

  // Blocks.

  begin(type) {
    const index = this.index
    this.open = true
    this.meta =
      type === 'tool_call'
        ? { type, visible: false, blockIndex: index, depth: this.calls > 0 ? this.calls : 1 }
        : { type, visible: type === 'text', blockIndex: index }
    this.block({ event: 'block_start', index, block: { type } })
  }

  beginCall(toolName) {
    const index = this.index
    this.open = true
    this.parameters = 0
    this.toolName = toolName
    this.toolId = this.generateId()
    const toolId = this.toolId
    const type = 'tool_call'
    const depth = this.calls > 0 ? this.calls : 1
    this.block({ event: 'block_start', index, block: { type } })
    if (toolName !== undefined) {
      this.chunk(toolName, { type, visible: false, blockIndex: index, depth, toolName, toolCallPart: 'name' })
      this.chunk(toolId, { type, visible: false, blockIndex: index, depth, toolName, toolId, toolCallPart: 'id' })
      this.meta = { type, visible: false, blockIndex: index, depth, toolName, toolId, toolCallPart: 'input' }
    } else {
      this.chunk(toolId, { type, visible: false, blockIndex: index, depth, toolId, toolCallPart: 'id' })
      this.meta = { type, visible: false, blockIndex: index, depth, toolId, toolCallPart: 'input' }
    }
  }

  beginResult(toolId, isError) {
    const index = this.index
    const type = 'tool_result'
    this.open = true
    this.toolId = toolId
    this.isError = isError
    this.kept = ''
    this.meta =
      toolId === undefined ? { type, visible: false, blockIndex: index } : { type, visible: false, blockIndex: index, toolId }
    this.block({ event: 'block_start', index, block: { type } })
  }

  complete() {
    const meta = this.meta
    const block = { type: meta.type, content: this.whole === '' ? this.tail : this.whole + this.tail }
    if (meta.toolId !== undefined) block.toolId = meta.toolId
    if (this.isError) {
      block.isError = true
      this.isError = false
    }
    if (this.isCut) block.incomplete = true
    this.end(block)
  }

  completeCall(closed) {
    this.out += this.parameters === 0 ? '{}' : '}'
    const isIncomplete = !closed || this.toolName === undefined
    if (isIncomplete) this.meta = { ...this.meta, incomplete: true }
    this.sendInput()
    const block = {
      type: 'tool_call',
      toolId: this.toolId,
      toolName: this.toolName,
      input: JSON.parse(this.whole === '' ? this.tail : this.whole + this.tail),
    }
    if (isIncomplete) block.incomplete = true
    this.end(block)
    if (this.stray !== '') {
      const stray = this.stray
      this.stray = ''
      this.begin('tool_call')
      this.content(stray)
      this.complete()
    }
  }

  end(block) {
    this.open = false
    this.whole = ''
    this.tail = ''
    this.block({ event: 'block_complete', index: this.index++, block })
  }

  // The value of a parameter, as JSON text. The output of a chunk is joined in `out` and sent once.

  valueText(text) {
    switch (this.value) {
      case STRING:
        this.stringText(text)
        return
      case JSON_TEXT:
        this.kept += text
        return
      case SCALAR:
        this.kept += text
        if (!SCALAR_SO_FAR.test(this.kept)) this.beginString()
        return
      default: {
        text = text.trimStart()
        if (text === '') return
        this.kept = text
        const code = text.charCodeAt(0)
        if (code === 123 || code === 91 || code === 34) {
          this.value = JSON_TEXT
        } else if (SCALAR_SO_FAR.test(text)) {
          this.value = SCALAR
        } else {
          this.beginString()
        }
      }
    }
  }

  beginString() {
    const text = this.kept
    this.kept = ''
    this.value = STRING
    this.out += '"'
    this.stringText(text)
  }

  /** A piece of a string: white space at its end waits until more text follows. */
  stringText(text) {
    if (this.kept !== '') {
      text = this.kept + text
      this.kept = ''
    }
    const last = text.charCodeAt(text.length - 1)
    if (isSpaceAlike(last)) {
      const trimmed = text.trimEnd()
      if (trimmed.length < text.length) {
        this.kept = text.slice(trimmed.length)
        if (trimmed === '') return
        text = trimmed
      }
    }
    text = escape(text)
    this.out = this.out === '' ? text : this.out + text
  }

  endValue() {
    switch (this.value) {
      case STRING:
        this.out += '"'
        break
      case NOTHING:
        this.out += '""'
        break
      default: {
        const text = this.kept.trimEnd()
        this.out += this.isJson(text) ? text : JSON.stringify(text)
      }
    }
    this.kept = ''
  }

  isJson(text) {
    if (this.value === SCALAR) {
      const code = text.charCodeAt(0)
      if (code > 57) return text === 'true' || text === 'false' || text === 'null'
      return NUMBER.test(text) && !LONG_DIGITS.test(text)
    }
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }

  sendInput() {
    const out = this.out
    this.out = ''
    this.content(out)
  }

  // Delivery.

  content(text) {
    if (text.length < FOLD) {
      const tail = this.tail + text
      if (tail.length < FOLD) this.tail = tail
      else this.fold(tail)
    } else {
      this.whole += this.tail + text
      this.tail = ''
    }
    this.chunk(text, this.meta)
  }

  /** Reading one character makes V8 flatten the rope; it must not be optimised away. */
  fold(tail) {
    this.folded ^= tail.charCodeAt(0)
    this.whole += tail
    this.tail = ''
  }

  chunk(text, meta) {
    this.list.push({ kind: 'content', text, meta })
    if (this.onChunk !== undefined) this.onChunk(text, meta)
  }

  block(event) {
    this.list.push({ kind: 'blockEvent', event })
    if (this.onBlock !== undefined) this.onBlock(event)
  }
}
