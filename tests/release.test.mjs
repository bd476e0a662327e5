// What has to be true before a release. The dry run itself is a line of .ci/run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { missing } from '../pkg-template/release.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const ready = { version: '1.2.0', changelog: '# Changelog\n\n## 1.2.0 — 2026-11-24\n\n- New.\n\n## 1.1.0 — 2026-01-01\n', status: '', branch: 'main', tags: ['v1.1.0', ''] }

test('a version that is written down, committed and not tagged lacks nothing', () => assert.deepEqual(missing(ready), []))

for (const [what, changed, said] of [
  ['another branch', { branch: 'fix' }, /^A release is made on main, not on fix\.$/],
  ['no branch', { branch: '' }, /not on a commit without a branch/],
  ['files that are not committed', { status: ' M README.md\n' }, /^These files are not committed:\n M README\.md$/],
  ['a changelog of another version', { version: '1.3.0' }, /^CHANGELOG\.md begins with 1\.2\.0, Cargo\.toml has 1\.3\.0/],
  ['a changelog without a version', { changelog: '# Changelog\n' }, /^CHANGELOG\.md begins with no version/],
  ['a version without a date', { changelog: '## 1.2.0 — unreleased\n' }, /^CHANGELOG\.md says that 1\.2\.0 is unreleased: write the date in its place\.$/],
  ['a tag of this version', { tags: ['v1.2.0'] }, /^There is a tag v1\.2\.0: set another version in Cargo\.toml\.$/],
]) {
  test(`${what} is missing, and nothing else`, () => {
    const sentences = missing({ ...ready, ...changed })
    assert.equal(sentences.length, 1, sentences.join('\n'))
    assert.match(sentences[0], said)
  })
}

test('a step that does not exist is refused by name', () => {
  const { status, stderr } = spawnSync(process.execPath, ['pkg-template/release.mjs', '--from', 'crates'], { cwd: root, encoding: 'utf8' })
  assert.deepEqual([status, stderr], [1, 'npm run release: --from takes npm, crate, tag, but got crates.\n'])
})
