// The crate as Cargo packs it: what is in it, that it builds alone, that a program can depend on
// it, and what its examples print.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'target')
const { version } = /^version = "(?<version>.+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8')).groups
const folder = join(target, `package/tokenweir-${version}`)
const packed = /^(src\/.+\.rs|examples\/rust\/\w+\.rs|docs\/rust\.md|CHANGELOG\.md|LICENSE-(MIT|APACHE)|Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json)$/

// Text, a call with its arguments, and characters of several bytes for each parser.
const examples = {
  blocks: ['<thinking>é🙂</thinking>Hi <invoke name="ls"><parameter name="all">true</parameter></invoke>', ['0 Thinking', '1 Text', '2 call ls {"all":true}']],
  fields: ['Sure: {"name": "Zoë🙂", "age": 36}', ['name done, String', 'age = 36', 'age done, Number']],
  segments: ['Löök: <run_bash>ls -al 🙂</run_bash>', ['1 text []', '2 run_bash', '2 end']],
  tool_calls: ['Grüße <tool_call>{"name": "add", "arguments": {"a": "🙂",}}</tool_call>', ['1 add', '1 call add {"a":"🙂"}']],
}

test('the crate has its sources, its guide and its examples, and nothing else', () => {
  const files = cargo(root, 'package', '--list', '--allow-dirty').trim().split('\n')
  assert.deepEqual(files.filter((file) => !packed.test(file)), [])
  for (const file of ['src/lib.rs', 'docs/rust.md', 'examples/rust/chunks.rs', 'CHANGELOG.md', 'LICENSE-MIT']) assert.ok(files.includes(file), file)
})

test('it is packed, and builds alone', () => {
  cargo(root, 'package', '--allow-dirty', '--package', 'tokenweir')
  const { size } = statSync(`${folder}.crate`)
  console.log(`${Math.round(size / 1024)} KiB`)
  assert.ok(size < 600 * 1024, `${size} bytes`)
})

const env = { ...process.env, CARGO_TARGET_DIR: join(target, 'consumer') }

/** A folder with these files, until the test ends. */
function folderOf(t, files) {
  const made = mkdtempSync(join(tmpdir(), 'tokenweir-'))
  t.after(() => rmSync(made, { recursive: true }))
  mkdirSync(join(made, 'src'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}

/** The Cargo.toml of a program that depends on the packed crate. */
const manifest = (name, options = '', more = '') => `[package]\nname = "${name}"\nedition = "2024"\n${more}[dependencies]\ntokenweir = { path = ${JSON.stringify(folder)}${options} }\n`

test('a program depends on it without default features', (t) => {
  const [, program] = /```rust,no_run\n([^]*?)```/.exec(readFileSync(join(folder, 'docs/rust.md'), 'utf8'))
  const project = folderOf(t, { 'Cargo.toml': manifest('consumer', ', default-features = false, features = ["block"]'), 'src/main.rs': program })
  assert.equal(cargo(project, 'run', '--quiet', '--offline', { env, input: '<thinking>97 / 7 is 13.9</thinking>Yes, 97 is prime 🙂' }), 'Yes, 97 is prime 🙂')
})

test('a program on wasm32 has its own exports alone, depends on nothing else, and reads the same with any features', async (t) => {
  const project = folderOf(t, {
    'src/lib.rs': `use std::fmt::Debug;
use tokenweir::text::{Emitter, Parser};
use tokenweir::{block, edit, field, segment, tool_call};

fn add<E: Emitter<Event: Debug>>(seen: &mut String, mut parser: Parser<E>, text: &str) {
    *seen += &format!("{:?}{:?}", parser.feed(text), parser.finish());
}

fn seen() -> String {
    let mut seen = String::new();
    // A rule of JSON each; then a fault, after which it reads on.
    for text in ["{/* c */ a: 'x', b: 0x1, c: +.5 }", r#"{"a": “x”, "b": True "c": [1,,2], }"#, r#"{"a" 1, "b": 2}"#] {
        add(&mut seen, field::FieldParser::new(Default::default()), text);
    }
    for arguments in ["{'a': 'x', b: None, }", r#"{"a": "say "hi""}"#] {
        let call = format!(r#"<tool_call>{{"name": "f", "arguments": {arguments}}}</tool_call>"#);
        add(&mut seen, tool_call::ToolCallParser::new(tool_call::Options::hermes()), &call);
    }
    add(&mut seen, segment::SegmentParser::new(Default::default()), "a <run_bash>ls</run_bash>");
    add(&mut seen, edit::EditParser::new(Default::default()), "--- a\\n+++ a\\n@@ -1 +1 @@\\n-b\\n+c\\n");
    add(&mut seen, block::BlockParser::new(Default::default()), "a <thinking>b</thinking><invoke name='f'>{'c': 1}</invoke>");
    seen
}

#[unsafe(no_mangle)]
pub extern "C" fn events() -> u32 {
    seen().bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

#[test]
fn print() {
    println!("events: {}", events());
}
`,
  })
  const withFeatures = (...features) => writeFileSync(join(project, 'Cargo.toml'), manifest('web', `, default-features = false, features = ${JSON.stringify(features)}`, '[lib]\ncrate-type = ["cdylib"]\n'))
  const compiled = async () => {
    cargo(project, 'build', '--quiet', '--offline', '--target', 'wasm32-unknown-unknown', { env })
    return WebAssembly.compile(readFileSync(join(target, 'consumer/wasm32-unknown-unknown/debug/web.wasm')))
  }
  const read = async (module) => {
    // What wasm-bindgen's own tool would take out, and nothing here calls.
    const imports = {}
    for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => assert.fail(name)
    return (await WebAssembly.instantiate(module, imports)).exports.events() >>> 0
  }

  withFeatures()
  const native = Number(/^events: (\d+)$/m.exec(cargo(project, 'test', '--quiet', '--offline', '--', '--nocapture', { env }))[1])
  const alone = await compiled()
  assert.doesNotMatch(readFileSync(join(project, 'Cargo.lock'), 'utf8'), /wasm-bindgen/)
  const own = WebAssembly.Module.exports(alone).map(({ name }) => name).filter((name) => !['memory', '__data_end', '__heap_base'].includes(name))
  assert.deepEqual([own, WebAssembly.Module.imports(alone)], [['events'], []])
  assert.equal(await read(alone), native)
  // Each set that a WebAssembly of the package has, though no program needs it, and all.
  for (const features of [['arguments'], ['edit'], ['json', 'xml'], ['block', 'field', 'segment', 'tool_call', 'edit', 'json', 'xml', 'arguments', 'serde']]) {
    withFeatures('exports', ...features)
    assert.equal(await read(await compiled()), native, features.join())
  }
})

test('the program of the guide reads what Qwen3-Coder wrote', (t) => {
  const guide = readFileSync(join(folder, 'docs/rust.md'), 'utf8').replace(/^[^]*\n## Wire formats\n/, '')
  const [program, reply, printed] = [...guide.matchAll(/```(?:rust,no_run|text)\n([^]*?)```/g)].map(([, text]) => text)
  const project = folderOf(t, { 'Cargo.toml': manifest('qwen'), 'src/main.rs': program, 'reply.txt': reply.trimEnd() })
  assert.equal(cargo(project, 'run', '--quiet', '--offline', '--', 'reply.txt', { env }), printed)
})

for (const [name, [input, expected]] of Object.entries(examples)) {
  test(`the example ${name} reads a file whose characters are cut`, (t) => {
    const printed = cargo(root, 'run', '--quiet', '--example', name, '--', join(folderOf(t, { 'reply.txt': input }), 'reply.txt'))
    assert.doesNotMatch(printed, /\uFFFD/)
    for (const start of expected) assert.ok(printed.split('\n').some((line) => line.startsWith(start)), `${start} is not in\n${printed}`)
  })
}

test('the addresses are those of the npm package', () => {
  const npm = JSON.parse(readFileSync(join(root, 'pkg-template/package.json'), 'utf8'))
  const { packages } = JSON.parse(cargo(root, 'metadata', '--no-deps', '--format-version', '1'))
  const { repository, homepage, documentation } = packages.find(({ name }) => name === 'tokenweir')
  const address = (npm.repository?.url ?? npm.repository)?.replace(/^git\+/, '').replace(/\.git$/, '')
  assert.deepEqual([repository, homepage], [address ?? null, npm.homepage ?? null])
  assert.equal(documentation, 'https://docs.rs/tokenweir')
})

function cargo(cwd, ...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {}
  const { status, stdout, stderr, error } = spawnSync('cargo', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26, ...options })
  if (error) throw error
  assert.equal(status, 0, stderr)
  return stdout
}
