// The declarations compile in any strict program, also in one that has the types of neither the browser nor Node.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { RESOLUTIONS, inFolder } from './support/compile.mjs'

const manifest = createRequire(import.meta.url).resolve('tokenweir/package.json')
const paths = Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).exports).filter((path) => !path.endsWith('.json'))
const ids = readdirSync(join(dirname(manifest), 'dist/esm/formats')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))
const entries = paths.flatMap((path) => (path.includes('*') ? ids.map((id) => path.replace('*', id)) : [path])).map((path) => `tokenweir${path.slice(1)}`)

/** As strict as a user may be, and our declarations are looked into too. */
const options = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true, isolatedModules: true, skipLibCheck: false, skipDefaultLibCheck: true, target: ts.ScriptTarget.ES2022, types: [], noEmit: true }

const imports = entries.map((entry, at) => `import * as entry${at} from '${entry}'\nvoid entry${at}\n`).join('')
const requires = entries.filter((entry) => !entry.endsWith('.wasm')).map((entry, at) => `import entry${at} = require('${entry}')\nvoid entry${at}\n`).join('')

/** Streams and signals without the platform's types: what they give and take is known all the same. */
const USES = `import { BlockStream, VisibleTextStream, visibleText } from 'tokenweir/blocks'
import { toolCallStream, hermesProtocol } from 'tokenweir/tool-calls'

export async function read() {
  const reader = new VisibleTextStream().readable.getReader()
  const { value } = await reader.read()
  const text: string | undefined = value
  await new BlockStream().writable.getWriter().write('text')
  // @ts-expect-error A chunk is a string.
  await new BlockStream().writable.getWriter().write(5)
  for await (const emission of new BlockStream().readable) console(emission.kind)
  toolCallStream({ protocol: hermesProtocol(), tools: [] }).readable.getReader()
  for await (const piece of visibleText(new VisibleTextStream().readable)) console(piece)
  // @ts-expect-error Numbers are no text.
  visibleText(5)
  // @ts-expect-error A signal is an object.
  visibleText('text', { signal: true })
  return text
}
declare function console(text: string): void
`

const PROGRAMS = [
  ['nodenext, import', 'mts', RESOLUTIONS.nodenext, imports + USES],
  ['nodenext, require', 'cts', RESOLUTIONS.nodenext, requires],
  ['bundler', 'ts', RESOLUTIONS.bundler, imports + USES],
]
const LIBS = { 'of JavaScript alone': ['lib.es2022.d.ts'], 'of the browser': ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'] }

for (const [what, lib] of Object.entries(LIBS)) {
  for (const [name, extension, resolution, code] of PROGRAMS) {
    test(`every entry compiles with the types ${what} (${name})`, () => assert.deepEqual(errors(extension, { ...options, ...resolution, lib }, code), []))
  }
}

test('what the types of an entry promise as a value is there, and nothing else', async () => {
  const code = entries.map((entry, at) => `import * as entry${at} from '${entry}'\nexport const names${at} = {} as keyof typeof entry${at}\n`).join('')
  const promised = inFolder([{ extension: 'mts', code }], (files) => {
    const program = ts.createProgram(files, { ...options, ...RESOLUTIONS.nodenext, lib: LIBS['of the browser'] })
    const checker = program.getTypeChecker()
    const namesOf = (type) => (type.isUnion() ? type.types : [type]).flatMap((type) => (type.isStringLiteral() ? [type.value] : [])).sort()
    return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(files[0]))).map((symbol) => namesOf(checker.getTypeOfSymbol(symbol)))
  })
  assert.equal(promised.length, entries.length)
  for (const [at, entry] of entries.entries()) if (!entry.endsWith('.wasm')) assert.deepEqual(promised[at], Object.keys(await import(entry)).sort(), entry)
})

test('a mistake is found', () => {
  const [program] = PROGRAMS
  assert.match(errors(program[1], { ...options, ...program[2], lib: LIBS['of JavaScript alone'] }, 'export const stream: ReadableStream = 5').join(), /Cannot find name 'ReadableStream'/)
})

/** What the compiler finds in a program, and in the declarations that it uses. */
function errors(extension, options, code) {
  return inFolder([{ extension, code }], (files) => {
    const found = ts.getPreEmitDiagnostics(ts.createProgram(files, options))
    return found.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
}
