// Bytes from a file or from standard input, as text; and JSON files that options name.

import { createReadStream, readFileSync } from 'node:fs'
import { CliError, INPUT } from '../cli-error.js'

/** The text of a file, or of standard input, in chunks as it arrives. */
export async function* textOf(path: string | undefined): AsyncGenerator<string, void, undefined> {
  const isStdin = path === undefined || path === '-'
  if (isStdin && process.stdin.isTTY && process.stderr.isTTY)
    process.stderr.write('Reading standard input; end it with Ctrl-D.\n')
  // A character may be split between two chunks. A byte order mark is removed; invalid bytes become U+FFFD.
  const decoder = new TextDecoder()
  try {
    for await (const bytes of (isStdin ? process.stdin : createReadStream(path)) as AsyncIterable<Uint8Array>) {
      const text = decoder.decode(bytes, { stream: true })
      if (text !== '') yield text
    }
  } catch (error) {
    throw unreadable(isStdin ? 'standard input' : path, error)
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** The value in a JSON file. */
export function jsonOf(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new CliError(INPUT, `${path} is not valid JSON: ${oneLine(error)}`)
  }
}

/** An error's message on one line. */
export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'no such file',
}

function unreadable(name: string, error: unknown): unknown {
  const code = (error as { readonly code?: unknown } | null)?.code
  if (typeof code !== 'string') return error
  const reason = REASONS[code]
  return new CliError(INPUT, reason === undefined ? `${name} can't be read: ${oneLine(error)}` : `${name}: ${reason}`)
}
