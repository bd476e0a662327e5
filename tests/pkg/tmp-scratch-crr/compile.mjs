import { readFileSync, writeFileSync, rmSync, mkdirSync } from 'node:fs'
import ts from 'typescript'
const root = '/work/main'
const dir = root + '/tests/pkg/tmp-scratch-crr/gen'
rmSync(dir, { recursive: true, force: true }); mkdirSync(dir)
const files = []
for (const page of process.argv.slice(2)) {
  const text = readFileSync(page, 'utf8')
  if (/\.mjs$/.test(page)) { files.push(root + '/' + page); continue }
  for (const { 1: language, 2: code, index } of text.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)) {
    if (!['js', 'ts'].includes(language) || /^\/\/ \w+\.tsx?\n/.test(code)) continue
    const name = `${dir}/${page.replace(/\W/g, '_')}_${text.slice(0, index).split('\n').length + 1}.${language === 'ts' ? 'mts' : 'mjs'}`
    writeFileSync(name, code); files.push(name)
  }
}
const options = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noImplicitOverride: true, skipLibCheck: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'], module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, allowJs: true, checkJs: true, types: ['node'], typeRoots: [root + '/node_modules/@types'], paths: { tokenweir: [root + '/pkg-template/src/public/index.ts'], 'tokenweir/*': [root + '/pkg-template/src/public/*.ts'] } }
const program = ts.createProgram(files, options)
for (const d of [...files.flatMap((f) => { const s = program.getSourceFile(f); return [...program.getSyntacticDiagnostics(s), ...program.getSemanticDiagnostics(s)] })])
  console.log(d.file.fileName.split('/').pop(), ts.getLineAndCharacterOfPosition(d.file, d.start).line + 1, ts.flattenDiagnosticMessageText(d.messageText, ' '))
console.log('checked', files.length)
