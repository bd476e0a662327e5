// The ES modules of the package as CommonJS, with the same text.
//
// npm packs files of the same name one after another, and gzip sees the last 32 KB.
// So what CommonJS repeats of an ES module takes next to no room in the tarball, if
// it is the same text, and near:
//
//     cjs/chunks/core.js     the beginning
//     esm/chunks/core.js     all of it, in one file, since Node takes long to find one
//     cjs/chunks/core2.js    the end, which has all exports
//     cjs/chunks/core3.js    what is between them, of a module of more than 60 KB: this alone takes room
//
// A module is cut where nothing before needs what comes after.
import { basename, posix } from 'node:path'
import ts from 'typescript'

/** The longest module that is not cut, in characters: less than the 32,506 that deflate looks back, since a header, imports and exports come between. */
const NEAR = 29_900

/** What says of exports that they are those of a module; only programs look. */
const IS_MODULE = 'Object.defineProperty(exports,Symbol.toStringTag,{value:"Module"});'

/**
 * The CommonJS of ES modules as Rollup writes them: named imports, then statements, then named exports.
 *
 * @param {Map<string, string>} modules - By their paths, which are those of the result too; other parts have a 2 or a 3 after the name.
 * @param {number} near - The longest module that is not cut.
 * @returns {Map<string, string>}
 */
export function commonJs(modules, near = NEAR) {
  const host = {
    getSourceFile: (path, target) => modules.has(path) ? ts.createSourceFile(path, modules.get(path), target, true, ts.ScriptKind.JS) : undefined,
    getDefaultLibFileName: () => 'none',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (path) => modules.has(path),
    readFile: (path) => modules.get(path),
    writeFile: () => {},
  }
  const program = ts.createProgram([...modules.keys()], { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ES2022 }, host)
  const checker = program.getTypeChecker()
  const read = new Map([...modules.keys()].map((path) => [path, moduleOf(program.getSourceFile(path), checker, near)]))
  const written = new Map()
  for (const [path, module] of read) {
    const targetOf = (from) => (read.get(posix.join(posix.dirname(path), from))?.cuts === undefined ? from : partOf(from, 2))
    if (module.cuts === undefined) written.set(path, fileOf(module, module.body, module.exports, targetOf, path.includes('/chunks/') ? '' : IS_MODULE))
    else for (const [part, code] of partsOf(path, module, targetOf)) written.set(part, code)
  }
  return written
}

/** The path of another part of a module. */
function partOf(path, number) {
  return path.replace(/\.js$/, `${number}.js`)
}

/** What a module imports, its statements and their references, and what it exports. */
function moduleOf(file, checker, near) {
  const refuse = (node, why) => {
    throw new Error(`${file.fileName}: ${why}: ${node.getText().slice(0, 80)}`)
  }
  const imports = []
  const exports = []
  const reexports = []
  const body = []
  for (const node of file.statements) {
    if (ts.isImportDeclaration(node)) {
      const named = node.importClause?.namedBindings
      if (node.importClause !== undefined && (named === undefined || !ts.isNamedImports(named))) refuse(node, 'only names are imported')
      if (body.length > 0) refuse(node, 'imports come first')
      imports.push({ from: node.moduleSpecifier.text, names: named?.elements.map(({ name, propertyName }) => ({ local: name.text, name: (propertyName ?? name).text, symbol: checker.getSymbolAtLocation(name) })) })
    } else if (ts.isExportDeclaration(node)) {
      if (node.exportClause === undefined || !ts.isNamedExports(node.exportClause)) refuse(node, 'only names are exported')
      for (const specifier of node.exportClause.elements) {
        const local = (specifier.propertyName ?? specifier.name).text
        if (node.moduleSpecifier) reexports.push({ from: node.moduleSpecifier.text, local, name: specifier.name.text })
        else exports.push({ local, name: specifier.name.text, symbol: checker.getExportSpecifierLocalTargetSymbol(specifier) })
      }
    } else if (exports.length > 0) refuse(node, 'exports come last')
    else body.push(...piecesOf(node).map((piece) => ({ ...piece, ...referencesOf(piece.node, checker) })))
  }
  for (const { symbol } of exports) if (symbol.valueDeclaration && mayChange(symbol.valueDeclaration)) refuse(symbol.valueDeclaration, 'what is exported may change, and a copy of it would not')
  const module = { text: file.text, imports, reexports, exports, body }
  // What an entry passes on, or a file of text, is not cut.
  const isChunk = reexports.length === 0 && imports.every(({ names }) => names !== undefined)
  return { ...module, cuts: isChunk && file.text.length > near ? cutsOf(module, near) : undefined }
}

/** Where a module may be cut: statements, and the variables of one `const`. */
function piecesOf(node) {
  if (!ts.isVariableStatement(node)) return [{ node, start: node.getStart(), end: node.getEnd(), keyword: '' }]
  const { declarations } = node.declarationList
  const keyword = node.declarationList.flags & ts.NodeFlags.Const ? 'const ' : 'let '
  return declarations.map((declaration, at) => ({ node: declaration, start: at === 0 ? node.getStart() : declaration.getStart(), end: declaration.getEnd(), keyword: at === 0 ? '' : keyword }))
}

/** The names outside of itself that a statement refers to, and the modules that it imports when it runs. */
function referencesOf(statement, checker) {
  const references = new Set()
  const loads = []
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isNameOfMember(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node)
      if (symbol !== undefined) references.add(symbol)
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) loads.push({ start: node.getStart(), end: node.getEnd(), from: node.arguments[0].text })
    ts.forEachChild(node, visit)
  }
  visit(statement)
  return { references, loads }
}

function mayChange(declaration) {
  return ts.isVariableDeclaration(declaration) && !(declaration.parent.flags & ts.NodeFlags.Const)
}

/** Whether an identifier is no variable: `b` of `a.b`, `{ b: c }`, `class { b() {} }`, `b: for (;;)`. */
function isNameOfMember(node) {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isGetAccessor(parent) || ts.isSetAccessor(parent) || ts.isMetaProperty(parent)) return parent.name === node
  if (ts.isBindingElement(parent)) return parent.propertyName === node
  return ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)
}

/**
 * The statements that other parts begin with, where none before refers to what follows: of two parts the nearest to the
 * middle, unless one were too long; else the first part and the last are as long as they may be.
 */
function cutsOf({ text, body }, near) {
  const declaredAt = new Map()
  body.forEach((statement, at) => {
    for (const symbol of statement.references) if (isDeclaredIn([statement], symbol)) declaredAt.set(symbol, at)
  })
  // How far the statements until here look ahead.
  let reach = 0
  const places = []
  body.forEach(({ references, start }, at) => {
    if (at > 0 && reach < at) places.push({ at, start, longer: Math.max(start, text.length - start) })
    for (const symbol of references) reach = Math.max(reach, declaredAt.get(symbol) ?? 0)
  })
  if (places.length === 0) return undefined
  const middle = places.reduce((best, place) => (place.longer < best.longer ? place : best))
  const first = places.findLast(({ start }) => start <= near)
  const last = places.find(({ start }) => text.length - start <= near)
  return middle.longer <= near || first === undefined || last === undefined || first.at >= last.at ? [middle.at] : [first.at, last.at]
}

/** Whether a name is declared in some pieces, in a row. */
function isDeclaredIn(pieces, symbol) {
  return symbol.declarations?.some((declaration) => declaration.getStart() >= pieces[0].start && declaration.getStart() < pieces.at(-1).end) ?? false
}

/** The files of a module that is cut: its parts. The last one has the exports of all. */
function partsOf(path, { text, imports, exports, body, cuts }, targetOf) {
  const starts = [0, ...cuts]
  const parts = starts.map((start, at) => {
    const pieces = body.slice(start, starts[at + 1])
    return { pieces, own: exports.filter(({ symbol }) => isDeclaredIn(pieces, symbol)), used: usedIn(pieces), path: at === 0 ? path : partOf(path, at === cuts.length ? 2 : 3) }
  })
  // What a part has for others has the name of an export, or one that no export has.
  const names = new Map(exports.map(({ symbol, name }) => [symbol, name]))
  const sharedBy = (part, users) => [...new Set(users.flatMap(({ used }) => [...used]))].filter((symbol) => isDeclaredIn(part.pieces, symbol)).map((symbol) => ({ symbol, local: symbol.name, name: names.get(symbol) ?? `$${symbol.name}` }))
  return parts.map((part, at) => {
    const before = parts.slice(0, at)
    const internal = sharedBy(part, parts.slice(at + 1)).filter(({ symbol }) => !names.has(symbol))
    for (const { name } of internal) if (exports.some((other) => other.name === name)) throw new Error(`${path} exports ${name}, which is the name of something else between its parts`)
    const siblings = new Set(before.map(({ path }) => siblingOf(path)))
    const needed = imports.map(({ from, names }) => ({ from, names: names.filter(({ symbol }) => part.used.has(symbol)) }))
    const fromSiblings = before.map((other) => ({ from: siblingOf(other.path), names: sharedBy(other, [part]) }))
    const pass = at < cuts.length ? '' : [...siblings].map((from) => `Object.assign(exports,require(${JSON.stringify(from)}));`).join('')
    const module = { text, imports: [...needed, ...fromSiblings].filter(({ names }) => names.length > 0), reexports: [] }
    return [part.path, fileOf(module, part.pieces, [...part.own, ...internal], (from) => (siblings.has(from) ? from : targetOf(from)), pass)]
  })
}

function siblingOf(path) {
  return `./${basename(path)}`
}

function usedIn(pieces) {
  return new Set(pieces.flatMap(({ references }) => [...references]))
}

/** One file of CommonJS. */
function fileOf({ text, imports, reexports }, body, exports, targetOf, more = '') {
  const required = (from) => `require(${JSON.stringify(targetOf(from))})`
  const pattern = (names) => `{${names.map(({ local, name }) => (local === name ? name : `${name}:${local}`)).join()}}`
  const lines = imports.map(({ from, names }) => (names === undefined ? `${required(from)};` : `const${pattern(names)}=${required(from)};`))
  return ['"use strict";', ...lines, more, statements(text, body, required), ...exported(exports, reexports, required), '\n'].join('')
}

/** Statements as they are, but for what they import when they run. */
function statements(text, body, required) {
  if (body.length === 0) return ''
  let at = body[0].start
  let code = body[0].keyword
  for (const { start, end, from } of body.flatMap(({ loads }) => loads)) {
    code += `${text.slice(at, start)}Promise.resolve().then(()=>${required(from)})`
    at = end
  }
  return `${code}${text.slice(at, body.at(-1).end)};`
}

function exported(exports, reexports, required) {
  const own = exports.map(({ local, name }) => `exports.${name}=${local};`)
  return [...own, ...reexports.map(({ from, local, name }) => `exports.${name}=${required(from)}.${local};`)]
}
