// No class holds more than one concern: of each class of pkg-template/src the fields and methods are counted.
//
// A field is a property, also one that the constructor declares; a method is a method or an accessor. What stands at
// the class itself (`static`) and the constructor don't count.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { root } from './steps.mjs'

const FIELDS = 15
const METHODS = 30

/** Classes that are still above a limit, with what they have. The list only gets shorter, and its numbers smaller. */
const ABOVE = {
  'reader.ts: StreamReader': [17, 33],
  'tool-calls/emitter.ts: CallEmitter': [47, 59],
  'tool-calls/json-input.ts: JsonInput': [18, 21],
  'tool-calls/tagged-input.ts: TaggedInput': [23, 27],
  'tool-calls/xml-input.ts: XmlInput': [24, 28],
}

const counted = Object.fromEntries(classes().map(({ name, fields, methods }) => [name, [fields, methods]]))

test('no class has more fields or methods than the limit, or than it had', () => {
  const wrong = []
  for (const [name, [fields, methods]] of Object.entries(counted)) {
    const [mostFields, mostMethods] = ABOVE[name] ?? [FIELDS, METHODS]
    if (fields > mostFields || methods > mostMethods)
      wrong.push(`${name}: ${fields} fields and ${methods} methods, at most ${mostFields} and ${mostMethods}`)
  }
  assert.deepEqual(wrong, [])
})

test('no class is listed that is within the limit', () => {
  const isAbove = (name) => counted[name] !== undefined && (counted[name][0] > FIELDS || counted[name][1] > METHODS)
  assert.deepEqual(Object.keys(ABOVE).filter((name) => !isAbove(name)), [], 'take them off the list')
})

test('a class is counted as its head says', () => {
  const [{ fields, methods }] = classesIn('x.ts', `class A {
    static b = 1; c = 1; #d = 2
    constructor(readonly e: number, f: number) {}
    get g() { return 1 } h() {} private i() {}
  }`)
  assert.deepEqual([fields, methods], [3, 3])
})

/** All classes, by the name of their file and their own. */
function classes() {
  const sources = join(root, 'pkg-template/src')
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((file) => classesIn(file.replaceAll('\\', '/'), readFileSync(join(sources, file), 'utf8')))
}

function classesIn(file, text) {
  const found = []
  const visit = (node) => {
    if (ts.isClassLike(node)) found.push(count(node, file))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

function count(node, file) {
  let fields = 0
  let methods = 0
  for (const member of node.members) {
    if (ts.isConstructorDeclaration(member))
      fields += member.parameters.filter((parameter) => ts.isParameterPropertyDeclaration(parameter, member)).length
    else if (isStatic(member)) continue
    else if (ts.isPropertyDeclaration(member)) fields++
    // Not the signatures of overloads.
    else if (ts.isAccessor(member) || (ts.isMethodDeclaration(member) && member.body !== undefined)) methods++
  }
  return { name: `${file}: ${node.name?.text ?? 'class'}`, fields, methods }
}

function isStatic(member) {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0
}
