// What has to be true before a release. The dry run itself is a line of .ci/run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
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

test('workflows name actions by the hash of a commit, may read alone, and end', () => {
  const folder = new URL('../.github/workflows/', import.meta.url)
  const found = readdirSync(folder).map((name) => [name, parse(readFileSync(new URL(name, folder), 'utf8'))])
  assert.deepEqual(found.map(([name]) => name), ['check.yml', 'codeql.yml', 'release.yml'])
  for (const [name, { permissions, jobs }] of found) {
    assert.deepEqual(permissions, { contents: 'read' }, name)
    for (const job of Object.values(jobs)) {
      assert.ok(job['timeout-minutes'] <= 90, name)
      for (const { uses } of job.steps) if (uses !== undefined) assert.match(uses, /^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/, name)
    }
  }
  const [, { jobs }] = found[0]
  assert.deepEqual([jobs.linux['runs-on'], ...jobs.other.strategy.matrix.os], ['ubuntu-latest', 'macos-latest', 'windows-latest'])
})

test('the other files of .github are valid', () => {
  const folder = new URL('../.github/', import.meta.url)
  const read = (name) => parse(readFileSync(new URL(name, folder), 'utf8'))
  assert.deepEqual(read('dependabot.yml').updates.map((update) => update['package-ecosystem']), ['github-actions', 'cargo', 'npm', 'npm'])
  for (const name of readdirSync(new URL('ISSUE_TEMPLATE/', folder)).filter((name) => name !== 'config.yml')) assert.ok(read(`ISSUE_TEMPLATE/${name}`).body.length > 1, name)
  assert.ok(read('ISSUE_TEMPLATE/config.yml').contact_links[0].url.startsWith(JSON.parse(readFileSync(new URL('../pkg-template/package.json', import.meta.url), 'utf8')).repository.url.slice('git+'.length, -'.git'.length)))
})
