// Checks the README, docs/*.md and the other documents. `fences` defines the check of each kind of code block:
// programs run and print the documented output, commands exist, links resolve.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'smol-toml'
import { compile as compileSvelte } from 'svelte/compiler'
import { compileScript, parse as parseVue } from 'vue/compiler-sfc'
import { formats } from 'tokenweir/formats'
import { castsIn } from './support/casts.mjs'
import { clean, program } from './support/command-line.mjs'
import { compileSamples } from './support/compile.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)

const tsc = require.resolve('typescript/bin/tsc')

/** The repository, where the links lead and the commands are given: it is where its tools are. */
const repository = resolve(dirname(require.resolve('typescript/package.json')), '../..')
const installed = require.resolve('tokenweir/package.json')
const docs = fileURLToPath(new URL('../../docs', import.meta.url))

/** Where the links of the packed README lead: into the repository. */
const published = JSON.parse(read(installed)).homepage.replace('#readme', '/blob/HEAD/')

/** Answers programs that ask a model. */
const OLLAMA = 'http://localhost:11434'
const replay = new URL('./support/replay.mjs', import.meta.url).href

const pages = [
  { page: 'README.md', text: read(join(dirname(installed), 'README.md')) },
  ...readdirSync(docs, { recursive: true }).filter((name) => name.endsWith('.md')).map((name) => ({ page: `docs/${name}`, text: read(join(docs, name)) })),
  ...readdirSync(repository).filter((name) => name.endsWith('.md') && name !== 'README.md').map(inRepository),
  ...['examples/README.md', 'examples/streams/README.md'].map(inRepository),
]

/** What is done with a block, by the word after its fence. Any other word is a mistake. */
const fences = {
  js: (block) => runs(block.code, shownBehind(block)),
  // The output of the program above, which is compared there.
  text: ({ before, code }) => {
    // A program in Rust, what it reads, and what it prints: tests/crate.test.mjs compares these.
    const isOfRust = before?.language.startsWith('rust') || before?.language === 'text'
    assert.ok(before?.language === 'js' || isOfRust || isOurs(before), 'a text block shows what the program above it prints')
    assert.notEqual(code, '')
  },
  // A drawing. A sentence shows what it means.
  drawing: ({ code }) => assert.match(code, /[─│▼]|  /),
  // Compiled with all others, below, unless it names files of its page.
  ts: (block) => (block.files.length > 0 ? compiles(block) : assert.notEqual(block.code, '')),
  tsx: (block) => compiles(block),
  vue: (block) => compilesVue(block),
  svelte: ({ code }) => assert.deepEqual(compileSvelte(code, {}).warnings, []),
  // A line of a page's head, which tests/pkg/consumers/csp has in full.
  html: ({ code }) => assert.match(code, /^<meta http-equiv="content-security-policy" content="[^"]*'wasm-unsafe-eval'[^"]*">\n$/),
  // Replacement code must run.
  diff: ({ code }) => {
    const replacement = code.split('\n').filter((line) => !line.startsWith('-')).map((line) => line.slice(1)).join('\n')
    runs(replacement, shownBehind({ code: replacement }))
  },
  // Our own program is run; of others it is known that they are there.
  sh: (block) => (isOurs(block) ? runsInShell(block) : areCommands(block)),
  json: ({ code }) => assert.doesNotThrow(() => JSON.parse(code)),
  toml: ({ code }) => assert.doesNotThrow(() => parse(code)),
  // Not run: the other side of a migration, which would need that package. Ours is next to it and is run.
  // Compiled and run by `cargo test --doc`, from src/lib.rs.
  rust: ({ code }) => assert.notEqual(code.trim(), ''),
  'rust,no_run': ({ code }) => assert.notEqual(code.trim(), ''),
  python: ({ code }) => assert.notEqual(code.trim(), ''),
}

test('there are docs besides the README', () => assert.ok(pages.some(({ page }) => page.startsWith('docs/'))))

for (const { page, text } of pages) {
  describe(page, () => {
    const blocks = blocksOf(text)

    for (const [at, block] of blocks.entries()) {
      test(`block ${at + 1}, line ${block.line}: ${block.language}`, () => judge(block))
    }

    test('all fences are closed', () => assert.equal(text.match(/^```/gm)?.length ?? 0, blocks.length * 2))

    test('links lead somewhere', () => {
      for (const link of linksOf(text)) assert.ok(leads(link, page), `${link} leads nowhere`)
    })
  })
}

test('programs in TypeScript and in JavaScript compile strictly, in each module resolution', () => {
  const samples = pages.flatMap(samplesOf)
  assert.ok(samples.length >= 60, `${samples.length} samples`)
  assert.deepEqual(compileSamples(samples), [])
})

test('no sample has a cast', () => {
  const found = pages.flatMap(samplesOf).concat(pages.flatMap(componentsOf)).flatMap(({ page, line, extension, code }) => castsIn(code, extension).map((cast) => `${page}:${line}: ${cast}`))
  assert.deepEqual(found, [])
})

test('the README is short, and begins with a picture and a program', () => {
  assert.ok(pages[0].text.split('\n').length < 200)
  assert.ok(pages[0].text.split(/\s+/).length <= 900)
  assert.deepEqual(blocksOf(pages[0].text).slice(0, 4).map(({ language }) => language), ['drawing', 'sh', 'js', 'text'])
})

// ARCHITECTURE.md leads to those of docs/internals: paths.test.mjs.
test('the README leads to each page', () => {
  const linked = new Set(linksOf(pages[0].text).map((link) => link.replace(published, '').split('#')[0]))
  assert.deepEqual(pages.map(({ page }) => page).filter((page) => /^docs\/[^/]+$/.test(page) && !linked.has(page)), [])
})

test('links of the packed README work where the package is shown without the repository', () => {
  const links = linksOf(read(join(dirname(installed), 'README.md')))
  assert.deepEqual(links.filter((link) => !/^(https:|#)/.test(link)), [])
  for (const link of links.filter((link) => link.startsWith(published))) assert.ok(leads(link, 'README.md'), link)
})

test('links of the packed guides and of AGENTS.md stay in the package, or lead into the repository', () => {
  const folder = dirname(installed)
  const guides = readdirSync(join(folder, 'docs')).map((name) => `docs/${name}`)
  assert.deepEqual(guides, readdirSync(docs).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`))
  for (const page of ['AGENTS.md', ...guides]) {
    const text = read(join(folder, page))
    const inText = text.match(/\bdocs\/[\w-]+\.md\b/g) ?? []
    const inPackage = linksOf(text).filter((link) => !/^(https?:|#)/.test(link)).map((link) => join(dirname(page), link.split('#')[0]))
    for (const path of page === 'AGENTS.md' ? inText : inPackage) assert.ok(existsSync(join(folder, path)), `${page}: ${path}`)
    for (const link of linksOf(text).filter((link) => link.startsWith(published))) assert.ok(leads(link, page), `${page}: ${link}`)
  }
})

test('each format is on its page, and each repair is explained', () => {
  const of = (name) => pages.find(({ page }) => page === `docs/${name}.md`).text
  for (const { id, repairs = [] } of Object.values(formats)) {
    assert.ok(of('formats').includes(`\n| \`${id}\` | `), id)
    for (const repair of repairs) assert.match(of('formats'), new RegExp(`^- (\`[\\w-]+\`, )*\`${repair}\``, 'm'), `${repair} of ${id}`)
  }
})

describe('the judge finds', () => {
  const fails = (text) => assert.throws(() => blocksOf(text).forEach(judge), assert.AssertionError)

  for (const [what, ...texts] of [
    ['an unknown language, and none', '```cobol\na\n```\n', '```\na\n```\n'],
    ['a program that prints something else', "```js\nconsole.log('a')\n```\n\n```text\nb\n```\n"],
    ['a program whose output differs from its comment', "```js\nconsole.log('a') // b\n```\n"],
    ['a program that prints nothing', '```js\nlet a\n```\n'],
    ['a program that warns', "```js\nconsole.log('a')\nconsole.error('b')\n```\n"],
    ['output of no program, and none of one', '```text\na\n```\n', "```js\nconsole.log('a')\n```\n\n```text\n```\n"],
    ['an export that is not there', "```diff\n-import { a } from 'a'\n+import { nothing } from 'tokenweir'\n```\n"],
    ['a policy that blocks WebAssembly', '```html\n<meta http-equiv="content-security-policy" content="script-src \'self\'">\n```\n'],
    ['a command line of ours that prints something else', '```sh\nnpx tokenweir --version\n```\n\n```text\n-1\n```\n', '```sh\nprintf a | npx tokenweir visible\n```\n\n```text\nb\n```\n'],
    ['a command line of ours that fails', '```sh\nprintf a | npx tokenweir no-such-command\n```\n'],
    ['a script and a command that are not there', '```sh\nnpm run nothing\n```\n', '```sh\nnothing --at all\n```\n'],
    ['invalid JSON', '```json\n{a: 1}\n```\n'],
  ]) {
    test(what, () => texts.forEach(fails))
  }
  test('a wrong type, in TypeScript and JavaScript, and a parameter without one', () => {
    const found = compileSamples(samplesOf({ page: 'A.md', text: "A\n```ts\nimport { parsePartial } from 'tokenweir/fields'\nparsePartial(5)\n```\n```js\nconst a = (b) => b\n```\n```diff\n-a\n+''.nothing()\n```\n" }))
    const lines = ["4 (%): Argument of type 'number' is not assignable to parameter of type 'string'.", "7 (%): Parameter 'b' implicitly has an 'any' type.", "11 (%): Property 'nothing' does not exist on type '\"\"'."]
    assert.deepEqual(found, ['nodenext', 'bundler'].flatMap((resolution) => lines.map((line) => `A.md:${line.replace('%', resolution)}`)))
  })
  test('a cast, in TypeScript and JavaScript', () => {
    const casts = (code, extension) => castsIn(code, extension).length
    assert.deepEqual(["a as string", 'a!', '<string>a', 'let a!: string'].map((code) => casts(code)), [1, 1, 1, 1])
    assert.equal(casts('const a = /** @type {string} */ (b)', 'mjs'), 1)
    assert.equal(casts("const a = ['b'] as const") + casts("const a = /** @type {const} */ (['b'])", 'mjs') + casts('/** @type {string} */\nlet a', 'mjs') + casts('if (!a) b(!c)'), 0)
  })
  test('a wrong component, and one with a wrong type', () => {
    fails('```tsx\nexport const a = <p>{5 as string}</p>\n```\n')
    fails('```vue\n<script setup lang="ts">\nconst a: string = 5\n</script>\n```\n')
    assert.throws(() => blocksOf('```svelte\n<p>{#if a}</p>\n```\n').forEach(judge))
  })
  test('a step, a test and an example that are not there', () => {
    for (const command of ['npm test -- --only doc --only nothing', 'cargo test --test nothing', 'cargo run --example nothing', 'node --test tests/run.mjs tests/pkg/nothing.test.mjs']) fails(`\`\`\`sh\n${command}\n\`\`\`\n`)
  })
  test('a link to no file, and to no heading', () => {
    for (const link of ['docs/nothing.md', '#nothing', 'docs/fields.md#nothing', '../outside.md']) assert.ok(!leads(link, 'README.md'), link)
    for (const link of ['docs/fields.md', 'docs', '#where-it-runs']) assert.ok(leads(link, 'README.md'), link)
  })
})

function judge(block) {
  assert.ok(Object.hasOwn(fences, block.language), `"${block.language}" is an unknown language of code blocks; known are ${Object.keys(fences).join(', ')}`)
  fences[block.language](block)
}

function read(path) {
  return readFileSync(path, 'utf8')
}

function inRepository(page) {
  return { page, text: read(join(repository, page)) }
}

/** The code blocks of a page, each with the one before it and the one after it. */
function blocksOf(text) {
  const blocks = [...text.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map(({ 1: language, 2: code, index }) => ({ language, code, line: text.slice(0, index).split('\n').length }))
  const files = blocks.filter(nameOf)
  return blocks.map((block, at) => ({ ...block, files, before: blocks[at - 1], after: blocks[at + 1] }))
}

/** What a program prints, as the page shows it: the text block after it, or its comments after `console.log`. */
function shownBehind({ code, after }) {
  if (after?.language === 'text') return after.code
  return [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
}

/** Runs a program and compares its output; a program of imports only may print nothing. */
function runs(code, shown) {
  inFolder((folder) => {
    const file = join(folder, 'program.mjs')
    writeFileSync(file, code)
    const server = code.includes(OLLAMA) ? ['--import', replay] : []
    const { stdout, stderr, status } = spawnSync(process.execPath, [...server, file], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.equal(status, 0)
    // A program may leave its last line open.
    if (shown !== '') assert.equal(stdout.replace(/\n?$/, '\n'), shown)
    if (!/^(import .*\s*)+$/.test(code)) assert.notEqual(stdout, '')
  })
}

/** The programs of a page, for the compiler: its JavaScript is checked too, and the lines stay where they are. */
function samplesOf({ page, text }) {
  const code = ({ language, code }) => (language === 'diff' ? code.replace(/^(-.*|.)/gm, '') : code)
  return blocksOf(text)
    .filter(({ language }) => ['js', 'ts', 'diff'].includes(language))
    .filter(({ files }) => files.length === 0)
    .map((block) => ({ page, line: block.line + 1, extension: block.language === 'ts' ? 'mts' : 'mjs', code: code(block) }))
}

/** The scripts of the components of a page. */
function componentsOf({ page, text }) {
  const script = (code) => /<script[^>]*>\n([^]*?)<\/script>/.exec(code)?.[1] ?? ''
  return blocksOf(text).filter(({ language, files }) => ['tsx', 'vue', 'svelte'].includes(language) || files.length > 0).map(({ code, line, language }) => {
    return ['ts', 'tsx'].includes(language) ? { page, line, extension: language, code } : { page, line, extension: 'mts', code: script(code) }
  })
}

/** The file name in the first line of a block, if it has one. */
function nameOf({ language, code }) {
  return ['ts', 'tsx'].includes(language) ? /^\/\/ (\w+\.tsx?)\n/.exec(code)?.[1] : undefined
}

/** Compiles a module strictly, against the package's types, next to the named files of its page. */
function compiles({ code, language, files }) {
  inFolder((folder) => {
    const ofNode = code.includes("from 'node:") ? { types: ['node'], typeRoots: [dirname(dirname(require.resolve('@types/node/package.json')))] } : { types: [] }
    const compilerOptions = { target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], ...ofNode, module: 'nodenext', jsx: 'react-jsx', allowImportingTsExtensions: true, noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true }
    const program = `program.${language === 'tsx' ? 'tsx' : 'mts'}`
    for (const file of files) writeFileSync(join(folder, nameOf(file)), file.code)
    writeFileSync(join(folder, program), code)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [program] }))
    const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })
}

/** Compiles the script of a Vue component strictly, with its template as a function. */
function compilesVue({ code, files }) {
  const { descriptor, errors } = parseVue(code)
  assert.deepEqual(errors, [])
  compiles({ code: compileScript(descriptor, { id: 'page', inlineTemplate: false }).content, language: 'ts', files })
}

/** A folder next to this file, so that programs resolve the package as this file does. */
function inFolder(act) {
  const folder = mkdtempSync(join(here, 'readme-'))
  try {
    act(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Whether a block is command lines of the package's own program. */
function isOurs(block) {
  return block?.language === 'sh' && /(^|\| )npx tokenweir /m.test(block.code)
}

/** Runs command lines next to examples/, and compares their output. */
function runsInShell({ code, after }) {
  const words = program.map((word) => `'${word}'`).join(' ')
  const { stdout, stderr, status } = spawnSync('sh', ['-ec', `npx() { shift; ${words} "$@"; }\n${code}`], { encoding: 'utf8', cwd: join(here, '../..'), env: clean })
  assert.equal(stderr, '')
  assert.equal(status, 0)
  assert.notEqual(stdout, '')
  if (after?.language === 'text') assert.equal(stdout, after.code)
}

/** Command lines of others, without their comments. */
function areCommands({ code }) {
  const lines = code.split('\n').map((line) => line.replace(/(^|\s)#.*/, '').trim())
  lines.filter((line) => line !== '').forEach(isCommand)
}

/** A command line of the README: of npm, of the package's own program, or of cargo. */
function isCommand(line) {
  for (const command of line.split('|').map((part) => part.trim().replace(/^(\w+=\S+ )+/, ''))) {
    const [program, first, second] = command.split(/\s+/)
    const known = {
      npm: () => (first === 'test' && areSteps(command)) || first === 'install' || (first === 'run' && Object.hasOwn(JSON.parse(read(join(repository, 'package.json'))).scripts, second)),
      npx: () => first === 'biome' || (first === 'tokenweir' && Object.hasOwn(JSON.parse(read(installed)).bin ?? {}, 'tokenweir')),
      node: () => (first === '--test' ? command.split(/\s+/).slice(2) : [first]).every((file) => existsSync(join(repository, file))),
      cargo: () => ['add', 'build', 'clippy', 'doc', 'fmt', 'run', 'test', 'xtask'].includes(first) && areTargets(command),
      cat: () => true,
      curl: () => true,
      echo: () => true,
      printf: () => true,
      pip: () => true,
    }
    assert.ok(Object.hasOwn(known, program) && known[program](), `"${command}" is an unknown command`)
  }
}

/** Whether the steps that `npm test -- --only` names are there. */
function areSteps(command) {
  const steps = read(join(repository, 'tests/run.mjs'))
  return [...command.matchAll(/--only (\S+)/g)].every(([, name]) => steps.includes(`step('${name}', `))
}

/** Whether the tests and examples that a command of cargo names are there. */
function areTargets(command) {
  const isThere = (folder, name) => ['.rs', '/main.rs'].some((end) => existsSync(join(repository, folder, name + end)))
  return [...command.matchAll(/--(test|example) (\S+)/g)].every(([, kind, name]) => isThere(kind === 'test' ? 'tests' : 'examples/rust', name))
}

function linksOf(text) {
  return [...text.replace(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
}

/** Whether a link of a page leads to a file or folder of the repository, and to a heading of it, if it isn't another site's. */
function leads(link, page) {
  if (link.startsWith(published)) return leads(link.slice(published.length), 'README.md')
  if (/^https?:/.test(link)) return true
  const [path, heading] = link.split('#')
  const target = path === '' ? join(repository, page) : resolve(repository, dirname(page), path)
  if (relative(repository, target).startsWith('..') || !existsSync(target)) return false
  return heading === undefined || (statSync(target).isFile() && headingsOf(read(target)).includes(heading))
}

/** The anchors of headings, as on GitHub and npm. */
function headingsOf(text) {
  return [...text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-'))
}
