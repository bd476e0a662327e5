// Events of either style have their types, and options that exclude each other don't compile.
import { SegmentEventType, SegmentStream, SegmentType, StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, extractSegments, parseSegments, registerToolSyntax, streamingResponseHandlerFor } from 'tokenweir/segments'
import type { AutobyteusSegmentEvent, JsonToolParser, SegmentConfig, SegmentEvent, SegmentRepair, ToolInvocation } from 'tokenweir/segments'

const plain: SegmentEvent[] = new StreamingParser().feed('x')
const objects: AutobyteusSegmentEvent[] = new StreamingParser({ eventStyle: 'autobyteus' }).feedAndFinalize('x')
for (const event of objects) {
  const kind: SegmentEventType = event.event_type
  const delta: string | undefined = event.payload.delta
  const path = event.payload.metadata?.['path']
  const dict = event.toDict()
  if (dict.type === SegmentEventType.START) dict.segment_type satisfies string
  // @ts-expect-error: they have no `type`.
  event.type
  void [kind, delta, path]
}
// @ts-expect-error: plain events have no `event_type`.
plain[0]?.event_type

const config: SegmentConfig = { strategy: 'json' }
const parser: StreamingParser = new StreamingParser(config)
const type: SegmentType = SegmentType.WRITE_FILE
const open: boolean = parser.currentSegmentType === type
// @ts-expect-error: no such style.
new StreamingParser({ eventStyle: 'python' })

const handler = new StreamingResponseHandler({
  config: { eventStyle: 'autobyteus' },
  onSegmentEvent: (event) => void event.toDict(),
  onRepair: (repairs, { name }) => void [repairs satisfies readonly SegmentRepair[], name],
})
const kept: AutobyteusSegmentEvent[] = handler.getAllEvents()
streamingResponseHandlerFor({ provider: 'openai', onSegmentEvent: (event) => void event.type })
streamingResponseHandlerFor({ config: { eventStyle: 'autobyteus' }, onSegmentEvent: (event) => void event.event_type })

const jsonToolParser: JsonToolParser = { parse: (json) => [{ name: json, arguments: {} }] }
const made: ToolInvocation[] = new ToolInvocationAdapter(jsonToolParser).processEvents([...plain, ...objects, ...kept])
extractSegments(objects.map((event) => ({ ...event })))
extractSegments(objects.map((event) => event.toDict()))
registerToolSyntax('mail', { toolName: 'send', buildArguments: (metadata, content) => (metadata['to'] === undefined ? null : { ...metadata, content }) })

export async function streams(source: ReadableStream<string>): Promise<unknown[]> {
  const seen: string[] = []
  for await (const event of parseSegments(['x'], { eventStyle: 'autobyteus' })) seen.push(event.event_type)
  const piped: ReadableStream<AutobyteusSegmentEvent> = source.pipeThrough(new SegmentStream({ eventStyle: 'autobyteus' }))
  return [seen, piped, open, made]
}
