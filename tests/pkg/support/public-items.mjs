// What the package's entries give away, and the doc comment of each, by the types
// as they are published.
import ts from 'typescript'

const { ModifierFlags, SymbolFlags } = ts

/** How examples are compiled, and how the entries' types are found: as strictly as a user may. */
export const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  // The AI SDK's own declarations don't compile under every option: only ours are looked into.
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** The file with the types of an entry, as `from` sees it. */
export function typesOf(entry, from) {
  const { resolvedModule } = ts.resolveModuleName(entry, from, strict, ts.sys, undefined, undefined, ts.ModuleKind.ESNext)
  if (resolvedModule === undefined) throw new Error(`${entry} has no types`)
  return resolvedModule.resolvedFileName
}

/**
 * Every exported declaration of these files, and of classes and interfaces every public
 * member, once each: under the first file that gives it away. A method of an interface
 * counts as a property: it is described, and the interface has the example.
 *
 *     { name: 'BlockParser.flush', kind: 'method', file: 0, comment: '/** … *\/' }
 */
export function publicItems(files) {
  const program = ts.createProgram(files, { ...strict, types: [] })
  const checker = program.getTypeChecker()
  const seen = new Set()
  return files.flatMap((path, file) => {
    const source = program.getSourceFile(path)
    return checker.getExportsOfModule(checker.getSymbolAtLocation(source)).flatMap((exported) => {
      const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      if (seen.has(symbol)) return []
      seen.add(symbol)
      const item = { name: exported.name, kind: kindOf(symbol), file, comment: commentOf(symbol) }
      const members = symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface) ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)) : []
      // What a class has of another package's, such as `readable` of TransformStream, is not ours to describe.
      const own = members.filter((member) => member.declarations.every((declaration) => isPublic(declaration) && !program.isSourceFileDefaultLibrary(declaration.getSourceFile())))
      const kindIn = (member) => (item.kind === 'class' ? kindOf(member) : 'property')
      return [item, ...own.map((member) => ({ name: `${exported.name}.${nameOf(member)}`, kind: kindIn(member), file, comment: commentOf(member) }))]
    })
  })
}

function kindOf({ flags }) {
  if (flags & SymbolFlags.Class) return 'class'
  if (flags & SymbolFlags.Function) return 'function'
  if (flags & SymbolFlags.Variable) return 'constant'
  if (flags & SymbolFlags.Method) return 'method'
  if (flags & SymbolFlags.Accessor) return 'accessor'
  if (flags & SymbolFlags.Property) return 'property'
  return 'type'
}

function isPublic(declaration) {
  const isHidden = ts.getCombinedModifierFlags(declaration) & (ModifierFlags.Private | ModifierFlags.Protected)
  return !isHidden && !(declaration.name !== undefined && ts.isPrivateIdentifier(declaration.name))
}

function nameOf(member) {
  return member.declarations[0].name.getText()
}

/** The comment before a declaration, as it is written. */
function commentOf({ declarations = [] }) {
  for (const declaration of declarations) {
    // A constant's comment comes before its statement.
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
    const text = node.getSourceFile().text
    const comments = (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).map(({ pos, end }) => text.slice(pos, end))
    const comment = comments.findLast((each) => each.startsWith('/**'))
    if (comment !== undefined) return comment
  }
  return ''
}
