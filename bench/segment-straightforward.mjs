/**
 * Segment events in plain JavaScript, as an application might write it: with a string for the undecided text,
 * `indexOf`, and regular expressions for complete tags.
 *
 * Only a yardstick for the cost of each text: it reads only the well-formed part of the grammar. It supports
 * `write_file`, `run_bash` and `tool` tags, arguments with or without markers, JSON tools by bracket depth, and
 * sentinels with a plain header. It has no errors, spans, fences, custom states or invocations, and doesn't handle a
 * missing end marker. It is linear: searched text isn't searched again, and a tag longer than 4,096 characters is text.
 */

const NAMES = ['<write_file', '<run_bash', '<tool']
const TAG = /^<(write_file|run_bash|tool)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>$/i
const ARG_TAG = /^<arg\s+name\s*=\s*["']([^"']+)["']\s*>$/i
const LONGEST_TAG = 4096
const CONTENT_ARGS = {
  write_file: ['content', 'CONTENT'],
  patch_file: ['patch', 'PATCH'],
  edit_file: ['patch', 'PATCH'],
  run_bash: ['command', 'COMMAND'],
}
const SIGNATURES = ['{"tool":', '{"tool_calls":', '{"tools":', '{"function":', '[{"tool":', '[{"function":']
const HEADER = '[[SEG_START'
const CLOSERS = { write_file: /<\/write_file>/i, run_bash: /<\/run_bash>/i, tool: /<\/tool>/i, arg: /<\/arg>/i, sentinel: /\[\[SEG_END\]\]/ }
const CLOSER_LENGTHS = { write_file: 13, run_bash: 11, tool: 7, arg: 6, sentinel: 11 }

export class StraightforwardSegments {
  constructor({ strategy = 'xml' } = {}) {
    this.trigger = { xml: '<', json: /[{[]/, sentinel: '[[' }[strategy]
    this.candidate = { xml: this.tag, json: this.json, sentinel: this.header }[strategy]
    this.state = this.inText
    this.rest = ''
    this.events = []
    this.count = 0
    this.id = undefined
    this.open = false
    /** How far a candidate was searched, and the open quote. */
    this.seen = 0
    this.quote = ''
  }

  feed(chunk) {
    this.rest = this.rest === '' ? chunk : this.rest + chunk
    while (this.rest !== '' && this.state()) {
      // Each state consumes text, or changes to another state.
    }
    const events = this.events
    this.events = []
    return events
  }

  finalize() {
    if (this.rest !== '') {
      if (!this.open) this.start('text', {})
      this.content(this.rest)
      this.rest = ''
    }
    this.end()
    const events = this.events
    this.events = []
    return events
  }

  // Events.

  start(type, metadata) {
    this.end()
    this.open = true
    this.id = `seg_${++this.count}`
    const payload = Object.keys(metadata).length > 0 ? { metadata } : {}
    this.events.push({ type: 'SEGMENT_START', segment_id: this.id, segment_type: type, payload })
  }

  content(delta) {
    if (delta !== '') this.events.push({ type: 'SEGMENT_CONTENT', segment_id: this.id, payload: { delta } })
  }

  end() {
    if (this.open) this.events.push({ type: 'SEGMENT_END', segment_id: this.id, payload: {} })
    this.open = false
  }

  text(delta) {
    if (delta === '') return
    if (!this.open) this.start('text', {})
    this.content(delta)
  }

  // Between segments.

  inText() {
    const at = typeof this.trigger === 'string' ? this.rest.indexOf(this.trigger) : this.rest.search(this.trigger)
    if (at < 0) {
      const hold = this.trigger === '[[' && this.rest.endsWith('[') ? 1 : 0
      this.text(this.rest.slice(0, this.rest.length - hold))
      this.rest = this.rest.slice(this.rest.length - hold)
      return false
    }
    this.text(this.rest.slice(0, at))
    this.rest = this.rest.slice(at)
    this.seen = 1
    this.quote = ''
    this.state = this.candidate
    return true
  }

  /** It was not a marker: its first character is text, and the search continues after it. */
  reject() {
    this.text(this.rest[0])
    this.rest = this.rest.slice(1)
    this.state = this.inText
    return true
  }

  tag() {
    const name = NAMES.find((known) => {
      const length = Math.min(known.length, this.rest.length)
      return this.rest.slice(0, length).toLowerCase() === known.slice(0, length)
    })
    if (name === undefined) return this.reject()
    const end = this.tagEnd()
    if (end < 0) return false
    if (end === 0) return this.reject()
    const found = TAG.exec(this.rest.slice(0, end))
    if (found === null) return this.reject()
    const attributes = {}
    for (const [, key, value] of found[2].matchAll(/([\w-]+)\s*=\s*["']([^"']*)["']/g)) attributes[key.toLowerCase()] ??= value
    return this.opened(found[1].toLowerCase(), attributes, end, found[3] === '/')
  }

  /** Length of the tag at the start; -1 while it is incomplete, 0 if it is not a tag. */
  tagEnd() {
    const { rest } = this
    for (; this.seen < rest.length; this.seen++) {
      const c = rest[this.seen]
      if (this.seen >= LONGEST_TAG) return 0
      if (this.quote !== '') {
        if (c === this.quote) this.quote = ''
      } else if (c === '"' || c === "'") {
        this.quote = c
      } else if (c === '<') {
        return 0
      } else if (c === '>') {
        return this.seen + 1
      }
    }
    return -1
  }

  opened(tag, attributes, end, empty) {
    const toolName = attributes.name
    if ((tag === 'tool' && !toolName) || (tag === 'write_file' && !attributes.path)) return this.reject()
    this.rest = this.rest.slice(end)
    this.closer = tag
    this.tool = tag === 'tool' ? CONTENT_ARGS[toolName.toLowerCase()] : undefined
    if (this.tool !== undefined) {
      this.toolName = toolName
      this.path = undefined
      this.held = undefined
      this.end()
      this.state = this.inArguments
      if (toolName.toLowerCase() === 'run_bash') this.start('run_bash', { tool_name: toolName })
    } else {
      this.start(tag === 'tool' ? 'tool_call' : tag, tag === 'tool' ? { tool_name: toolName } : tag === 'write_file' ? { path: attributes.path } : {})
      this.state = this.inRaw
    }
    if (empty) {
      this.end()
      this.state = this.inText
    }
    return true
  }

  // Content up to an end marker.

  inRaw() {
    if (!this.upTo(this.closer, (delta) => this.content(delta))) return false
    this.end()
    this.state = this.inText
    return true
  }

  /** Emits the text before the end marker; true if the marker is there. */
  upTo(closer, take) {
    const first = closer === 'sentinel' ? '[' : '<'
    let at = this.rest.indexOf(first)
    if (at < 0) {
      take(this.rest)
      this.rest = ''
      return false
    }
    at = this.rest.search(CLOSERS[closer])
    if (at >= 0) {
      take(this.rest.slice(0, at))
      this.rest = this.rest.slice(at + CLOSER_LENGTHS[closer])
      return true
    }
    at = this.rest.indexOf(first, Math.max(0, this.rest.length - CLOSER_LENGTHS[closer] + 1))
    if (at < 0) at = this.rest.length
    take(this.rest.slice(0, at))
    this.rest = this.rest.slice(at)
    return false
  }

  // `<tool name="write_file">`: from one argument's tag to the next.

  inArguments() {
    const at = this.rest.indexOf('<')
    if (at < 0) {
      this.rest = ''
      return false
    }
    const end = this.rest.indexOf('>', at)
    if (end < 0) {
      this.rest = this.rest.slice(at)
      return false
    }
    const tag = this.rest.slice(at, end + 1)
    this.rest = this.rest.slice(end + 1)
    const name = ARG_TAG.exec(tag)?.[1]
    if (name === 'path') {
      this.state = this.inPath
      this.value = ''
    } else if (name === this.tool[0]) {
      this.state = this.beforeContent
    } else if (/^<\/tool>$/i.test(tag)) {
      this.end()
      this.state = this.inText
    }
    return true
  }

  inPath() {
    if (!this.upTo('arg', (delta) => (this.value += delta))) return false
    this.path = this.value.trim()
    this.start(this.toolName.toLowerCase(), { tool_name: this.toolName, path: this.path })
    if (this.held !== undefined) this.content(this.held)
    this.state = this.held === undefined ? this.inArguments : this.behindContent
    return true
  }

  beforeContent() {
    const marker = `__START_${this.tool[1]}__`
    const text = this.rest.trimStart()
    if (text.length <= marker.length && marker.startsWith(text)) return false
    this.state = this.inContent
    if (text.startsWith(marker)) {
      this.rest = text.slice(marker.length)
      if (this.rest[0] === '\n') this.rest = this.rest.slice(1)
      this.state = this.inMarked
    }
    return true
  }

  contentDelta(delta) {
    if (this.open) this.content(delta)
    else this.held = (this.held ?? '') + delta
  }

  inContent() {
    if (!this.upTo('arg', (delta) => this.contentDelta(delta))) return false
    this.state = this.open ? this.behindContent : this.inArguments
    return true
  }

  inMarked() {
    const marker = `__END_${this.tool[1]}__`
    for (let at = this.rest.indexOf('_'); at >= 0; at = this.rest.indexOf('_', at + 1)) {
      const after = this.rest.slice(at, at + marker.length)
      if (!marker.startsWith(after)) continue
      const closing = /^\s*(<\/arg>)?/i.exec(this.rest.slice(at + marker.length))
      const whole = after.length === marker.length
      if (whole && closing[1] !== undefined) {
        this.contentDelta(this.rest.slice(0, at))
        this.rest = this.rest.slice(at + marker.length + closing[0].length)
        this.state = this.open ? this.behindContent : this.inArguments
        return true
      }
      const left = this.rest.slice(at + after.length + (whole ? closing[0].length : 0))
      if (left === '' || (whole && '</arg>'.startsWith(left.toLowerCase()))) {
        this.contentDelta(this.rest.slice(0, at))
        this.rest = this.rest.slice(at)
        return false
      }
    }
    this.contentDelta(this.rest)
    this.rest = ''
    return false
  }

  behindContent() {
    if (!this.upTo('tool', () => {})) return false
    this.end()
    this.state = this.inText
    return true
  }

  // JSON tools.

  json() {
    const compact = this.rest.slice(0, 64).replace(/\s/g, '')
    if (!SIGNATURES.some((one) => one.startsWith(compact) || compact.startsWith(one))) return this.reject()
    if (!SIGNATURES.some((one) => compact.startsWith(one))) return false
    this.start('tool_call', {})
    this.depth = 0
    this.quoted = false
    this.escape = false
    this.state = this.inJson
    return true
  }

  inJson() {
    const { rest } = this
    for (let i = 0; i < rest.length; i++) {
      const c = rest.charCodeAt(i)
      if (this.escape) this.escape = false
      else if (c === 0x5c) this.escape = this.quoted
      else if (c === 0x22) this.quoted = !this.quoted
      else if (this.quoted) continue
      else if (c === 0x7b || c === 0x5b) this.depth++
      else if ((c === 0x7d || c === 0x5d) && --this.depth === 0) {
        this.content(rest.slice(0, i + 1))
        this.end()
        this.rest = rest.slice(i + 1)
        this.state = this.inText
        return true
      }
    }
    this.content(rest)
    this.rest = ''
    return false
  }

  // Sentinels.

  header() {
    const length = Math.min(HEADER.length, this.rest.length)
    if (this.rest.slice(0, length) !== HEADER.slice(0, length)) return this.reject()
    const end = this.rest.indexOf(']]')
    if (end < 0) return false
    let header
    try {
      header = JSON.parse(this.rest.slice(HEADER.length, end))
    } catch {
      return this.reject()
    }
    const { type, ...metadata } = header
    this.start(type, metadata)
    this.rest = this.rest.slice(end + 2)
    this.closer = 'sentinel'
    this.state = this.inRaw
    return true
  }
}
