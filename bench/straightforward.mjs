/**
 * A straightforward streaming XML parser, like those that applications use today.
 *
 * It follows the design notes for membrane's streaming: a `tagBuffer` that takes one character at a time,
 * a list of tag prefixes that decides when it can't be a tag, `indexOf` to the next `<` between tags,
 * regular expressions for complete tags, depth counters, and three lists as the result. The code is our
 * own.
 *
 * It has the contract of `IncrementalXmlParser`: one `function_calls` element is one `tool_call`
 * block, and white space is content.
 *
 * Each chunk is also searched for tags that change the depth, with a look-back of 30 characters, so
 * that the depth counters follow the raw text. `push` does that as in the notes, on a slice of the
 * accumulated text; slicing makes V8 copy all of that text, so `push` is quadratic. In `processChunk`
 * the look-back is stored separately, which is linear: otherwise this class would be hundreds of times
 * slower, and the ratios meaningless. `new StraightforwardParser({ rescan: false })` leaves the search
 * out of `processChunk`, to show its cost.
 */

const NAMES = ['thinking', 'function_calls', 'function_results', 'invoke', 'parameter']
const NAMESPACES = ['', 'antml:']
const PREFIXES = NAMESPACES.flatMap((space) => NAMES.flatMap((name) => [`<${space}${name}`, `</${space}${name}`]))

const COMPLETE_TAG = /^<\/?(?:antml:)?(thinking|function_calls|function_results|invoke|parameter)(\s[^>]*)?>$/
const DEPTH_TAG = /<(\/?)(?:antml:)?(thinking|function_calls|function_results)(?:\s[^>]*)?>/g
const LOOK_BACK = 30

const BLOCK_TYPES = { thinking: 'thinking', function_calls: 'tool_call', function_results: 'tool_result' }

export class StraightforwardParser {
  constructor({ rescan = true } = {}) {
    this.rescan = rescan
    this.reset()
  }

  reset() {
    this.accumulated = ''
    this.lookBack = ''
    this.scanned = 0
    this.lastTagEnd = 0
    this.rawDepths = { thinking: 0, function_calls: 0, function_results: 0 }
    this.tagBuffer = ''
    this.blockIndex = 0
    this.currentBlockStarted = false
    this.currentBlockType = 'text'
    this.currentBlockContent = ''
    this.thinkingDepth = 0
    this.functionCallsDepth = 0
    this.functionResultsDepth = 0
  }

  processChunk(chunk) {
    this.accumulated += chunk
    if (this.rescan) {
      const window = this.lookBack + chunk
      this.scan(window, this.scanned - this.lookBack.length)
      this.lookBack = window.slice(-LOOK_BACK)
    }
    const result = { emissions: [], content: [], blockEvents: [] }
    this.read(chunk, result)
    return result
  }

  read(chunk, result) {
    let pos = 0
    while (pos < chunk.length) {
      if (this.tagBuffer) {
        this.tagBuffer += chunk[pos]
        pos++
        if (this.isCompleteTag(this.tagBuffer)) {
          const tag = this.tagBuffer
          this.tagBuffer = ''
          this.handleTag(tag, result)
        } else if (this.cantBeTag(this.tagBuffer)) {
          const text = this.tagBuffer
          this.tagBuffer = ''
          this.refuseTag(text, result)
        }
      } else {
        const nextLt = chunk.indexOf('<', pos)
        if (nextLt === -1) {
          this.emitContent(chunk.slice(pos), result)
          break
        }
        if (nextLt > pos) this.emitContent(chunk.slice(pos, nextLt), result)
        this.tagBuffer = '<'
        pos = nextLt + 1
      }
    }
  }

  /** The pending text is not a tag. */
  refuseTag(text, result) {
    this.emitContent(text, result)
  }

  flush() {
    const result = { emissions: [], content: [], blockEvents: [] }
    if (this.tagBuffer) {
      const text = this.tagBuffer
      this.tagBuffer = ''
      this.refuseTag(text, result)
    }
    if (this.currentBlockStarted) this.completeBlock(result)
    return result
  }

  /** Tracks the depth of text that was already sent. */
  push(chunk) {
    this.accumulated += chunk
    const from = Math.max(0, this.scanned - LOOK_BACK)
    this.scan(this.accumulated.slice(from), from)
    return []
  }

  /** Counts the tags of `window`, which starts at `from`; those in the look-back are already counted. */
  scan(window, from) {
    for (const match of window.matchAll(DEPTH_TAG)) {
      const end = from + match.index + match[0].length
      if (end <= this.lastTagEnd) continue
      this.lastTagEnd = end
      this.rawDepths[match[2]] += match[1] === '/' ? -1 : 1
    }
    this.scanned = from + window.length
  }

  getDepths() {
    const { thinking, function_calls: functionCalls, function_results: functionResults } = this.rawDepths
    return { functionCalls, functionResults, thinking }
  }

  getAccumulated() {
    return this.accumulated
  }

  isCompleteTag(buffer) {
    return COMPLETE_TAG.test(buffer)
  }

  cantBeTag(buffer) {
    if (buffer.endsWith('>')) return !this.isCompleteTag(buffer)
    for (const prefix of PREFIXES) {
      if (prefix.startsWith(buffer) || buffer.startsWith(prefix)) return false
    }
    return true
  }

  handleTag(tag, result) {
    const isClosing = tag.startsWith('</')
    const name = COMPLETE_TAG.exec(tag)[1]
    const type = BLOCK_TYPES[name]
    // `invoke` and `parameter` are swallowed.
    if (type === undefined) return
    if (this.currentBlockStarted) this.completeBlock(result)
    this.changeDepth(name, isClosing ? -1 : 1)
    if (!isClosing) this.startBlock(type, result)
  }

  changeDepth(name, by) {
    if (name === 'thinking') this.thinkingDepth += by
    else if (name === 'function_calls') this.functionCallsDepth += by
    else this.functionResultsDepth += by
  }

  emitContent(text, result) {
    if (!this.currentBlockStarted) this.startBlock(this.getCurrentBlockType(), result)
    const meta = this.getCurrentMeta()
    this.currentBlockContent += text
    result.content.push({ text, meta })
    result.emissions.push({ kind: 'content', text, meta })
  }

  startBlock(type, result) {
    this.currentBlockStarted = true
    this.currentBlockType = type
    this.currentBlockContent = ''
    this.emitEvent({ event: 'block_start', index: this.blockIndex, block: { type } }, result)
  }

  completeBlock(result) {
    const block = { type: this.currentBlockType, content: this.currentBlockContent }
    this.emitEvent({ event: 'block_complete', index: this.blockIndex, block }, result)
    this.blockIndex++
    this.currentBlockStarted = false
    this.currentBlockContent = ''
  }

  emitEvent(event, result) {
    result.blockEvents.push(event)
    result.emissions.push({ kind: 'blockEvent', event })
  }

  getCurrentMeta() {
    const type = this.getCurrentBlockType()
    return {
      type,
      visible: type === 'text',
      blockIndex: this.blockIndex,
      depth: Math.max(this.functionCallsDepth, this.functionResultsDepth),
    }
  }

  getCurrentBlockType() {
    if (this.thinkingDepth > 0) return 'thinking'
    if (this.functionCallsDepth > 0) return 'tool_call'
    if (this.functionResultsDepth > 0) return 'tool_result'
    return 'text'
  }
}
