// The compiler's first line about a mistake stands at the option, or the argument, that is wrong, and says nothing of overloads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ts from 'typescript'
import { RESOLUTIONS, inFolder } from './support/compile.mjs'

/** Programs by entry; what is wrong stands between «». */
const MISTAKES = {
  'tokenweir/blocks': [
    'new BlockParser({ «onChunck»: () => {} })',
    "new BlockParser({ «spans»: 'yes' })",
    "new BlockParser({ «fences»: 'texts' })",
    'new BlockParser({ «onChunk»: 5 })',
    'new BlockParser({ «onBlock»: (event: string) => {} })',
    'new BlockParser({ «tools»: 5 })',
    "new BlockParser({ «stopSequences»: 'a' })",
    "new BlockParser({ tags: { «a»: 'thinkin' } })",
    "new BlockParser({ tags: { a: { type: 'a', «visibel»: true } } })",
    "new BlockParser({ tags: { a: { type: 'a', «visible»: 1 } } })",
    "new BlockParser({ tags: { a: { type: 'a', «attributes»: 'id' } } })",
    "new BlockParser({ tags: { b: { type: 'b' }, a: { type: 'a', children: { c: { type: 'c', «visibel»: true } } } } })",
  ],
  tokenweir: [
    "readReply('', { «modle»: 'qwen3' })",
    "readReply('', { «format»: 'hermess' })",
    "readReply('', { «tools»: 5 })",
    "readReply('', { «tags»: 'all' })",
    "readReply('', { «continues»: 5 })",
    "readReply('', { «provider»: 'openia' })",
    'readReply(«5»)',
    "visibleText('', { «modle»: 'qwen3' })",
    "visibleText('', { «model»: 5 })",
    "visibleText('', { «signal»: true })",
    'new NativeBlocks({ «onChunck»: () => {} })',
    'sentences(«5»)',
  ],
  'tokenweir/fields': [
    "parseFields('', { «a»: 'strr' })",
    "parseFields('', «5»)",
    "parseFields('', { a: 'str' }, { «completionn»: 'order' })",
    "parseFields('', { a: 'str' }, { «completion»: 'ordr' })",
    "parseFields('', { a: 'str' }).on(«'b'», () => {})",
    "new StreamingJSONParser({ a: 'str' }, { «strict»: 'yes' })",
  ],
  'tokenweir/respond': [
    "respond(readReply(''), «'aisdk'»)",
    "respond(«'text'», 'aiSdk')",
    "respond(readReply(''), 'aiSdk', { «threadd»: 't' })",
    "respond(readReply(''), 'aiSdk', { «headers»: 5 })",
  ],
  'tokenweir/guard': [
    "guard(readReply(''), { «redcat»: [] })",
    "guard(readReply(''), { «redact»: 'email' })",
    "guard(readReply(''), { «stop»: 'x' })",
    "guard(«5», { stop: ['x'] })",
  ],
  'tokenweir/tool-calls': [
    "new ToolCallParser({ «formatt»: 'hermes', tools: [] })",
    "new ToolCallParser({ «format»: 'hermess', tools: [] })",
    "new ToolCallParser({ format: 'hermes', tools: [], «onErorr»: () => {} })",
    "new ToolCallParser({ format: 'hermes', tools: [], «onError»: 5 })",
    "new ToolCallParser({ format: 'hermes', «tools»: 5 })",
    "new ToolCallParser({ «protocol»: {}, tools: [] })",
    "parseReply('', { «formatt»: 'hermes' })",
    "parseReply('', { «format»: 'hermess' })",
  ],
  'tokenweir/ai-sdk': [
    "createToolMiddleware({ «formatt»: 'hermes' })",
    "createToolMiddleware({ «format»: 'hermess' })",
    "createToolMiddleware({ format: 'hermes', «placement»: 'middle' })",
    "createToolMiddleware({ format: 'hermes', options: { «onErorr»: () => {} } })",
    "createToolMiddleware({ format: 'hermes', options: { «withoutCall»: 'nothing' } })",
    'createToolMiddleware({ protocol: hermesProtocol(), «toolSystemPromptTemplate»: 5 })',
    "createToolMiddleware({ «protocol»: { formatTools: () => '' }, toolSystemPromptTemplate: (tools) => tools })",
  ],
  'tokenweir/edits': ["new EditParser({ «formatt»: 'patch' })", "new EditParser({ formats: [«'ptach'»] })", 'new EditParser({ «spans»: 1 })'],
  'tokenweir/args': [
    'new CallArguments({ «onCal»: () => {} })',
    'new CallArguments({ «onCall»: 5 })',
    'new CallArguments({ «tools»: 5, onCall: () => {} })',
    "new ArgumentsReader({ type: 'object', properties: { a: { type: 'string' } } }).get(«'b'»)",
    "new ArgumentsReader({ type: 'object', properties: { a: { type: 'string' } } }).items(«'b'»)",
    "new ArgumentsReader({ type: 'object', properties: { a: { type: 'string' } } }).onDone(«'b'», () => {})",
    'new ArgumentsReader(undefined, { «maxdepth»: 1 })',
  ],
  'tokenweir/segments': [
    'new StreamingResponseHandler({ «onSegmentEvnt»: () => {} })',
    "new StreamingResponseHandler({ config: { «strategy»: 'xlm' } })",
    "new StreamingParser({ «eventStyle»: 'python' })",
  ],
  'tokenweir/formats': ["defineFormat({ id: 'mine', «like»: 'hermess' })", "defineFormat({ id: 'mine', «cal»: {} })", "writeCalls([], { «format»: 'hermess' })"],
  'tokenweir/react': ["useReply({ «modle»: 'a' })"],
}

const NAMES = /\b(?:new )?([A-Za-z]+)(?=\()/g
const programs = Object.entries(MISTAKES).flatMap(([entry, lines]) =>
  lines.map((line) => {
    const names = [...line.matchAll(NAMES)].map(([, name]) => name).filter((name) => !['get', 'items', 'on', 'onDone'].includes(name))
    const own = names.filter((name) => name !== 'readReply' || entry === 'tokenweir')
    const other = own.length < names.length ? "import { readReply } from 'tokenweir'; " : ''
    return { line, code: `import { ${own} } from '${entry}'; ${other}void ${line.replace(/[«»]/g, '')}\n` }
  }),
)

const found = inFolder(
  programs.map(({ code }) => ({ extension: 'mts', code })),
  (files) => {
    const lib = ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts']
    const program = ts.createProgram(files, { strict: true, skipLibCheck: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib, types: [], ...RESOLUTIONS.nodenext })
    return files.map((name) => {
      const [first] = program.getSemanticDiagnostics(program.getSourceFile(name))
      return first && { at: first.file.text.slice(first.start, first.start + first.length), says: ts.flattenDiagnosticMessageText(first.messageText, '\n').split('\n')[0] }
    })
  },
)

for (const [at, { line }] of programs.entries()) {
  test(line, () => {
    assert.ok(found[at], 'it compiles')
    assert.equal(found[at].at, /«(.*)»/.exec(line)[1], found[at].says)
    assert.doesNotMatch(found[at].says, /overload|'never'/)
    assert.ok(found[at].says.length < 350, found[at].says)
  })
}
