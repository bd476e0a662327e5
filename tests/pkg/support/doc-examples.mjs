// The examples in doc comments: found, compiled together, and run in one process.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { RESOLUTIONS, errorsOf } from './compile.mjs'
import { strict } from './public-items.mjs'

const support = dirname(fileURLToPath(import.meta.url))

/**
 * The prose of a comment, and its examples: `{ code, said }`, where `said` is the
 * expected output of the example, or `undefined` for an unreadable one.
 */
export function readComment(comment) {
  const lines = comment.slice('/**'.length, -'*/'.length).split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [words, ...tags] = lines.join('\n').split(/^(?=@\w)/m)
  const examples = tags.filter((tag) => tag.startsWith('@example')).map(readExample)
  return { words: words.trim(), examples }
}

/** An example is a block of TypeScript, optionally followed by a block of text with the output. */
function readExample(tag) {
  const blocks = [...tag.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language, text]) => ({ language, text }))
  const [code, output, ...more] = blocks
  const isReadable = code?.language === 'ts' && (output === undefined || output.language === 'text') && more.length === 0
  return isReadable ? { code: code.text, said: output?.text ?? commented(code.text) } : undefined
}

/** The output in the comments at the ends of lines, or on a line of its own after an arrow. */
function commented(code) {
  return [...code.matchAll(/^(?:\s*[^\s/].* \/\/|\s*\/\/ →) (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
}

/** Compiles and runs programs; returns the compiler's errors, the output and the thrown error of each. */
export function tryExamples(programs) {
  // Below the tests, so that they resolve the package as the tests do.
  const folder = mkdtempSync(join(support, 'docs-'))
  try {
    const names = programs.map((_, at) => `example-${at}`)
    const sources = names.map((name) => join(folder, `${name}.mts`))
    programs.forEach((code, at) => writeFileSync(sources[at], code))
    const complaints = compile(sources)
    const ran = run(folder, names)
    return programs.map((_, at) => ({ complaints: complaints[at], ...ran[at] }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes the JavaScript next to the sources, even with errors; returns the errors in each module resolution. */
function compile(sources) {
  const typeRoots = [dirname(dirname(createRequire(import.meta.url).resolve('@types/node/package.json')))]
  const programs = Object.values(RESOLUTIONS).map((resolution) => ts.createProgram(sources, { ...strict, ...resolution, noEmit: false, typeRoots, types: ['node'] }))
  programs[0].emit()
  return sources.map((source) => [...new Set(programs.flatMap((program) => errorsOf(program, source).map(({ message }) => message)))])
}

/** Runs modules in sequence; each has its own output. */
function run(folder, names) {
  const runner = join(folder, 'runner.mjs')
  const results = join(folder, 'results.json')
  writeFileSync(
    runner,
    `import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { format } from 'node:util'

const results = []
for (const name of ${JSON.stringify(names)}) {
  console.error(name)
  const result = { printed: '' }
  console.log = (...values) => (result.printed += format(...values) + '\\n')
  try {
    await import('./' + name + '.mjs')
    await setTimeout(0)
  } catch (error) {
    result.thrown = String(error?.stack ?? error)
  }
  results.push(result)
}
writeFileSync(${JSON.stringify(results)}, JSON.stringify(results))
`,
  )
  // A module that never ends would stop all tests; together they take seconds.
  const { status, stderr, error } = spawnSync(process.execPath, [runner], { encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' })
  if (status !== 0) throw new Error(`The examples could not be run${error ? ` (${error.code})` : ''}; the last that began is the last of these:\n${stderr}`)
  return JSON.parse(readFileSync(results, 'utf8'))
}
