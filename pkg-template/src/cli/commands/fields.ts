// `tokenweir fields`

import { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type { FieldOptions, StreamingData, StreamingJSONParser } from 'tokenweir/fields'
import { byFile, byOptions } from '../cli-error.js'
import { type CommandSpec, type Front, textIn } from '../front.js'
import { jsonOf } from '../input/files.js'
import { fencesOption, startWithThinkingOption } from '../options.js'
import type { Screen } from '../views/screen.js'
import { columns, json, place, short } from '../views/short.js'

export const fields: CommandSpec = {
  name: 'fields',
  summary: 'the fields of a JSON answer as it is written',
  details: `Reads the text of a recording. The events of a one-line document that starts like an event of a recording
({"type": …, {"id": …) come at the end of its line; with --input text they come immediately.
--json prints the events of StreamingJSONParser without the properties that grow with each event:
fullData, and the value of a string's delta. --full includes them.`,
  example: `  $ printf 'Sure: {"title": "Porto", "days": 2}' | npx tokenweir fields
  delta  title            "Porto"
  done   title            "Porto"
  delta  days             2
  done   days             2`,
  options: [
    new Option('--schema <file>', 'JSON file of the document\'s schema: a JSON schema, or {"title": "str"}'),
    new Option('--strict', 'accept only JSON: no JSON5, no errors of models'),
    new Option('--multiple', 'emit all documents, not only the first'),
    new Option('--path-style <style>', 'how paths are written').choices(['dot', 'slash']).default('dot'),
    new Option('--completion <how>', "when a field is done: at its end, or by Agently's heuristic")
      .choices(['boundary', 'order'])
      .default('boundary'),
    startWithThinkingOption(),
    fencesOption(),
    new Option('--full', 'with --json: complete events').implies({ json: true }),
    new Option('--spans', 'print spans, and markup as events'),
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
      startWithThinking: options['startWithThinking'] === true,
      fences: options['fences'] as 'parse',
      spans: options['spans'] === true,
    }
    if (path !== undefined) byFile(path, () => new StreamingJSONParser(schema))
    const parser = byOptions(() => new StreamingJSONParser(schema, given))
    return { front: new FieldFront(parser, options['full'] === true), readsText: true }
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

  finish(reason?: string): StreamingData[] {
    return this.parser.finalize({ reason })
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
    if (eventType === 'delta')
      return this.#row(event, json(event.delta) + (event.replaced === true ? ' (replaced)' : '') + place(event.span))
    return this.#row(event, short(event.value) + (event.completionSource === 'synthetic_repair' ? ' (cut off)' : ''))
  }

  paint(event: StreamingData, screen: Screen): void {
    const { eventType, path } = event
    if (eventType === 'markup') return
    if (eventType === 'reset') return this.#apart(screen, 'withdrawn: a better document was found', 'magenta')
    if (eventType === 'error') return this.#apart(screen, event.message, 'red')
    if (eventType === 'delta') {
      if (this.#open !== path || event.replaced === true) this.#begin(screen, path)
      if (typeof event.delta === 'string') screen.write(event.delta)
      else screen.write(json(event.delta), 'yellow')
      return
    }
    const isShown = this.#open === path
    // A value without a delta is empty, or its children were emitted.
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
    return columns(
      [
        [eventType, 6],
        [documentIndex === undefined ? path : `${documentIndex}: ${path}`, 16],
      ],
      rest,
    )
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
