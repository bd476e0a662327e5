// Casts in samples: where a reader has to know better than the types.
import ts from 'typescript'

/**
 * The casts of a sample, as they are written: `as` but for `as const`, `!` after a value or a variable's name, and in
 * JavaScript a type in a comment before brackets.
 *
 *     castsIn('const first = (list as string[])[0]!') // ['list as string[]', '(list as string[])[0]!']
 */
export function castsIn(code, extension = 'mts') {
  const file = ts.createSourceFile(`sample.${extension}`, code, ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    if (isCast(node)) found.push(node.getText(file))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function isCast(node) {
  if (ts.isAsExpression(node)) return node.type.getText() !== 'const'
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) return node.exclamationToken !== undefined
  if (ts.isParenthesizedExpression(node)) return ts.isJSDocTypeAssertion(node) && ts.getJSDocTypeTag(node).typeExpression.type.getText() !== 'const'
  return ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node)
}
