// Arrows point one way in TypeScript too: each room of pkg-template/src knows only
// those in its list. `npm test -- --only layers` checks it with dependency-cruiser.

/** Files at the top that every room may use; they use each other alone. */
const BASE = ['environment', 'errors', 'event-generator', 'joined', 'max-pending', 'own', 'parsed', 'platform', 'snapshot', 'sources', 'span', 'surrogates', 'untrusted']

/** Each room, and the rooms that it may use. A room is a folder, or a file at the top. */
const ROOMS = {
  generated: [],
  wasm: ['generated'],
  stops: [],
  reader: ['generated', 'stops', 'wasm'],
  references: ['generated', 'reader', 'wasm'],
  json: ['generated', 'reader', 'wasm'],
  xml: ['generated', 'reader', 'references', 'wasm'],
  schema: ['generated', 'json', 'wasm'],
  native: ['blocks', 'generated', 'json', 'schema', 'wasm'],
  reply: ['blocks', 'generated', 'json', 'native', 'wasm'],
  blocks: ['generated', 'json', 'reader', 'references', 'schema', 'wasm'],
  membrane: ['blocks', 'references', 'schema', 'wasm'],
  fields: ['generated', 'json', 'reader', 'schema', 'stops', 'wasm'],
  segments: ['generated', 'json', 'reader', 'references', 'schema', 'stops', 'wasm'],
  rjson: ['generated', 'json', 'wasm'],
  rxml: ['json', 'schema', 'wasm', 'xml'],
  formats: ['generated', 'json', 'schema', 'wasm'],
  'tool-calls': ['formats', 'generated', 'json', 'reader', 'rxml', 'schema', 'stops', 'wasm', 'xml'],
  'ai-sdk': ['formats', 'generated', 'json', 'rxml', 'schema', 'tool-calls', 'yaml'],
  yaml: ['formats', 'schema', 'tool-calls'],
  start: ['generated', 'wasm'],
  public: ['ai-sdk', 'blocks', 'fields', 'formats', 'membrane', 'native', 'reply', 'rjson', 'rxml', 'schema', 'segments', 'tool-calls', 'yaml'],
  entry: ['public', 'wasm'],
  // The command line is a program that uses the package as anybody else, but reads recordings as replies are read.
  cli: ['public', 'reply', 'segments'],
}

const place = (rooms) => `^pkg-template/src/(${rooms.join('|')})(/|\\.ts$)`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'base', severity: 'error', from: { path: place(BASE) }, to: { path: '^pkg-template/src/', pathNot: place(BASE) } },
    { name: 'no-other-rooms', severity: 'error', from: { path: '^pkg-template/src/', pathNot: place([...BASE, ...Object.keys(ROOMS)]) }, to: {} },
    ...Object.entries(ROOMS).map(([room, below]) => ({
      name: room,
      severity: 'error',
      from: { path: place([room]) },
      to: { path: '^pkg-template/src/', pathNot: place([...BASE, room, ...below]) },
    })),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
}
