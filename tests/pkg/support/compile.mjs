// Compiles many small programs as users would: strictly, and in the ways in which modules are resolved.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { strict } from './public-items.mjs'

const support = dirname(fileURLToPath(import.meta.url))

/** How modules are resolved: as Node does, and as bundlers do. */
export const RESOLUTIONS = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
}

/** How samples are compiled; those in JavaScript too. Node's types are there, since most samples are for Node. */
const options = { ...strict, allowJs: true, checkJs: true, noUnusedLocals: false, typeRoots: [dirname(dirname(createRequire(import.meta.url).resolve('@types/node/package.json')))], types: ['node'] }

/**
 * What the compiler finds in samples, in each resolution, with the page and its line.
 *
 *     compileSamples([{ page: 'README.md', line: 12, extension: 'mts', code: 'const a: number = "b"' }])
 *     // ["README.md:12 (nodenext): Type 'string' is not assignable to type 'number'.", …]
 */
export function compileSamples(samples) {
  return inFolder(samples, (files) =>
    Object.entries(RESOLUTIONS).flatMap(([resolution, { module, moduleResolution }]) => {
      const program = ts.createProgram(files, { ...options, module, moduleResolution })
      return files.flatMap((name, at) => errorsOf(program, name).map(({ line, message }) => `${samples[at].page}:${samples[at].line + line} (${resolution}): ${message}`))
    }),
  )
}

/** The errors in one file of a program, with their lines, from 0. */
export function errorsOf(program, name) {
  const file = program.getSourceFile(name)
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(({ start, messageText }) => ({
    line: ts.getLineAndCharacterOfPosition(file, start).line,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}

/** The samples as files, below the tests, so that they resolve the package as the tests do. */
export function inFolder(samples, act) {
  const folder = mkdtempSync(join(support, 'samples-'))
  try {
    const files = samples.map(({ extension }, at) => join(folder, `sample-${at}.${extension}`))
    samples.forEach(({ code }, at) => writeFileSync(files[at], code))
    return act(files)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
