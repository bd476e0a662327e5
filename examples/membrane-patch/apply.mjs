// Applies a guide (membrane.json, chapterx.json) to a checkout: deletes declarations by their names, and puts
// lines of ours at statements and bodies that are found by a name or a piece of code.
//
//     node apply.mjs membrane ../membrane          change the files
//     node apply.mjs membrane ../membrane --check  the same, then its type check and its tests
//
// It changes all files or none: each name and statement has to be there once.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean', default: false } } })
const [name = '', folder = ''] = positionals
const guideFile = new URL(`${name}.json`, import.meta.url)
if (positionals.length !== 2 || !existsSync(guideFile) || !existsSync(join(folder, 'package.json'))) {
  console.error('node apply.mjs membrane|chapterx CHECKOUT [--check]: CHECKOUT is a folder with a package.json')
  process.exit(1)
}
const guide = JSON.parse(readFileSync(guideFile, 'utf8'))
const checkout = resolve(folder)

/** The compiler of the checkout, which knows its syntax; else the one of this repository. */
function compiler() {
  for (const from of [join(checkout, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from)('typescript')
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new Error('typescript is missing: run npm install in the checkout first')
}
const ts = compiler()

const named = (statement) => {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name: each }) => each.getText())
  return statement.name === undefined ? [] : [statement.name.text]
}

/** A statement with what belongs to it: the comment directly above, and the end of its line. */
function extent(file, statement) {
  const text = file.text
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []
  const last = comments.at(-1)
  const isAbove = last !== undefined && !/\n\s*\n/.test(text.slice(last.end, statement.getStart()))
  const start = text.lastIndexOf('\n', isAbove ? last.pos : statement.getStart()) + 1
  const end = text.indexOf('\n', statement.end)
  return { start, end: end === -1 ? text.length : end + 1 }
}

/** The one method or function of a name. */
function functionOf(file, name) {
  const found = []
  const visit = (node) => {
    if ((ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name?.getText() === name) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  if (found.length !== 1) throw new Error(`${file.fileName}: ${name} is declared ${found.length} times, not once`)
  return found[0]
}

/** The one place of a piece of code. */
function placeOf(file, piece, name) {
  const inside = name === undefined ? file : functionOf(file, name)
  const from = inside.getStart()
  const places = file.text.slice(from, inside.end).split(piece).length - 1
  if (places !== 1) throw new Error(`${file.fileName}${name === undefined ? '' : `, ${name}`}: \`${piece}\` is there ${places} times, not once`)
  return file.text.indexOf(piece, from)
}

/** The innermost statement that holds a piece of code. */
function statementWith(file, piece, name) {
  const at = placeOf(file, piece, name)
  let found
  const visit = (node) => {
    if (at < node.getStart() || at + piece.length > node.end) return
    if (ts.isStatement(node) && !ts.isBlock(node)) found = node
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  if (found === undefined) throw new Error(`${file.fileName}: \`${piece}\` is in no statement`)
  return found
}

/** What a step changes: `{ start, end, lines }`, in places of the file as it is. */
function changesOf(file, step) {
  const lineEnd = (at) => file.text.indexOf('\n', at) + 1
  if (step.delete !== undefined) {
    return step.delete.map((each) => {
      const found = file.statements.filter((statement) => named(statement).includes(each))
      if (found.length !== 1) throw new Error(`${file.fileName}: ${each} is declared ${found.length} times, not once`)
      return { ...extent(file, found[0]), lines: [] }
    })
  }
  if (step.body !== undefined) {
    const { body } = functionOf(file, step.body)
    return [{ start: lineEnd(body.getStart()), end: file.text.lastIndexOf('\n', body.end - 1) + 1, lines: step.lines }]
  }
  if (step.imports !== undefined) {
    const imports = file.statements.filter((statement) => ts.isImportDeclaration(statement))
    const start = imports.length === 0 ? 0 : lineEnd(imports.at(-1).end)
    return [{ start, end: start, lines: step.imports }]
  }
  if (step.line !== undefined) {
    const at = placeOf(file, step.line, step.in)
    return [{ start: file.text.lastIndexOf('\n', at) + 1, end: lineEnd(at), lines: step.lines }]
  }
  const { start, end } = extent(file, statementWith(file, step.statement, step.in))
  if (step.put === 'before') return [{ start, end: start, lines: step.lines }]
  if (step.put === 'after') return [{ start: end, end, lines: step.lines }]
  return [{ start, end, lines: step.lines }]
}

/** A file with the steps done. */
function patched(path, steps) {
  const text = readFileSync(path, 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const changes = steps.flatMap((step) => changesOf(file, step)).sort((a, b) => b.start - a.start || b.end - a.end)
  let result = text
  for (const [index, { start, end, lines }] of changes.entries()) {
    if (index > 0 && end > changes[index - 1].start) throw new Error(`${path}: two steps change the same lines`)
    result = result.slice(0, start) + lines.map((line) => `${line}\n`).join('') + result.slice(end)
  }
  const count = (part) => part.split('\n').length - 1
  return { path, result, added: changes.reduce((sum, { lines }) => sum + lines.length, 0), removed: changes.reduce((sum, { start, end }) => sum + count(text.slice(start, end)), 0) }
}

/** A file of ours. */
function created(path, lines) {
  if (existsSync(path)) throw new Error(`${path} is there already`)
  return { path, result: lines.map((line) => `${line}\n`).join(''), added: lines.length, removed: 0 }
}

const { name: project, version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
if (project !== guide.package) throw new Error(`${checkout} is ${project}, and the guide is for ${guide.package}`)
const files = guide.files.map(({ file, steps, create }) => (create === undefined ? patched(join(checkout, file), steps) : created(join(checkout, file), create)))
for (const { path, result } of files) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, result)
}
for (const { path, added, removed } of files) console.log(`${path.slice(checkout.length + 1)}: ${removed} lines removed, ${added} added`)
const sum = (key) => files.reduce((all, each) => all + each[key], 0)
console.log(`${project} ${version}: ${sum('removed')} lines removed, ${sum('added')} added (written for ${guide.version})`)

if (values.check) {
  for (const command of guide.check) {
    console.log(`$ ${command.join(' ')}`)
    execFileSync(command[0], command.slice(1), { cwd: checkout, stdio: 'inherit' })
  }
}
