// No class holds more than one concern: of each class of pkg-template/src the fields and methods are counted. No function
// of src has more lines than fit a screen, and no struct there more fields than a class.
//
// A field is a property, also one that the constructor declares; a method is a method or an accessor. What stands at
// the class itself (`static`) and the constructor don't count.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { root } from './steps.mjs'

const FIELDS = 15
const METHODS = 30

const LINES = 60

test('no class has more fields or methods than the limit', () => {
  const wrong = classes().filter(({ fields, methods }) => fields > FIELDS || methods > METHODS)
  assert.deepEqual(wrong, [], `at most ${FIELDS} fields and ${METHODS} methods`)
})

test('no function of src has more lines than the limit', () => {
  assert.deepEqual(functions().filter(({ lines }) => lines > LINES), [], `at most ${LINES} lines`)
})

test('no struct of src has more fields than a class', () => {
  assert.deepEqual(sourcesOfRust().flatMap(([file, text]) => structsIn(file, text)).filter(({ fields }) => fields > FIELDS), [], `at most ${FIELDS} fields`)
})

test('a struct is counted as it stands', () => {
  const source = 'pub struct A<T> {\n    /// Of a: b.\n    pub(super) a: T,\n    #[cfg(debug)]\n    b: [u8; 2],\n}\nstruct B;\nstruct C(u8);\n'
  assert.deepEqual(structsIn('x.rs', source), [{ name: 'x.rs: A', fields: 2 }])
})

test('a function is counted from its name to its brace', () => {
  const source = 'impl A {\n    pub(super) fn b(\n        c: u8,\n    ) {\n        c\n    }\n}\nfn d() {}\nfn e();'
  assert.deepEqual(functionsIn('x.rs', source), [
    { name: 'x.rs: b', lines: 5 },
    { name: 'x.rs: d', lines: 1 },
    { name: 'x.rs: e', lines: 1 },
  ])
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

/** All functions of src, by the name of their file and their own. */
function functions() {
  return sourcesOfRust().flatMap(([file, text]) => functionsIn(file, text))
}

/** The files of src, without their tests, which are tables. */
function sourcesOfRust() {
  const sources = join(root, 'src')
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.rs'))
  return files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(sources, file), 'utf8').split('#[cfg(test)]\nmod tests')[0]])
}

/** The structs of a file that have named fields. */
function structsIn(file, text) {
  return [...text.matchAll(/^( *)(?:pub(?:\([^)]*\))? )?struct (\w+)[^;{(]*\{\n([^]*?)\n\1\}/gm)].map(([, indent, name, body]) => {
    const fields = body.split('\n').filter((line) => new RegExp(`^${indent}    (?:pub(?:\\([^)]*\\))? )?\\w+:`).test(line)).length
    return { name: `${file}: ${name}`, fields }
  })
}

/** rustfmt writes the brace that ends a function below its first letter. */
function functionsIn(file, text) {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, indent, name] = /^( *)(?:pub(?:\([^)]*\))? )?(?:const )?fn (\w+)/.exec(line) ?? []
    if (name === undefined) return []
    const isOver = (other) => other === `${indent}}` || (other.startsWith(`${indent})`) && other.endsWith(';'))
    const length = /[;}]$/.test(line) ? 1 : lines.slice(at).findIndex(isOver) + 1
    return [{ name: `${file}: ${name}`, lines: length }]
  })
}

function isStatic(member) {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0
}

test('docs/stability.md names the versions that the tests have', () => {
  const json = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const [here, consumers, runtimes] = ['package.json', 'tests/pkg/consumers/package.json', 'tests/pkg/runtimes/package.json'].map((path) => ({ ...json(path).devDependencies, ...json(path).optionalDependencies }))
  const version = (text) => /(\d+)\.(\d+)/.exec(text)
  const major = (text) => version(text)[1]
  const minor = (text) => version(text).slice(1, 3).join('.')
  const of = (names, packages = consumers) => names.map((name) => (major(packages[name]) === '0' ? minor(packages[name]) : major(packages[name]))).join(', ')
  const { node } = json('pkg-template/package.json').engines
  const nodes = ['20', '22', '24'].map((name) => runtimes[`node-${name}-linux-x64`]).map((text) => (node.includes(minor(text)) ? minor(text) : major(text)))
  const rows = [
    ['AI SDK (`ai`)', of(['ai-v5', 'ai', 'ai-v7'], here)],
    ['Node.js', `${nodes.join(', ')}; \`engines\` asks for ${node}`],
    ['Deno, Bun, workerd', of(['deno', 'bun', 'workerd'])],
    ['edge-runtime', of(['edge-runtime'])],
    ['browsers', `${['chromium', 'firefox'].filter((name) => existsSync(new URL(`pkg/consumers/${name}/`, import.meta.url))).map((name) => name[0].toUpperCase() + name.slice(1)).join(', ')}: those of the system that runs the tests`],
    ['Vite, webpack, Rollup, esbuild', of(['vite', 'webpack', 'rollup', 'esbuild'])],
    ['Next.js', of(['next'])],
    ['Vitest, Jest', of(['vitest', 'jest'])],
    ['React', [major(runtimes.react), major(here.react)].join(', ')],
    ['TypeScript', [minor(here['typescript-oldest']), minor(here.typescript)].join(', ')],
  ]
  const page = readFileSync(new URL('../docs/stability.md', import.meta.url), 'utf8')
  assert.equal(/^\| what \| versions \|\n\| --- \| --- \|\n([^]*?)\n\n/m.exec(page)[1], rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
})

test('docs/runtimes.md names each runtime and bundler of the tests', () => {
  const folder = new URL('pkg/consumers/', import.meta.url)
  const tested = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/${name}.test.mjs`, folder)))
  // They try clients of providers and protocols, in Node.
  const elsewhere = ['protocols', 'requests']
  const linked = readFileSync(new URL('../docs/runtimes.md', import.meta.url), 'utf8').matchAll(/\(\.\.\/tests\/pkg\/consumers\/([\w-]+)\)/g)
  assert.deepEqual([...linked].map(([, name]) => name).sort(), tested.filter((name) => !elsewhere.includes(name)).sort())
})
