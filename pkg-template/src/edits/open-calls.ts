// The calls and the segment that are open in a stream.

import type { OpenCall } from '../args/stream-calls.js'
import type { Check } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { type ArgumentSettings, NO_PATCH } from './acts.js'
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
export const isSegmentType: Check = (value) => Object.hasOwn(SEGMENTS, value as string)

/** All that is open. */
export class OpenEdits {
  static get saved(): SavedClass {
    return {}
  }
  constructor(
    readonly calls: readonly Call[],
    readonly segment: Segment | undefined,
  ) {}
}

/** One call: its arguments, or a patch, once its first character says which. */
export class Call implements OpenCall {
  static get saved(): SavedClass {
    return { skips: ['id', 'name', 'settings', 'emit'] }
  }
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

  /** What it is: not known yet, a patch, or arguments with a patch that is read in some way, or none. */
  get kind(): 'open' | 'patch' | number {
    if (this.reader === undefined) return 'open'
    return this.reader instanceof Edits ? 'patch' : this.reader.acts.patchFlags
  }

  /** Makes it what it is. */
  prepare(kind: 'open' | 'patch' | number): void {
    if (kind === 'open') return
    const { settings } = this
    if (kind === 'patch') this.reader = new Edits({ ...settings, flags: wholePatch(settings.path) })
    else {
      const edits = new ArgumentEdits(settings)
      edits.acts.prepare(kind)
      this.reader = edits
    }
  }

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
      this.prepare(first === '{' ? NO_PATCH : 'patch')
    }
    this.tag(this.reader?.read(text))
  }

  /** Whatever the reason, only a call that has ended as calls do is whole. */
  end(_finishReason: string | undefined, isWhole: boolean): void {
    // Nothing says what it was to be: arguments, which lack everything.
    if (this.reader === undefined) this.prepare(NO_PATCH)
    const { front, reader } = this
    if (front !== '') this.tag(reader?.read(front))
    if (reader instanceof Edits) reader.emitter.isCut = !isWhole
    this.tag(reader?.finish(isWhole ? 'tool-calls' : undefined))
  }

  private tag(events: readonly EditEvent[] = []): void {
    this.emit(tagged(events, this.id, this.name))
  }
}

/** What a segment is made of. */
export interface SegmentShape {
  readonly id: string
  readonly type: string
  readonly path: string
}

/** A segment whose content is a patch or a file. */
export class Segment {
  static get saved(): SavedClass {
    return { skips: ['shape'] }
  }
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
