// A reply in the wire format of a model, as a server such as llama-server sends it:
// each chunk is the content of one event of chat completions, and `readReply` reads
// the response.

import { type Reply, type ReplyOptions, readReply } from 'tokenweir'
import type { Tool } from 'tokenweir/tool-calls'
import type { Format } from 'tokenweir/formats'
import type { Emitted } from '../emitted'
import { BlockList } from './block-list'
import { PartPlaces } from './part-places'
import { type Changed, type Reading, counter } from './reading'

/** What the reply is read with. */
export interface ReplySource extends Pick<ReplyOptions, 'prefill'> {
  readonly format: Format
  readonly tools: readonly Tool[]
}

export class ReplyReading implements Reading {
  private readonly list = new BlockList()
  readonly blocks = this.list.blocks
  /** The lines of the response so far. */
  readonly lines: string[] = []
  visible = ''
  readonly over: Promise<void>
  private readonly places: PartPlaces
  private readonly body: ReadableStreamDefaultController<Uint8Array>
  private readonly encoder = new TextEncoder()

  constructor(emitted: Emitted, source: ReplySource, changed: Changed) {
    this.places = new PartPlaces(emitted, source)
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const bytes = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) })
    this.body = body as unknown as ReadableStreamDefaultController<Uint8Array>
    const response = new Response(bytes, { headers: { 'content-type': 'text/event-stream' } })
    this.over = this.read(readReply(response, { ...source, generateId: counter('call_') }), changed)
  }

  feed(chunk: string): void {
    this.places.feed(chunk)
    this.send(JSON.stringify({ choices: [{ index: 0, delta: { content: chunk } }] }))
  }

  end(): void {
    this.places.end()
    this.send(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    this.send('[DONE]')
    this.body.close()
  }

  private send(data: string): void {
    const line = `data: ${data}`
    this.lines.push(line)
    this.body.enqueue(this.encoder.encode(`${line}\n\n`))
  }

  private async read(reply: Reply<readonly Tool[]>, changed: Changed): Promise<void> {
    for await (const emission of reply) {
      this.list.take(emission)
      this.visible = reply.soFar.text
      changed()
    }
    this.visible = reply.soFar.text
    changed()
  }
}
