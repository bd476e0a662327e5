// The arguments of an API call that writes a file, decoded while they are
// written:
//
//     {"path": "/a.py", "content": "x = \"1\"\n"}
//
// Source: spec/segment.md, "API tool calls".

import { Joined } from '../joined.js'
import { listedProperties, readerOf } from '../schema/reader.js'
import type { CallRecords } from '../generated/call-records.js'
import { BUILT_IN } from './states.js'
import type { JsonSchema } from './types.js'

/**
 * The argument of a tool that is a file's content, if the tool writes a file. A tool of the same name
 * whose schema has no such argument is another tool.
 */
export function fileContentOf(toolName: string, schema: JsonSchema | undefined): string | undefined {
  const tool = BUILT_IN.get(toolName)
  return tool?.isFile === true && mayTake(tool.content, schema) ? tool.content : undefined
}

/** Whether the arguments that a schema describes may have one of a name. */
export function mayTake(argument: string, schema: JsonSchema | undefined): boolean {
  return listedProperties(readerOf(schema).ways(schema))?.includes(argument) !== false
}

const PATH = 0

/** What is known of a file's path and content. */
export class FileArguments implements CallRecords {
  /** The top-level keys to read: the path's first. */
  readonly names: readonly string[]
  private readonly pathText = new Joined()
  private isPathWhole = false
  /** Whether a content began. An empty one has no text. */
  hasContent = false
  private readonly contentText = new Joined()
  private readonly fresh = new Joined()
  /** Where the fresh content stands in the arguments' text. */
  freshFrom = 0
  freshTo = 0

  private constructor(
    readonly segmentType: string,
    readonly contentName: string,
  ) {
    this.names = ['path', contentName]
  }

  /** Those of a tool, if it writes a file. An API's names are exact: `Write_File` would be a tool of the user's own. */
  static of(toolName: string, schema: JsonSchema | undefined): FileArguments | undefined {
    const contentName = fileContentOf(toolName, schema)
    return contentName === undefined ? undefined : new FileArguments(toolName, contentName)
  }

  /** The path, when it is whole. A blank one doesn't count. */
  get path(): string | undefined {
    if (!this.isPathWhole) return undefined
    const path = this.pathText.toString()
    return path.trim() === '' ? undefined : path
  }

  /** The content that was taken with `takeFresh`. */
  get content(): string {
    return this.contentText.toString()
  }

  /** The content that wasn't taken yet, or `''`. */
  takeFresh(): string {
    const text = this.fresh.toString()
    this.fresh.clear()
    this.contentText.add(text)
    return text
  }

  argument(which: number, text: string, from: number, to: number): void {
    if (which === PATH) return this.pathText.add(text)
    this.hasContent = true
    if (this.fresh.isEmpty) this.freshFrom = from
    this.freshTo = to
    this.fresh.add(text)
  }

  argumentEnd(which: number): void {
    if (which === PATH) this.isPathWhole = true
    else this.hasContent = true
  }
}
