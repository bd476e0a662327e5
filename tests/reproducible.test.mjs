// A WebAssembly that is built in another folder is the package's, byte by byte, and dist/SHA256SUMS has its digest: docs/verify.md.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'pkg/dist')
const other = mkdtempSync(join(tmpdir(), 'another folder, whose name is longer '))
after(() => rmSync(other, { recursive: true, force: true }))

/** The smallest that is a file. */
const NAME = 'json'
const sums = readFileSync(join(dist, 'SHA256SUMS'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('  '))

test('each WebAssembly has its digest', () => {
  assert.equal(sums.length, 11)
  for (const [digest, name] of sums) assert.equal(createHash('sha256').update(readFileSync(join(dist, name))).digest('hex'), digest, name)
})

test('no WebAssembly names a folder of this computer or a source file', () => {
  for (const [, name] of sums.filter(([, name]) => name.endsWith('.wasm'))) {
    const text = readFileSync(join(dist, name), 'latin1')
    assert.deepEqual([root, homedir(), tmpdir(), 'cargo', 'rustc', '.rs'].filter((part) => text.includes(part)), [], name)
  }
})

test('another folder makes the same bytes', () => {
  // What git knows or would add, as it is here: no build of this folder.
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'Cargo.toml', 'Cargo.lock', '.cargo', 'src', 'examples/rust', 'docs/rust.md', 'pkg-template/xtask'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) {
    mkdirSync(dirname(join(other, file)), { recursive: true })
    cpSync(join(root, file), join(other, file))
  }
  symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'), 'junction')
  const { target_directory: target } = JSON.parse(execFileSync('cargo', ['metadata', '--no-deps', '--format-version', '1'], { cwd: root, encoding: 'utf8' }))
  const env = { ...process.env, CARGO_MANIFEST_DIR: join(other, 'pkg-template/xtask'), CARGO_TARGET_DIR: join(other, 'target') }
  execFileSync(join(target, 'xtask/xtask'), ['wasm', NAME], { cwd: other, env, stdio: ['ignore', 'ignore', 'inherit'] })
  assert.ok(readFileSync(join(other, `target/wasm/${NAME}/${NAME}.wasm`)).equals(readFileSync(join(dist, `${NAME}.wasm`))))
})
