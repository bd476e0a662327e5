// --format and --model: the model's text is read by its wire format, as readReply reads it.

import { Option } from 'commander'
import type { Format, FormatId } from 'tokenweir/formats'
import { type MakeTextReader, formatReader } from '../reply/for-cli.js'
import { CliError, USAGE } from './cli-error.js'
import { counter } from './ids.js'
import type { ToolFile } from './tools.js'

/** How a text is read by a format. */
export interface TextFormat {
  readonly reader: MakeTextReader
  readonly generateId: () => string
  readonly tools: readonly ToolFile[] | undefined
}

/** The options of commands that read tags without them; `tagOptions` go with tags alone. */
export function formatOptions(...tagOptions: readonly string[]): Option[] {
  const conflicting = [...tagOptions, 'tags', 'startWithThinking']
  return [
    new Option(
      '--format <id>',
      "the wire format of the model's text, instead of tags: qwen3-coder, kimi-k2, …",
    ).conflicts([...conflicting, 'model']),
    new Option('--model <name>', 'the name of the model: its format, if it has one; otherwise tags').conflicts(
      conflicting,
    ),
    new Option(
      '--prefill <text>',
      "with --format or --model: the end of the prompt, where that has opened the model's turn or its thinking",
    ),
  ]
}

/** What the options say of a format; undefined without one, and for a model without one. */
export async function textFormat(
  options: Readonly<Record<string, unknown>>,
  tools: readonly ToolFile[] | undefined,
  fences: 'parse' | 'text' | undefined,
): Promise<TextFormat | undefined> {
  const { format: id, model, prefill } = options as Readonly<Record<string, string | undefined>>
  if (id === undefined && model === undefined) {
    if (prefill !== undefined) throw new CliError(USAGE, '--prefill needs --format or --model, which reads it')
    return undefined
  }
  const format = id === undefined ? await formatOfModel(model as string) : await formatOf(id)
  if (format === undefined) return undefined
  const generateId = counter()
  try {
    const reader = await formatReader({ format, prefill, tools, fences, generateId: () => generateId() })
    return reader && { reader, generateId: () => generateId(), tools }
  } catch (error) {
    throw error instanceof TypeError ? new CliError(USAGE, error.message) : error
  }
}

/** A format by its id; one that is YAML with its reader. */
export async function formatOf(id: string): Promise<Format | FormatId> {
  const { formats, isFormatId } = await import('tokenweir/formats')
  // The parser refuses an unknown one, and names those like it.
  if (!isFormatId(id)) return id as FormatId
  const format: Format = formats[id]
  if (format.call?.body !== 'yaml') return format
  const { withYaml } = await import('tokenweir/ai-sdk-tool-parser')
  return withYaml(format)
}

async function formatOfModel(name: string): Promise<Format | FormatId | undefined> {
  const { formatFor } = await import('tokenweir/formats')
  const found = formatFor(name)
  return found && formatOf(found.id)
}
