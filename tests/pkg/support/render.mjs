// A log as lines, one a block: the form of tests/cases. What every log must
// keep to is checked on the way: one block open at a time, but for those of own
// tags, indices from 0 by one, metas of the documented form, parts in order, chunks that join to what
// `block_complete` carries.
import assert from 'node:assert/strict'

/** JSON with the backslashes doubled that it has no meaning for. */
export const doubled = (text) => text.replace(/\\(u[0-9a-fA-F]{4}|["\\/bfnrt])|\\/g, (written, known) => (known === undefined ? '\\\\' : written))

/**
 * @param face 'blocks' or 'elements'
 * @param spans whether chunks carry spans, which are then stated
 */
export function render(log, { face = 'blocks', spans = false } = {}) {
  const lines = []
  const open = []
  for (const entry of log) {
    if (entry.markup !== undefined) continue
    const block = open.at(-1)
    if (entry.event === 'block_start') {
      open.push(start(entry, block, lines.length))
      lines.push(undefined)
    } else if (entry.event === 'block_complete') lines[entry.index] = complete(entry, open.pop(), face, spans)
    else addChunk(entry, block, face, spans)
  }
  if (open.length > 0) assert.fail(`block ${open.at(-1).index} was not completed`)
  return lines.join('\n')
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const OWN = /^own\d+$/

function start({ index, block: { type, attributes, parent } }, open, next) {
  const isOwn = OWN.test(type)
  if (open !== undefined && !(isOwn && OWN.test(open.type))) assert.fail(`block ${index} starts inside block ${open.index}`)
  if (index !== next) assert.fail(`block ${index} is the ${next}th`)
  if (isOwn ? parent !== open?.index || attributes === undefined : (parent ?? attributes) !== undefined) assert.fail(`block ${index} in ${parent} has ${attributes}`)
  return { index, type, attributes, parent, text: '', parts: '', name: undefined, id: undefined, from: -1, to: -1 }
}

function addChunk({ chunk, meta }, block, face, spans) {
  const isFit = block !== undefined && meta.blockIndex === block.index && meta.type === block.type && meta.visible === (meta.type === 'text')
  if (!isFit) assert.fail(`chunk ${JSON.stringify(chunk)} of ${JSON.stringify(meta)} inside ${JSON.stringify(block)}`)
  const { toolCallPart: part, span } = meta
  if (part === 'name' || part === 'id') {
    if (block.parts.includes('id') || (part === 'name' && block.parts !== '')) assert.fail(`${part} comes after ${block.parts}`)
    block.parts += part
    block[part] = chunk
  } else {
    if ((part === 'input') !== block.parts.endsWith('id')) assert.fail(`${part} comes after ${block.parts}`)
    // An empty result of a tool is a chunk all the same.
    if (chunk === '') assert.fail('a chunk is empty')
    block.text += chunk
  }
  let keys = 3
  if (face === 'elements' || block.type === 'tool_call') keys += Number(meta.depth >= (face === 'elements' ? 0 : 1))
  if (part !== undefined) keys += 1 + Number(block.name !== undefined) + Number(block.id !== undefined)
  if (part !== undefined && (meta.toolName !== block.name || meta.toolId !== block.id)) assert.fail(`the name or id of ${JSON.stringify(meta)} is not what was emitted`)
  if (block.type === 'tool_result' && meta.toolId !== undefined) {
    block.id = meta.toolId
    keys += 1
  }
  keys += Number(meta.insideThinking === true && block.type === 'tool_call')
  if (meta.attributes !== undefined) {
    assert.deepEqual(meta.attributes, block.attributes)
    keys += 1
  }
  keys += Number(meta.parent !== undefined && meta.parent === block.parent)
  keys += Number(meta.incomplete === true && part === 'input')
  if (block.isCut) assert.fail(`something comes after the last chunk of a call that was cut off: ${JSON.stringify(chunk)}`)
  if (meta.incomplete) block.isCut = true
  if (spans) {
    keys += Number(span.length === 2 && span[0] <= span[1])
    if (part !== 'id' && span[0] < span[1]) {
      if (block.from < 0) block.from = span[0]
      block.to = span[1]
    }
  }
  if (Object.keys(meta).length !== keys) assert.fail(`the meta has other keys: ${JSON.stringify(meta)}`)
}

function complete({ index, block: whole }, block, face, spans) {
  if (block?.index !== index || block.type !== whole.type) assert.fail(`block ${index} is completed inside ${JSON.stringify(block)}`)
  const { type, content, toolId, toolName, input, isError, incomplete, insideThinking, problem, repairs, span: all, contentSpan: inner, attributes, parent, ...others } = whole
  if (Object.keys(others).length > 0) assert.fail(`the block has other keys: ${JSON.stringify(whole)}`)
  assert.deepEqual(attributes, block.attributes)
  if (parent !== block.parent) assert.fail(`block ${index} starts in ${block.parent} and ends in ${parent}`)
  const isCall = block.parts !== ''
  if (block.isCut && !incomplete) assert.fail(`${JSON.stringify(whole)} is whole, and its last chunk is not`)
  // Who reads the chunks must not take it for whole.
  if (isCall && incomplete && problem === undefined && !block.isCut && isJson(block.text)) assert.fail(`no chunk says that ${JSON.stringify(whole)} was cut off`)
  if (problem !== undefined && (problem !== 'repeated-argument' || !isCall || !incomplete)) assert.fail(`the problem of ${JSON.stringify(whole)}`)
  if (repairs !== undefined && (repairs.length === 0 || input === undefined)) assert.fail(`the repairs of ${JSON.stringify(whole)}`)
  if (insideThinking !== undefined && (insideThinking !== true || type !== 'tool_call')) assert.fail(`${type} inside thinking`)
  const places = [all?.[0], inner?.[0], inner?.[1], all?.[1]]
  if (spans ? !places.every((place, at) => Number.isInteger(place) && (at === 0 || places[at - 1] <= place)) : all !== inner) assert.fail(`the spans of ${JSON.stringify(whole)}`)
  // A call's name stands in its tag.
  if (spans && block.from >= 0 && (block.from < (isCall ? all[0] : inner[0]) || block.to > inner[1])) assert.fail(`the spans of ${JSON.stringify(whole)}, whose chunks go from ${block.from} to ${block.to}`)
  if (input === undefined ? content !== block.text : content !== undefined) assert.fail(`the chunks join to ${JSON.stringify(block.text)}, the block is ${JSON.stringify(whole)}`)
  if (input !== undefined) assert.deepEqual(input, JSON.parse(doubled(block.text)))
  const isFit = isCall
    ? toolId === block.id && toolName === block.name && isError === undefined && (incomplete === undefined || incomplete === true) && (input !== undefined || incomplete === true)
    : toolName === undefined && input === undefined && (incomplete === undefined || (incomplete === true && (type === 'thinking' || type === 'tool_result' || OWN.test(type)) && face === 'blocks')) && (type === 'tool_result' ? isError === undefined || isError === true : toolId === undefined && isError === undefined)
  // A result without text has no chunk that could have emitted its id.
  if (!isFit || (type === 'tool_result' && block.text !== '' && toolId !== block.id)) assert.fail(`${JSON.stringify(whole)} ends ${JSON.stringify(block)}`)

  const span = spans && block.from >= 0 ? ` ${block.from}..${block.to}` : ''
  if (face === 'elements') return `${type} ${JSON.stringify(content)}${span}`
  if (isCall) return `call ${toolName === undefined ? '-' : JSON.stringify(toolName)} ${input === undefined ? `broken ${JSON.stringify(content)}` : block.text}${span}${incomplete ? ' incomplete' : ''}`
  const cut = incomplete ? ' incomplete' : ''
  if (type === 'tool_result') return `${isError ? 'error' : 'result'} ${toolId === undefined ? '-' : JSON.stringify(toolId)} ${JSON.stringify(content)}${span}${cut}`
  if (OWN.test(type)) return `own ${type.slice(3)}${parent === undefined ? '' : ` in ${parent}`} ${JSON.stringify(attributes)} ${JSON.stringify(content)}${span}${cut}`
  return `${type === 'tool_call' ? 'stray' : type} ${JSON.stringify(content)}${span}${cut}`
}

const SPAN = / \d+\.\.\d+(?=( incomplete)?$)/gm

/** Rendered blocks without their spans. */
export function withoutSpans(lines) {
  return lines.replace(SPAN, '')
}

/** Checks that chunks and markup of a log with spans tile the text, and that what is verbatim is verbatim. */
export function assertTiled(log, text) {
  const pieces = []
  for (const { chunk, markup, meta, span = meta?.span } of log) {
    if (span === undefined || span[0] === span[1]) continue
    const written = text.slice(span[0], span[1])
    const isVerbatim = markup !== undefined || meta.type === 'text' || meta.type === 'thinking' || OWN.test(meta.type) || (meta.type === 'tool_call' && meta.toolCallPart === undefined)
    if (isVerbatim && (markup ?? chunk) !== written) assert.fail(`${JSON.stringify(markup ?? chunk)} is stated where ${JSON.stringify(written)} does`)
    pieces.push(span)
  }
  // Text inside a call is emitted after the call, so the order is not that of the text.
  pieces.sort(([a], [b]) => a - b)
  let at = 0
  for (const [from, to] of pieces) {
    if (from !== at) assert.fail(`a piece goes from ${from} to ${to}, but the one before it ended at ${at}`)
    at = to
  }
  assert.equal(at, text.length, 'the pieces reach the end of the text')
}
