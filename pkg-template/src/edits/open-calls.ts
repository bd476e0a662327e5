// The calls and the segment that are open in a stream.

import type { OpenCall } from '../args/stream-calls.js'
import type { ArgumentSettings } from './acts.js'
import { ArgumentEdits } from './argument-edits.js'
import { settingsOf, wholePatch } from './options.js'
import { Edits } from './reading.js'
import type { CallEditEvent, EditEvent } from './types.js'

/** Takes the events of a call. */
type Emit = (events: readonly CallEditEvent[]) => void

/** What segments are: what the content of each is. */
const SEGMENTS: Readonly<Record<string, 'patch' | 'file'>> = {
  patch_file: 'patch',
  edit_file: 'patch',
  write_file: 'file',
}

/** Whether segments of a type edit. */
export function isSegmentType(type: string): boolean {
  return Object.hasOwn(SEGMENTS, type)
}

/** One call: its arguments, or a patch, once its first character says which. */
export class Call implements OpenCall {
  length = 0
  /** White space before it says. */
  private front = ''
  private reader: ArgumentEdits | Edits | undefined

  constructor(
    readonly id: string,
    readonly name: string,
    private readonly settings: ArgumentSettings,
    private readonly emit: Emit,
  ) {}

  write(chunk: string): void {
    this.length += chunk.length
    const text = this.front + chunk
    this.front = ''
    if (this.reader === undefined) {
      const first = text.trimStart()[0]
      if (first === undefined) {
        this.front = text
        return
      }
      const { settings } = this
      this.reader =
        first === '{' ? new ArgumentEdits(settings) : new Edits({ ...settings, flags: wholePatch(settings.path) })
    }
    this.tag(this.reader.read(text))
  }

  /** Whatever the reason, only a call that has ended as calls do is whole. */
  end(_finishReason: string | undefined, isWhole: boolean): void {
    // Nothing says what it was to be: arguments, which lack everything.
    const reader = (this.reader ??= new ArgumentEdits(this.settings))
    const { front } = this
    if (front !== '') this.tag(reader.read(front))
    if (reader instanceof Edits) reader.emitter.isCut = !isWhole
    this.tag(reader.finish(isWhole ? 'tool-calls' : undefined))
  }

  private tag(events: readonly EditEvent[]): void {
    this.emit(tagged(events, this.id, this.name))
  }
}

/** What a segment is made of. */
interface SegmentShape {
  readonly id: string
  readonly type: string
  readonly path: string
}

/** A segment whose content is a patch or a file. */
export class Segment {
  private readonly edits: Edits
  private length = 0

  constructor(readonly shape: SegmentShape) {
    const { path } = shape
    this.edits = new Edits(settingsOf('EditCalls', { whole: true, ...(path === '' ? {} : { path }) }))
  }

  get id(): string {
    return this.shape.id
  }

  begin(emit: Emit): void {
    const { emitter } = this.edits
    const { path } = this.shape
    if (this.isFile && path === '') emitter.fail('missing-path', 0, 0)
    else if (this.isFile) {
      emitter.openFile('add', path, undefined, 'arguments', 0)
      emitter.openHunk(0, [])
    }
    this.tag(emit)
  }

  write(delta: string, emit: Emit): void {
    const from = this.length
    this.length += delta.length
    if (this.isFile) this.edits.emitter.grow('new', delta, from, this.length)
    else this.edits.write(delta)
    this.tag(emit)
  }

  end(isCut: boolean, emit: Emit): void {
    const { emitter } = this.edits
    emitter.isCut = isCut
    if (this.isFile) {
      emitter.endHunk(this.length)
      emitter.endFile(this.length)
    } else this.edits.end(isCut ? undefined : 'tool-calls')
    this.tag(emit)
  }

  private get isFile(): boolean {
    return SEGMENTS[this.shape.type] === 'file'
  }

  private tag(emit: Emit): void {
    emit(tagged(this.edits.emitter.take(), this.shape.id, this.shape.type))
  }
}

function tagged(events: readonly EditEvent[], callId: string, toolName: string): CallEditEvent[] {
  return events.map((event) => ({ ...event, callId, toolName }))
}
