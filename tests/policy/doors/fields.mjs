// What reads JSON as values: the field parser, and robust JSON.
import { StreamingJSONParser, parsePartial } from 'tokenweir/fields'
import { RJSON } from 'tokenweir/ai-sdk-tool-parser'

const write = { document: (text) => text }

export default [
  {
    name: 'StreamingJSONParser',
    family: 'fields',
    write,
    open({ schema = {}, options } = {}) {
      const parser = new StreamingJSONParser(schema, options)
      return { feed: (piece) => parser.parseChunk(piece), end: () => parser.finalize() }
    },
    read(pieces, { schema = {}, options } = {}) {
      const parser = new StreamingJSONParser(schema, options)
      const events = [...pieces.flatMap((piece) => parser.parseChunk(piece)), ...parser.finalize()]
      const problems = events.filter(({ eventType }) => eventType === 'error').map(({ code }) => code)
      return { value: parser.data, problems, repairs: parser.report?.repairs ?? [] }
    },
  },
  { name: 'parsePartial', family: 'fields', write, cuts: 'none', read: (pieces) => ({ value: parsePartial(pieces.join('')) }) },
  {
    name: 'RJSON',
    family: 'fields',
    write,
    cuts: 'none',
    read(pieces) {
      try {
        return { value: RJSON.parse(pieces.join('')), problems: [] }
      } catch (error) {
        return { value: undefined, problems: [error.code] }
      }
    },
  },
]
