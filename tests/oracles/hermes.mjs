// Hermes calls compared with `@ai-sdk-tool/parser`, on texts for which its
// whole-text parser and its stream parser, at several cuts, agree.
import { hermesProtocol as referenceProtocol } from '@ai-sdk-tool/parser'
import fc from 'fast-check'
import { ToolCallParser, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
import { HERMES_TEXT, TOOLS } from '../pkg/support/tool-texts.mjs'
import { choicesOf, readAtCuts } from './choices.mjs'
import { exact } from './exact.mjs'

const reference = referenceProtocol()
// The reference doesn't support reasoning.
const protocol = hermesProtocol({ reasoning: 'search' })

export const hermes = {
  name: 'hermes',
  count: 3_000,

  async *documents(seed, count) {
    let made = 0
    for (let nth = 0; made < count; nth++) {
      for (const text of fc.sample(HERMES_TEXT, { seed: seed + nth * 1_000_003, numRuns: 500 })) {
        const theirs = await readByReference(text)
        if (theirs === undefined) continue
        yield { text, theirs }
        if ((made += 1) === count) return
      }
    }
  },

  complete: (texts) => Promise.all(texts.map(async (text) => ({ text, theirs: await readByReference(text) ?? 'its own readings differ' }))),

  compare({ text, theirs }) {
    const whole = shown(parseToolCalls(text, { protocol, tools: TOOLS }))
    readAtCuts(text, (chunks) => {
      const parser = new ToolCallParser({ protocol, tools: TOOLS })
      return shown([...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()])
    }, whole)
    return { ours: whole, theirs }
  },

  rules: {
    // `__proto__` is an ordinary key here; there it is lost.
    'proto-key': ({ text }, { ours, theirs }) => ours.includes('"__proto__":') && shown(parseToolCalls(text, { protocol, tools: TOOLS }), withoutProto) === theirs,
    // A number stays as written; there JSON.stringify turns -0 into 0.
    'negative-zero': ({ text }, { theirs }) => shown(parseToolCalls(text, { protocol, tools: TOOLS }), withoutNegativeZero) === theirs,
    // White space before a tag's `>` is ignored here; there it makes the tag text. Without it both agree, if the reference's own parsers agree.
    'spaced-tag': async ({ text }, { ours }) => {
      const tight = text.replace(/<(\/?)tool_call\s+>/g, '<$1tool_call>')
      if (tight === text || shown(parseToolCalls(tight, { protocol, tools: TOOLS })) !== ours) return false
      return [undefined, ours].includes(await readByReference(tight))
    },
    // A tag followed by a comment is prose here. Without the comment both agree.
    'comment-first': async ({ text }) => {
      const rest = text.replace(/(<tool_call>\s*)(?:\/\/[^\n]*\n|\/\*[^]*?\*\/)/g, '$1')
      return rest !== text && shown(parseToolCalls(rest, { protocol, tools: TOOLS })) === (await readByReference(rest))
    },
    // A malformed call is text here; there it is dropped, or partly read. Without it both agree.
    'failed-call': ({ text }) => isSameWithout(text, (errors) => errors),
    // Both repair malformed JSON, each in its own way. Without it both agree.
    'repaired-call': ({ text }) => isSameWithout(text, (errors, repaired) => [...errors, ...repaired]),
  },
}

const withoutProto = (key, value) => (key === '__proto__' ? undefined : value)

const withoutNegativeZero = (key, value) => (value === 0 ? 0 : value)

/** Whether both agree on a text without the segments that failed or were repaired here; true if the reference's own parsers disagree on the rest. */
async function isSameWithout(text, pick) {
  const errors = []
  const repaired = new Set()
  const options = { onError: (message, { toolCall }) => errors.push(toolCall), onRepair: (rules, { toolCallId }) => repaired.add(toolCallId) }
  const calls = parseToolCalls(text, { protocol, tools: TOOLS, options }).filter(({ type }) => type === 'tool-call')
  const segments = protocol.extractToolCallSegments({ text, tools: TOOLS })
  const odd = pick(errors, segments.length === calls.length ? segments.filter((segment, at) => repaired.has(calls[at].toolCallId)) : [])
  const rest = odd.reduce((left, segment) => left.replace(segment, () => ''), text)
  if (rest === text) return false
  const theirs = await readByReference(rest)
  return theirs === undefined || shown(parseToolCalls(rest, { protocol, tools: TOOLS }), withoutProto) === theirs
}

/** The reference's result for a text, if its generate and stream parsers agree. */
async function readByReference(text) {
  const whole = shown(reference.parseGeneratedText({ text, tools: TOOLS, options: {} }))
  const choose = choicesOf(text)
  for (const chunks of [[text], [...text], choose.cut(text)]) {
    if (shown(await streamed(chunks)) !== whole) return undefined
  }
  return whole
}

async function streamed(chunks) {
  const parts = [...chunks.map((delta) => ({ type: 'text-delta', id: '0', delta })), { type: 'finish', finishReason: 'stop', usage: {} }]
  const read = []
  for await (const part of ReadableStream.from(parts).pipeThrough(reference.createStreamParser({ tools: TOOLS }))) read.push(part)
  return read
}

/** Texts and calls, in order. */
function shown(parts, reviver) {
  const lines = []
  let text = ''
  const flush = () => {
    if (text !== '') lines.push(JSON.stringify(text))
    text = ''
  }
  for (const part of parts) {
    if (part.type === 'text-delta') text += part.delta
    else if (part.type === 'text') text += part.text
    else if (part.type === 'tool-call') {
      flush()
      lines.push(`${part.toolName} ${inputOf(part.input, reviver)}`)
    }
  }
  flush()
  return lines.join(' ')
}

function inputOf(input, reviver) {
  try {
    return exact(JSON.parse(input, reviver))
  } catch {
    return JSON.stringify(input)
  }
}
