// rjson's `transform`: relaxed JSON as JSON.
//
// Source: facts/ai-sdk-tool-parser.md, 2a. Differences: the result is JSON in
// every case, since white space that JSON doesn't know becomes spaces, leading
// zeros go, and a text that isn't relaxed JSON is an error.
import { jsonBorder } from '../wasm/borders.js'
import { requireString } from '../errors.js'
import { JsonRules } from '../generated/ops.js'
import { Scrutiny } from './scrutiny.js'
import { readTokens, type TokenHandler, asJsonLayout } from './tokens.js'
import { Wording, RjsonError } from './wording.js'

/**
 * Writes relaxed JSON as JSON with the same layout: comments and trailing commas become as many spaces, line ends stay,
 * strings in single quotes and words get double quotes. Keys that come twice stay. `JSON.parse` of it is what `parse`
 * gives of the text.
 *
 * Source: `RJSON.transform` of `@ai-sdk-tool/parser`.
 *
 * @throws RjsonError, a `SyntaxError`, for a text that can't be read.
 * @throws TypeError if the text is not a string.
 * @example
 * ```ts
 * import { transform } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(transform("{a: 'x', b: [1, 2,]}")) // {"a": "x", "b": [1, 2 ]}
 * ```
 */
export function transform(text: string): string {
  requireString('transform', text)
  jsonBorder.requireReady('transform')
  const wording = new Wording(text, true)
  const writer = new Writer(text)
  const refuse = (warning: ConstructorParameters<typeof RjsonError>[0]): never => {
    throw new RjsonError(warning)
  }
  const fault = readTokens(text, JsonRules.Relaxed, new Scrutiny(text, false, wording, refuse, writer))
  if (fault) throw new RjsonError(wording.fault(fault))
  return writer.finish()
}

/** Writes tokens and the text between them. */
class Writer implements TokenHandler {
  private readonly parts: string[] = []
  private lastEnd = 0

  constructor(private readonly text: string) {}

  open(_isObject: boolean, start: number, end: number): void {
    this.write(start, end)
  }

  close(start: number, end: number): void {
    this.write(start, end, this.text.slice(start, end), true)
  }

  string(text: string, _isKey: boolean, start: number, end: number): void {
    // In double quotes it is JSON already.
    this.write(start, end, this.text[start] === '"' ? this.text.slice(start, end) : JSON.stringify(text))
  }

  number(digits: string, start: number, end: number): void {
    this.write(start, end, digits.replace(/^(-?)0+(?=\d)/, '$1'))
  }

  word(_value: true | false | null, start: number, end: number): void {
    this.write(start, end)
  }

  finish(): string {
    const end = this.text.length
    this.write(end, end)
    return this.parts.join('')
  }

  private write(start: number, end: number, token = this.text.slice(start, end), isCloser = false): void {
    this.parts.push(asJsonLayout(this.text.slice(this.lastEnd, start), isCloser), token)
    this.lastEnd = end
  }
}
