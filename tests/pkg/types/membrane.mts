// The drop-in class in a program that has membrane's types, re-exports the class, and makes results of the same shape.
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser, type ProcessChunkResult } from 'tokenweir/membrane'

type BlockType = 'text' | 'thinking' | 'tool_call' | 'tool_result'

interface Block {
  type: BlockType
  content?: string
  toolId?: string
  toolName?: string
  input?: Record<string, unknown>
  isError?: boolean
}
type OwnEvent = { event: 'block_start'; index: number; block: { type: BlockType } } | { event: 'block_complete'; index: number; block: Block }
interface Meta {
  type: BlockType
  visible: boolean
  blockIndex: number
  depth?: number
  toolCallPart?: 'name' | 'id' | 'input'
  toolId?: string
  toolName?: string
}
interface Result {
  emissions: Array<{ kind: 'content'; text: string; meta: Meta } | { kind: 'blockEvent'; event: OwnEvent }>
  content: Array<{ text: string; meta: Meta }>
  blockEvents: OwnEvent[]
}

// A parser of the program's own, that passes on what a provider said.
class PassThrough {
  processChunk(chunk: string, type: BlockType): ProcessChunkResult {
    const meta: Meta = { type, visible: type === 'text', blockIndex: 0 }
    const block: Block = { type, content: chunk, toolId: 't', toolName: 'f', input: {}, isError: false }
    const event: OwnEvent = { event: 'block_complete', index: 0, block }
    return { emissions: [{ kind: 'content', text: chunk, meta }, { kind: 'blockEvent', event }], content: [{ text: chunk, meta }], blockEvents: [event] }
  }
}

// Results of the class, as the program's own.
const parser: IncrementalXmlParser = new IncrementalXmlParser()
const results: Result[] = [parser.processChunk('a'), parser.flush(), new PassThrough().processChunk('a', 'tool_call')]
const events: OwnEvent[] = [...parser.push('a'), ...parser.finish()]
for (const { event } of events) event satisfies 'block_start' | 'block_complete'
parser.endHistory()
parser.pushEnvelope('')
const place: boolean = parser.isInsidePayload() || parser.isPayloadAt(0)

// A stop is an event only where there are sequences.
const stopping = new IncrementalXmlParser({ stopSequences: ['</function_calls>'] })
for (const emission of stopping.processChunk('a').emissions) {
  if (emission.kind === 'content') continue
  const { event } = emission
  if (event.event === 'stop') event.sequence satisfies string
  else event satisfies OwnEvent
}
const restored: IncrementalXmlParser = IncrementalXmlParser.restore(parser.snapshot())
const field: { parser: IncrementalXmlParser<{ stopSequences: string[] }> } = { parser: new IncrementalXmlParser({ stopSequences: [] }) }
// @ts-expect-error: there is no such option.
new IncrementalXmlParser({ stops: [] })

export { BlockParser, IncrementalXmlParser, field, place, restored, results }
export type { ProcessChunkResult }
