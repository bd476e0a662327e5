// How the package's modules read: without comments, with short lines, and with constants that a bundler may leave out.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'

/** The longest text in a line, and the pieces of a longer one. */
const LONGEST = 160
const PIECES = /(?:\\(?:u\{[^}]+\}|u.{4}|x..|[^])|[^\\]){1,150}/gu

const FORMATTED = { root: true, files: { maxSize: 10_000_000 }, formatter: { indentStyle: 'tab', indentWidth: 2, lineWidth: 140 }, javascript: { formatter: { quoteStyle: 'single', semicolons: 'asNeeded' } } }

/**
 * A module without comments, with long texts in several lines. No module has side effects, so what is called for a
 * constant does no more than make it: a bundler may leave it out.
 */
export function readable(code) {
  const changes = new Map()
  const onComment = (_, __, start, end) => changes.set(start, { end, to: '' })
  const onToken = ({ type, start, end }) => type.label === 'string' && end - start > LONGEST && changes.set(start, { end, to: code.slice(start, end).match(PIECES).join('\\\n') })
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module', onComment, onToken })
  const visit = (node) => {
    if (typeof node !== 'object' || node === null || node.type === 'ClassBody' || node.type?.includes('Function')) return
    if (node.type === 'CallExpression' || node.type === 'NewExpression') changes.set(node.start, { end: node.start, to: '/*#__PURE__*/ ' })
    for (const child of Object.values(node)) visit(child)
  }
  for (const { type, declarations } of body.map((node) => node.declaration ?? node)) if (type === 'VariableDeclaration') visit(declarations)
  let [text, at] = ['', 0]
  for (const [start, { end, to }] of [...changes].sort(([a], [b]) => a - b)) {
    text += code.slice(at, start) + to
    at = end
  }
  return text + code.slice(at)
}

/** Formats the files of folders in another one. */
export function format(folder, names) {
  const settings = join(folder, 'biome.json')
  writeFileSync(settings, JSON.stringify(FORMATTED))
  const { status, stderr } = spawnSync(execPath, [fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome')), 'format', '--write', ...names], { cwd: folder, encoding: 'utf8' })
  rmSync(settings)
  if (status !== 0) throw new Error(`biome: ${stderr}`)
}
