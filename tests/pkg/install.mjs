// Packs pkg/ and installs the tarball into an empty project, where the package is
// tested as users have it.
//
// The project's folders:
//
//     node_modules/tokenweir    the tarball; nothing else is installed
//     tests/                    a copy of tests/, so that tests/pkg/*.test.mjs say
//                               `import { BlockParser } from 'tokenweir'` and get the tarball
//     examples/                 a copy of examples/; they too import 'tokenweir'
//     bench/                    a copy of bench/, whose contestants are compared
//     docs/                     a copy of docs/, whose programs are run
//     formats/                  a copy of formats/, which the tests compare with the package
//     */node_modules            in tests, examples and pkg-template a link to this repository's tools (fast-check,
//                               smol-toml, typescript): seen by them, not by the package
//     tests/pkg/consumers/node_modules  a link to the runtimes and bundlers
//     pkg-template/*.mjs        copies of what measures sizes and figures
//     target/pkg-src/js         the package's modules before they are bundled, for the tests of internals
//     target/pkg-src/formats.md what the build makes of the formats
//
// A test reads its data by paths relative to itself: `new URL('../cases/block/', import.meta.url)`.
// While you write one, `node --test tests/pkg/yours.test.mjs` also works in the
// repository, after `npm run build`: there 'tokenweir' is pkg/, by the root
// package.json's own exports.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from '../../pkg-template/setup.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Packs pkg/; returns the tarball's path. */
export function pack() {
  const folder = join(root, 'target/pack')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (!npm(['pack', '--loglevel', 'error', '--pack-destination', folder], { cwd: join(root, 'pkg') })) throw new Error('npm pack failed')
  return tarball()
}

/** The most recent tarball. */
export function tarball() {
  const folder = join(root, 'target/pack')
  const [name, ...others] = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.tgz')) : []
  if (!name || others.length > 0) throw new Error(`one tarball is expected in ${folder}`)
  return join(folder, name)
}

/** Makes the project in a temporary folder outside the repository, where no node_modules above it can help; returns its path. */
export function install() {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'tokenweir-project-')))
  writeFileSync(join(project, 'package.json'), '{ "name": "empty-project", "private": true }\n')
  // Offline: a package without dependencies needs no registry.
  if (!npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', tarball()], { cwd: project })) throw new Error('the tarball could not be installed')
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
  if (installed.join() !== 'tokenweir') throw new Error(`only tokenweir should be installed, but there is ${installed.join(', ')}`)

  for (const path of ['tests', 'bench', 'examples', 'docs', 'formats', 'pkg-template/sizes.mjs', 'pkg-template/figures.mjs', 'target/pkg-src/js', 'target/pkg-src/formats.md']) {
    cpSync(join(root, path), join(project, path), { recursive: true, filter: (from) => !/[\\/](node_modules|tests[\\/].*target)$/.test(from) })
  }
  for (const user of ['tests', 'examples', 'pkg-template']) symlinkSync(join(root, 'node_modules'), join(project, user, 'node_modules'), 'junction')
  // The peer of `tokenweir/react`, as a program that imports it has it.
  symlinkSync(join(root, 'node_modules/react'), join(project, 'node_modules/react'), 'junction')
  symlinkSync(join(root, 'tests/pkg/consumers/node_modules'), join(project, 'tests/pkg/consumers/node_modules'), 'junction')
  return project
}

/** Removes a project. */
export function uninstall(project) {
  rmSync(project, { recursive: true, force: true })
}
