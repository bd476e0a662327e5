// `tokenweir fields`

import { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type { FieldOptions, StreamingData, StreamingJSONParser } from 'tokenweir/fields'
import { byFile, byOptions } from '../fault.js'
import { type CommandSpec, type Front, textIn } from '../front.js'
import { jsonOf } from '../input/files.js'
import { toldBySpans } from '../told.js'
import type { Screen } from '../views/screen.js'
import { columns, json, place, short } from '../views/short.js'

export const fields: CommandSpec = {
  name: 'fields',
  summary: 'the fields of a JSON answer while it is written',
  details: `Of a recording the text is read. A document on one line that begins as an event of a recording does
({"type": …, {"id": …) is told at the end of its line; --input raw tells it at once.
--json writes the events of StreamingJSONParser without what grows with each: fullData, and the value
of a string's delta. --full writes these too.`,
  example: `  $ printf 'Sure: {"title": "Porto", "days": 2}' | npx tokenweir fields
  delta  title            "Porto"
  done   title            "Porto"
  delta  days             2
  done   days             2`,
  options: [
    new Option('--schema <file>', 'JSON file of what the document looks like: a JSON schema, or {"title": "str"}'),
    new Option('--strict', 'read JSON alone: no JSON5, nothing of what models do to it'),
    new Option('--multiple', 'tell all documents, not the first alone'),
    new Option('--path-style <style>', 'how paths are written').choices(['dot', 'slash']).default('dot'),
    new Option('--completion <how>', 'when a field is done: at its end, or as Agently guesses it').choices(['boundary', 'order']).default('boundary'),
    new Option('--full', 'with --json: events with all that is in them').implies({ json: true }),
    new Option('--spans', 'tell places, and markup too'),
  ],
  async load(options) {
    const { StreamingJSONParser } = await import('tokenweir/fields')
    const path = options['schema'] as string | undefined
    const schema = path === undefined ? undefined : (jsonOf(path) as object)
    const given: FieldOptions = {
      strict: options['strict'] === true,
      multiple: options['multiple'] === true,
      pathStyle: options['pathStyle'] as 'dot',
      completion: options['completion'] as 'boundary',
    }
    if (path !== undefined) byFile(path, () => new StreamingJSONParser(schema))
    const parser = byOptions(() => new StreamingJSONParser(schema, { ...given, spans: options['spans'] === true }))
    return {
      front: new FieldFront(parser, options['full'] === true),
      readsText: true,
      told() {
        const shadow = byOptions(() => new StreamingJSONParser(schema, { ...given, spans: true }))
        return toldBySpans((chunk) => shadow.parseChunk(chunk).flatMap((event) => ('span' in event && event.span !== undefined ? [{ span: event.span }] : [])))
      },
    }
  },
}

class FieldFront implements Front<StreamingData> {
  /** In the coloured view: the path whose line is open. */
  #open: string | undefined

  constructor(
    private readonly parser: StreamingJSONParser,
    private readonly isFull: boolean,
  ) {}

  text(chunk: string): StreamingData[] {
    return this.parser.parseChunk(chunk)
  }

  native(emission: BlockEmission): StreamingData[] {
    return this.text(textIn(emission))
  }

  finish(): StreamingData[] {
    return this.parser.finalize()
  }

  json(event: StreamingData): unknown {
    if (this.isFull) return event
    const { fullData: _, ...rest } = event
    if (event.eventType !== 'delta' || typeof event.delta !== 'string') return rest
    const { value: __, ...growing } = rest as Partial<StreamingData>
    return growing
  }

  line(event: StreamingData): string {
    const { eventType } = event
    if (eventType === 'markup') return columns([[eventType, 6]], short(event.text) + place(event.span))
    if (eventType === 'reset') return this.#row(event, '')
    if (eventType === 'error') return this.#row(event, event.message)
    if (eventType === 'delta') return this.#row(event, json(event.delta) + (event.replaced === true ? ' (replaced)' : '') + place(event.span))
    return this.#row(event, short(event.value) + (event.completionSource === 'synthetic_repair' ? ' (cut off)' : ''))
  }

  paint(event: StreamingData, screen: Screen): void {
    const { eventType, path } = event
    if (eventType === 'markup') return
    if (eventType === 'reset') return this.#apart(screen, 'withdrawn: a better document came', 'magenta')
    if (eventType === 'error') return this.#apart(screen, event.message, 'red')
    if (eventType === 'delta') {
      if (this.#open !== path || event.replaced === true) this.#begin(screen, path)
      if (typeof event.delta === 'string') screen.write(event.delta)
      else screen.write(json(event.delta), 'yellow')
      return
    }
    const isShown = this.#open === path
    // What had no delta is empty, or was told by what is in it.
    if (!isShown && !isEmpty(event.value)) return
    if (!isShown) {
      this.#begin(screen, path)
      screen.write(json(event.value), 'yellow')
    }
    if (event.completionSource === 'synthetic_repair') screen.write(' (cut off)', 'red')
    screen.endLine()
    this.#open = undefined
  }

  #begin(screen: Screen, path: string): void {
    screen.endLine()
    screen.write(`${path}: `, 'cyan')
    this.#open = path
  }

  #apart(screen: Screen, text: string, style: 'red' | 'magenta'): void {
    screen.line(text, style)
    this.#open = undefined
  }

  /** With `--multiple` the number of the document goes before the path. */
  #row({ eventType, path, documentIndex }: StreamingData, rest: string): string {
    return columns([[eventType, 6], [documentIndex === undefined ? path : `${documentIndex}: ${path}`, 16]], rest)
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
