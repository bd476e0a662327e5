// The guides of examples/membrane-patch, applied to checkouts that have the names they speak of, and no more.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { StraightforwardParser } from '../../../bench/straightforward.mjs'
import { random } from '../support/cuts.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const script = join(root, 'examples/membrane-patch/apply.mjs')
const folders = []
/** The package that these tests import. */
const installed = fileURLToPath(import.meta.resolve('tokenweir')).replace(/[\\/]dist[\\/].*$/, '')
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A checkout with these files, in which the package is installed. */
function checkout(files) {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  folders.push(folder)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(installed, join(folder, 'node_modules/tokenweir'))
  symlinkSync(join(root, 'node_modules/typescript'), join(folder, 'node_modules/typescript'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const apply = (name, folder) => spawnSync(process.execPath, [script, name, folder], { encoding: 'utf8' })

/** A checkout to which a guide was applied, which adds no more lines than these, and whose types are right. */
function applied(name, files, most) {
  const folder = checkout(files)
  const { status, stdout, stderr } = apply(name, folder)
  assert.deepEqual([stderr, status], ['', 0])
  assert.ok(Number(/(\d+) added \(written for/.exec(stdout)[1]) <= most, stdout)
  assert.deepEqual(typeErrors(folder), [])
  return folder
}
const read = (folder, path) => readFileSync(join(folder, path), 'utf8')

/** The type errors of a checkout. */
function typeErrors(folder) {
  const { options } = ts.convertCompilerOptionsFromJson({ strict: true, target: 'es2022', module: 'nodenext', noEmit: true, types: [], lib: ['es2022', 'dom', 'dom.iterable'] }, folder)
  const program = ts.createProgram(ts.sys.readDirectory(join(folder, 'src'), ['.ts']), options)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** A module of a checkout, as JavaScript. */
async function load(folder, path) {
  for (const file of ts.sys.readDirectory(join(folder, 'src'), ['.ts'])) {
    const text = ts.transpile(readFileSync(file, 'utf8'), { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext })
    writeFileSync(file.replace(/\.ts$/, '.js'), text)
  }
  return import(pathToFileURL(join(folder, path)))
}

const declarations = (names) => names.map((name) => (/^[A-Z_]+$/.test(name) ? `const ${name} = /x/g;\n` : `/** Was here. */\nfunction ${name}() {}\n`)).join('\n')
const guide = JSON.parse(readFileSync(join(root, 'examples/membrane-patch/membrane.json'), 'utf8'))
const deleted = (file) => guide.files.find((each) => each.file === file).steps.find((step) => step.delete !== undefined).delete

const loop = (name, show, tell) => `
  async ${name}(chunks: string[], stops: string[], onChunk: (text: string, meta?: unknown) => void, onBlock: (event: BlockEvent) => void) {
    const formatter = new AnthropicXmlFormatter();
    const parser = formatter.createStreamParser();
    const stream = { emit: ({ content, event }: { type: string; content?: string; meta?: unknown; event?: BlockEvent }) => (event ? onBlock(event) : onChunk(content ?? '')) };
    const [emitTokens, emitBlocks, request, initialPrefillLength] = [true, true, stops, 0];
    let { prefillResult } = this.transformRequest(request, formatter);
    let detectedStopSequence: string | null = null;
    let truncatedAccumulated: string | null = null;
    for (const chunk of chunks) (() => {
      if (detectedStopSequence) return;
      const { emissions } = parser.processChunk(chunk);
      for (const emission of emissions) emission.kind === 'content' ? ${show} : ${tell};
    })();
    if (detectedStopSequence && truncatedAccumulated !== null) {
      parser.reset();
      parser.push(truncatedAccumulated);
    }
    const flushResult = parser.flush();
    for (const emission of flushResult.emissions) {
      if (emission.kind === 'blockEvent') {
        ${tell};
      }
    }
    const parsed = parseToolCalls(parser.getAccumulated());
    void [stream, emitTokens, emitBlocks, prefillResult, initialPrefillLength];
    return { stop: detectedStopSequence, text: parser.getAccumulated(), parsed };
  }`

const MEMBRANE = {
  'package.json': '{ "name": "@animalabs/membrane", "version": "0.5.78", "type": "module" }',
  'src/types.ts': `export type ContentBlock = { type: 'text'; text: string } | { type: 'thinking'; thinking: string } | { type: 'tool_use'; id: string; name: string } | { type: 'tool_result'; toolUseId: string };
export interface ChunkMeta { type: string; visible: boolean; blockIndex: number }
export interface BlockEvent { event: 'block_start' | 'block_complete'; index: number }
`,
  'src/utils/stream-parser.ts': `import type {\n  BlockEvent,\n  ChunkMeta,\n} from '../types.js';\n// import of\n//   MembraneBlock,\n//   MembraneBlockType,\n
export type StreamEmission = { kind: 'content'; text: string; meta: ChunkMeta } | { kind: 'blockEvent'; event: BlockEvent };
export interface ProcessChunkResult { emissions: StreamEmission[] }
${declarations(deleted('src/utils/stream-parser.ts'))}`.replace('function IncrementalXmlParser() {}', 'class IncrementalXmlParser {}'),
  'src/utils/tool-parser.ts': `import type { ContentBlock } from '../types.js';\nexport const kept = 1;\n${declarations(deleted('src/utils/tool-parser.ts'))}`,
  'src/formatters/types.ts': `import type { ProcessChunkResult } from '../utils/stream-parser.js';
export interface StreamParser { processChunk(chunk: string): ProcessChunkResult; flush(): ProcessChunkResult; push(text: string): void; reset(): void; getAccumulated(): string }
export interface PrefillFormatter {
  createStreamParser(): StreamParser;
}
`,
  'src/formatters/anthropic-xml.ts': `import type { PrefillFormatter, StreamParser } from './types.js';
import { IncrementalXmlParser } from '../utils/stream-parser.js';
export class AnthropicXmlFormatter implements PrefillFormatter {
  createStreamParser(): StreamParser {
    return new IncrementalXmlParser();
  }
}
`,
  'src/membrane.ts': `import { parseAccumulatedIntoBlocks, parseToolCalls } from './utils/tool-parser.js';
import { AnthropicXmlFormatter } from './formatters/anthropic-xml.js';
import type { BlockEvent, ContentBlock } from './types.js';
import { IncrementalXmlParser, type ProcessChunkResult } from './utils/stream-parser.js';

export class Membrane {
  transformRequest(stops: string[], _formatter: AnthropicXmlFormatter) {
    return { prefillResult: { stopSequences: stops } };
  }

  blocks(text: string): ContentBlock[] {
    return parseAccumulatedIntoBlocks(text).blocks;
  }
${loop('streamWithXmlTools', 'onChunk(emission.text)', 'onBlock(emission.event)')}
${loop('runXmlToolsYielding', "stream.emit({ type: 'tokens', content: emission.text })", "stream.emit({ type: 'block', event: emission.event })")}
}
`,
}

/** A reply in which every tag is closed, with text that may become a stop sequence, also at its end. */
function wellFormed(next) {
  const pick = (list) => list[next(list.length)]
  const text = () => pick(['Hello', 'a < b', ' ', '\n', '\nUs', '\nUser', '\nBob', '\nBo\nUse', 'I see.\n'])
  const parts = [text, () => `<thinking>${text()}${text()}</thinking>`, () => `<function_calls>\n<invoke name="f">\n<parameter name="a">${text()}</parameter>\n</invoke>\n</function_calls>`]
  return Array.from({ length: 1 + next(6) }, () => pick(parts)()).join('') + pick(['', '\nUs', '\nUser', '\n'])
}

function cutAnywhere(text, next) {
  const chunks = []
  for (let from = 0, to; from < text.length; from = to) chunks.push(text.slice(from, (to = from + 1 + next(12))))
  return chunks
}

/** What callbacks get of a parser without stop sequences. */
function shown(parser, chunks) {
  const results = [...chunks.map((chunk) => parser.processChunk(chunk)), parser.flush()]
  return results.flatMap(({ emissions }) => emissions.map((emission) => (emission.kind === 'content' ? emission.text : [emission.event.event, emission.event.index])))
}

/** Neighbouring texts are one. */
function merged(events) {
  const result = []
  for (const event of events) {
    if (typeof event === 'string' && typeof result.at(-1) === 'string') result.push(result.pop() + event)
    else result.push(event)
  }
  return result
}

describe('membrane', () => {
  test('the patched loop stops at sequences, in the types and when it runs', async () => {
    const folder = applied('membrane', MEMBRANE, 42)
    assert.doesNotMatch(read(folder, 'src/utils/stream-parser.ts'), /class IncrementalXmlParser|countTags|Was here/)
    const { Membrane } = await load(folder, 'src/membrane.js')
    for (const method of ['streamWithXmlTools', 'runXmlToolsYielding']) {
      const text = []
      const events = []
      const found = await new Membrane()[method](['Hi <thinking>h\nBo', 'b:m</thinking>there\nB', 'ob: no'], ['\nBob:'], (piece) => text.push(piece), ({ event }) => events.push(event))
      assert.equal(found.stop, '\nBob:')
      assert.equal(found.text, 'Hi <thinking>h')
      assert.equal(text.join(''), 'Hi h')
      assert.ok(!events.includes('stop'))
    }
    const blocks = new Membrane().blocks('a <thinking>open')
    assert.deepEqual(blocks.map(({ type }) => type), ['text', 'text'])
  })

  test('what ends with the beginning of a stop sequence is shown whole', async () => {
    const folder = checkout(MEMBRANE)
    assert.equal(apply('membrane', folder).stderr, '')
    const { Membrane } = await load(folder, 'src/membrane.js')
    const seed = Number(process.env.SEED ?? Date.now() % 1e6)
    const next = random(seed)
    for (let round = 0; round < 250; round++) {
      const chunks = cutAnywhere(wellFormed(next), next)
      const plain = shown(new StraightforwardParser(), chunks)
      for (const method of ['streamWithXmlTools', 'runXmlToolsYielding']) {
        const found = []
        const { stop } = await new Membrane()[method](chunks, ['\nUser:', '\nBob:'], (text) => found.push(text), ({ event, index }) => found.push([event, index]))
        assert.equal(stop, null)
        assert.deepEqual(merged(found), merged(plain), `SEED=${seed}, reply ${round}: ${JSON.stringify(chunks)}`)
      }
    }
  })

  test('a name that is missing changes nothing', () => {
    const folder = checkout({ ...MEMBRANE, 'src/utils/tool-parser.ts': 'export const kept = 1;\n' })
    const { status, stderr } = apply('membrane', folder)
    assert.notEqual(status, 0)
    assert.match(stderr, /tool-parser\.ts: parseParamValue is declared 0 times, not once/)
    assert.equal(read(folder, 'src/utils/stream-parser.ts'), MEMBRANE['src/utils/stream-parser.ts'])
  })
})

describe('ChapterX', () => {
  const CHAPTERX = {
    'package.json': '{ "name": "chapter3", "version": "0.1.0", "type": "module" }',
    'src/agent/loop.ts': `import { ToolSystem } from '../tools/system.js'
export class Loop {
  toolSystem = new ToolSystem()
  parseIntoSegments(fullChunk: string): { prefix: string; visible: string; suffix?: string }[] {
    return [{ prefix: '', visible: fullChunk }]
  }
  stripThinkingBlocks(text: string): { stripped: string; content: string[] } {
    return { stripped: text, content: [] }
  }
}
`,
    'src/tools/system.ts': `export class ToolSystem {
  stripToolXml(text: string): string {
    return text
  }
}
`,
  }

  test('segments, thoughts and text without tags', async () => {
    const folder = applied('chapterx', CHAPTERX, 40)
    const { Loop } = await load(folder, 'src/agent/loop.js')
    const bot = new Loop()
    assert.deepEqual(bot.parseIntoSegments('<thinking>A</thinking>hello<thinking>B</thinking>world<function_calls><invoke name="f"></invoke></function_calls>'), [
      { prefix: '<thinking>A</thinking>', visible: 'hello' },
      { prefix: '<thinking>B</thinking>', visible: 'world', suffix: '<function_calls><invoke name="f"></invoke></function_calls>' },
    ])
    assert.deepEqual(bot.stripThinkingBlocks('a <thinking>T</thinking> b `<thinking>q</thinking>`'), { stripped: 'a  b `<thinking>q</thinking>`', content: ['T'] })
    assert.equal(bot.toolSystem.stripToolXml('a\n\n<function_calls><invoke name="f"></invoke></function_calls>\n\n<thinking>T</thinking>b'), 'a\n\n<thinking>T</thinking>b')
  })

  test('a second time is refused', () => {
    const folder = checkout(CHAPTERX)
    assert.equal(apply('chapterx', folder).status, 0)
    const { status, stderr } = apply('chapterx', folder)
    assert.notEqual(status, 0)
    assert.match(stderr, /model-text\.ts is there already/)
  })
})
