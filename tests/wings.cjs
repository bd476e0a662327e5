// The wings of pkg-template/src from the bottom up, and in each its rooms with those that they may use: of their own
// wing or of one below. A room is a folder, or a file at the top.
const WINGS = (module.exports = {
  engine: {
    generated: [],
    wasm: ['generated'],
    'character-set': [],
    pending: [],
    reader: ['generated', 'pending', 'character-set', 'wasm'],
    'stream-reader': ['reader', 'wasm'],
    references: ['generated', 'reader', 'wasm'],
    json: ['generated', 'reader', 'wasm'],
    xml: ['generated', 'reader', 'references', 'wasm'],
  },
  values: {
    schema: ['generated', 'json', 'wasm'],
    rjson: ['generated', 'json', 'wasm'],
    rxml: ['json', 'schema', 'wasm', 'xml'],
  },
  parsers: {
    blocks: ['generated', 'json', 'reader', 'references', 'schema', 'stream-reader', 'wasm'],
    args: ['generated', 'json', 'reader', 'schema', 'character-set', 'stream-reader', 'wasm'],
    fields: ['generated', 'json', 'reader', 'schema', 'character-set', 'stream-reader', 'wasm'],
    segments: ['generated', 'json', 'reader', 'references', 'schema', 'character-set', 'stream-reader', 'wasm'],
    edits: ['args', 'generated', 'json', 'reader', 'character-set', 'stream-reader', 'wasm'],
    formats: ['generated', 'json', 'schema', 'wasm'],
    arguments: ['formats', 'generated', 'json', 'rxml', 'schema', 'xml'],
    'tool-calls': ['arguments', 'formats', 'generated', 'json', 'reader', 'rxml', 'schema', 'character-set', 'stream-reader', 'wasm', 'xml'],
  },
  apps: {
    native: ['args', 'blocks', 'generated', 'json', 'schema', 'wasm'],
    reply: ['args', 'blocks', 'formats', 'generated', 'json', 'native', 'schema', 'tool-calls', 'wasm'],
    membrane: ['blocks', 'references', 'schema', 'wasm'],
    'ai-sdk': ['arguments', 'formats', 'generated', 'json', 'rxml', 'schema', 'tool-calls', 'wasm', 'yaml'],
    yaml: ['arguments', 'formats', 'schema', 'tool-calls'],
    sentences: [],
    respond: ['blocks', 'formats', 'native', 'reply', 'schema', 'tool-calls'],
    guard: ['blocks', 'reply', 'schema', 'tool-calls'],
    grammar: ['formats', 'generated', 'schema'],
    react: ['reply', 'schema'],
    start: ['generated', 'wasm'],
    entry: ['ai-sdk', 'args', 'blocks', 'edits', 'fields', 'formats', 'generated', 'grammar', 'guard', 'membrane', 'native', 'react', 'reply', 'respond', 'rjson', 'rxml', 'schema', 'segments', 'sentences', 'tool-calls', 'wasm', 'yaml'],
    // The command line is a program that uses the package as anybody else, but reads recordings as replies are read.
    cli: ['entry', 'reply', 'segments'],
  },
})

checkWings()

/** Throws if a room may use one of a wing above its own. */
function checkWings() {
  const reached = []
  for (const [wing, rooms] of Object.entries(WINGS)) {
    reached.push(...Object.keys(rooms))
    for (const [room, below] of Object.entries(rooms)) {
      const above = below.filter((other) => !reached.includes(other))
      if (above.length > 0) throw new Error(`${room} is in the wing ${wing}, below ${above.join(', ')}`)
    }
  }
}
