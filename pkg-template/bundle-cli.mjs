// Checks the command line's sources and bundles them into one file, with the
// licences of the bundled packages.
//
//     node pkg-template/bundle-cli.mjs <sources> <dist>
//
// <sources> has src/ with the generated glue in it, and tsconfig.cli.json.
// It writes <dist>/cli.js and <dist>/cli.LICENSES.txt. The package itself is not
// bundled: the program imports its entries by their names, and src/reply/for-cli.ts
// from a chunk of bundle.mjs.
import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { argv, execPath, exit } from 'node:process'
import { licences } from './licences.mjs'

const [sources, dist] = argv.slice(2).map((path) => resolve(path))
if (!dist) throw new Error('usage: node bundle-cli.mjs <sources> <dist>')

const checked = spawnSync(execPath, [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '--project', 'tsconfig.cli.json'], { cwd: sources, stdio: 'inherit' })
if (checked.status !== 0) exit(1)

const { metafile } = await build({
  entryPoints: [join(sources, 'src/cli/main.ts')],
  absWorkingDir: sources,
  outfile: join(dist, 'cli.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.0',
  external: ['tokenweir', 'tokenweir/*'],
  plugins: [{ name: 'replies', setup: ({ onResolve }) => onResolve({ filter: /\/reply\/for-cli\.js$/ }, () => ({ path: './esm/chunks/replies.js', external: true })) }],
  // Without the paths of tsconfig.json, which are for the type check.
  tsconfigRaw: {},
  minify: true,
  legalComments: 'none',
  banner: {
    // commander is CommonJS, and loads Node's modules with `require`.
    js: "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
  metafile: true,
  logLevel: 'warning',
})

writeFileSync(join(dist, 'cli.LICENSES.txt'), licences('dist/cli.js', Object.keys(metafile.inputs)))
