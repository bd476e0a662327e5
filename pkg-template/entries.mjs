// What the package has: its entries, which are what bundle.mjs makes, and the files that they share.
//
// pkg-template/package.json and package.json name the files of an entry; src/entry/<entry>.ts has its exports.

/** What replies load when they need it: what reads JSON, and what reads wire formats. */
const OF_REPLIES = ['json', 'tool-calls']

const VISIBLE = { names: 'visibleText', wasm: ['blocks'], later: OF_REPLIES }
const MIDDLEWARES = 'createToolMiddleware gemmaToolMiddleware hermesToolMiddleware kExaone2ToolMiddleware morphXmlToolMiddleware qwen3CoderToolMiddleware uiTarsToolMiddleware yamlXmlToolMiddleware'

/**
 * The entries, by the names of their files, in parts: names, the builds of the WebAssembly that they come with (those of
 * xtask/src/wasm.rs), and those that they may load later. A part without names has all the others of its entry.
 *
 * Parts are files of their own, unless they need nothing: where esbuild splits code, it loads with a file whatever this
 * leads to that something loads later.
 */
export const ENTRIES = {
  index: [VISIBLE, { names: 'Reply ResponseError readReply', wasm: ['blocks'], later: OF_REPLIES }, { names: 'NativeBlocks warm', wasm: ['blocks', 'json'] }, {}],
  blocks: [VISIBLE, { names: 'BlockParser BlockStream VisibleTextStream warm', wasm: ['blocks', 'json'] }, {}],
  'tool-calls': [{ wasm: ['tool-calls'] }],
  formats: [{}],
  fields: [{ wasm: ['fields'] }],
  segments: [{ wasm: ['segments'] }],
  args: [{ wasm: ['arguments'] }],
  edits: [{ names: 'EditParser extractEdits parseEdits', wasm: ['edits'] }, { wasm: ['edits', 'arguments'] }],
  grammar: [{}],
  respond: [{}],
  guard: [{}],
  'ai-sdk': [{ names: MIDDLEWARES, later: ['tool-calls'] }, { names: 'RJSON', wasm: ['json'] }, { wasm: ['tool-calls'] }],
  react: [{ wasm: ['blocks'], later: OF_REPLIES }],
  membrane: [{ wasm: ['blocks', 'json'] }],
  autobyteus: [{ wasm: ['segments'] }],
  agently: [{ wasm: ['fields'] }],
  'ai-sdk-tool-parser': [
    { names: `${MIDDLEWARES} xmlToolMiddleware`, later: ['tool-calls'] },
    { names: 'RJSON RjsonError parse rjson stringify transform', wasm: ['json'] },
    { names: 'RXML RXMLCoercionError RXMLDuplicateStringTagError RXMLParseError RXMLStringifyError coerceBySchema getSchemaType rxml schemaIsUnconstrained unwrapJsonSchema', wasm: ['values'] },
    { names: 'withYaml' },
    { wasm: ['tool-calls'] },
  ],
}

/**
 * The chunks in families, and what each begins with. A module that one leads to is in it. One that several of a family lead
 * to is in a chunk of the first and the family, and one that several families lead to in a chunk of the first, `-shared`:
 * so chunks lead to earlier ones alone, and what is loaded later is in none with what is loaded first. The fewer there are,
 * the faster Node imports an entry: it takes longer to find a file than to read it.
 */
export const CHUNKS = {
  // All that one format needs.
  format: { frozen: ['formats/frozen'] },
  replies: {
    visible: ['reply/visible'],
    reply: ['reply/reply'],
    blocks: ['blocks/typed-reading', 'blocks/streams', 'blocks/parser', 'entry/membrane'],
    native: ['reply/for-cli', 'reply/feed', 'native/native-blocks'],
  },
  documents: { fields: ['entry/fields'], args: ['entry/args'], edits: ['entry/edits'] },
  segments: { segments: ['entry/segments', 'entry/autobyteus'] },
  values: { rjson: ['rjson/rjson'], values: ['rxml/rxml', 'rxml/coerce-by-schema'] },
  calls: {
    middleware: ['ai-sdk/middleware', 'ai-sdk/ready-made', 'ai-sdk/tool-parser-middlewares'],
    'tool-calls': ['entry/tool-calls', 'reply/format-text'],
    made: ['ai-sdk/made'],
    'made-format': ['ai-sdk/made-format'],
    'ai-sdk': ['ai-sdk/format-protocols', 'ai-sdk/tool-choice', 'ai-sdk/transform-params', 'ai-sdk/wrap-generate', 'ai-sdk/wrap-stream'],
  },
  formats: { finding: ['formats/find-id'], formats: ['entry/formats'], grammar: ['entry/grammar'] },
  replying: { respond: ['entry/respond'], guard: ['entry/guard'] },
}
