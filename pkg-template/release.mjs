// Publishes the package and the crate, or says what is missing for that.
//
//     npm run release -- --dry-run       everything but publishing
//     npm run release
//     npm run release -- --from crate    goes on after a step that failed: npm, crate, tag
//
// Cargo.toml has the version. What must be true before: see `missing`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, env, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { npm } from './setup.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

if (argv[1] === fileURLToPath(import.meta.url)) release()

/**
 * What is missing for a release, a sentence each.
 *
 * @param {{ version: string, changelog: string, status: string, branch: string, tags: readonly string[] }} state
 * @returns {string[]}
 */
export function missing({ version, changelog, status, branch, tags }) {
  const heading = /^## (\S+) — (.+)$/m.exec(changelog)
  return [
    branch !== 'main' && `A release is made on main, not on ${branch || 'a commit without a branch'}.`,
    status !== '' && `These files are not committed:\n${status.trimEnd()}`,
    heading?.[1] !== version && `CHANGELOG.md begins with ${heading?.[1] ?? 'no version'}, Cargo.toml has ${version}: write what has changed, or set the version in Cargo.toml.`,
    heading?.[1] === version && !/^\d{4}-\d\d-\d\d$/.test(heading[2]) && `CHANGELOG.md says that ${version} is ${heading[2]}: write the date in its place.`,
    tags.includes(`v${version}`) && `There is a tag v${version}: set another version in Cargo.toml.`,
  ].filter((sentence) => sentence !== false)
}

function release() {
  const { values: { 'dry-run': isDry, from } } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false }, from: { type: 'string', default: 'npm' } } })
  const version = /^version = "(.+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1]
  const names = ['npm', 'crate', 'tag']
  if (!names.includes(from)) stop(`--from takes ${names.join(', ')}, but got ${from}.`)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const state = { version, changelog, status: git('status', '--porcelain'), branch: git('branch', '--show-current').trim(), tags: git('tag').split('\n') }

  const sentences = missing(state)
  for (const sentence of sentences) console.log(`missing: ${sentence}`)
  if (sentences.length > 0 && !isDry) stop('Nothing was published.')

  run('cargo', ['xtask', 'build'])
  run('cargo', ['package', '--package', 'tokenweir', '--quiet', ...(isDry ? ['--allow-dirty'] : [])])
  // npm can say where a package was built only in a workflow; a dry run doesn't ask.
  const provenance = isDry || env.GITHUB_ACTIONS ? ['--provenance'] : []
  const steps = {
    npm: () => npm(['publish', '--access', 'public', ...provenance, ...(isDry ? ['--dry-run'] : [])], { cwd: join(root, 'pkg') }),
    crate: () => isDry || works('cargo', ['publish', '--package', 'tokenweir']),
    // Last, so that a tag says that a version is published.
    tag: () => isDry || works('git', ['tag', '--annotate', `v${version}`, '--message', `tokenweir ${version}`]),
  }
  for (const name of names.slice(names.indexOf(from))) {
    if (!steps[name]()) stop(`The step "${name}" failed; the steps before it are done. To go on from here: npm run release -- --from ${name}`)
  }
  console.log(isDry ? `tokenweir ${version}: nothing was published` : `tokenweir ${version} is published; now: git push origin main v${version}`)
}

function git(...args) {
  return run('git', args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
}

function works(program, args) {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0
}

/** Runs a program in the repository; ends if it fails. */
function run(program, args, options = { stdio: 'inherit' }) {
  const { status, stdout, error } = spawnSync(program, args, { cwd: root, ...options })
  if (status !== 0) stop(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`)
  return stdout
}

function stop(message) {
  console.error(`npm run release: ${message}`)
  exit(1)
}
